#!/usr/bin/env bash
# What kernels execute, stock llc's PTX against warpalloc's, without a GPU: see
# executed.py, which gets the arguments.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
need_plugin
cargo build --quiet --release -p ptx-interpreter
names=0 sm=90 previous=
for argument; do
  [[ ! -d $argument ]] || names=1
  [[ $previous != --sm ]] || sm=$argument
  previous=$argument
done
((names)) || scripts/compile_examples.sh "$sm"
PLUGIN=$PLUGIN exec .venv/bin/python benches/executed.py "$@"
