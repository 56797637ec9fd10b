#!/usr/bin/env bash
# How well regs= predicts what ptxas reports for the PTX of llc without the plugin, each
# source of kernels left out in turn: see predict_registers.py, which gets the arguments.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
need_plugin
names=0
for argument; do [[ ! -d $argument ]] || names=1; done
((names)) || scripts/compile_examples.sh 80 90
exec .venv/bin/python benches/predict_registers.py "$@"
