#!/usr/bin/env bash
# Writes LICENSES-OF-CRATES.txt, the licences of the crates that are linked in, by
# cargo-about, which is installed in target/tools. To be run when Cargo.lock has changed;
# tests/packages finds crates that are missing. An unknown licence is an error.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need_tool cargo-about 0.9.3 --features cli
# What the crates themselves say: --offline asks nobody else.
cargo fetch --locked --quiet
target/tools/bin/cargo-about generate --workspace --locked --offline --fail \
  -c scripts/about.toml scripts/about.hbs >target/licences
mv target/licences LICENSES-OF-CRATES.txt
