#!/usr/bin/env bash
# Whether kernels reach the occupancy that -nvptx-regalloc-occupancy-target asks for, in
# what ptxas reports, and what that costs beside stock's PTX with the same .maxnreg: see
# occupancy.py, which gets the arguments.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
need_plugin
names=0 sm=90 previous=
for argument; do
  [[ ! -d $argument ]] || names=1
  [[ $previous != --sm ]] || sm=$argument
  previous=$argument
done
((names)) || scripts/compile_examples.sh "$sm"
exec .venv/bin/python benches/occupancy.py "$@"
