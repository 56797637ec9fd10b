#!/usr/bin/env bash
# What the passes over IR bring in machine code, over folders of kernels: see prepared.py,
# which gets the arguments.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
need_plugin
PLUGIN=$PLUGIN exec .venv/bin/python benches/prepared.py "$@"
