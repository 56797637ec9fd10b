.PHONY: run test test-all differential prepared dependencies build install dist deb licences standalone \
	wheel triton debian-sources examples transcripts bench-cpu bench-gpu bench-time clean

# Where make install puts things; DESTDIR stands for /.
PREFIX = /usr/local

run: ## allocate one kernel and show what changed
	@scripts/run.sh

test: ## lints, unit tests, lit tests, and some cases of every suite
	@scripts/test.sh

test-all: ## the same with all cases
	@scripts/test.sh --all

differential: build ## random programs, greedy's code against ours: COUNT=1000 make differential
	@tests/run.py -j 2 --param size=full tests/differential

prepared: build ## the passes over IR, programs executed before and after: COUNT=100 make prepared
	@python3 tools corpus && python3 tools corpus raw
	@tests/run.py -j 2 --param size=full --param corpus=1 --param "count=$(or $(COUNT),1000)" tests/prepared-*

standalone: dependencies ## llc for NVPTX with the allocator, one program that needs no LLVM
	@scripts/standalone.sh

wheel: build standalone ## the Python package, in target/wheels
	@$$(scripts/triton.sh none) -m pip wheel -q --disable-pip-version-check --no-deps -w target/wheels python/

triton: build examples ## the Python package with each version of Triton that is tested
	@tests/run.py -j 2 -v --param size=full tests/triton

debian-sources: build ## source packages of Debian, built with the allocator, and their own test suites
	@tests/run.py -j 1 -v --param size=full tests/debian-sources

dependencies: ## what building and testing need
	@scripts/install.sh

build: dependencies
	@cargo build --release --workspace

install: build ## make install PREFIX=/opt/warpalloc [DESTDIR=FOLDER]
	@DESTDIR="$(DESTDIR)" scripts/install_files.sh "$(PREFIX)"

dist: build ## a tarball, in target/package
	@scripts/package.sh dist

deb: build ## a package for Debian, in target/package
	@scripts/package.sh deb

licences: dependencies ## LICENSES-OF-CRATES.txt, after a change of Cargo.lock
	@scripts/licences.sh

examples: dependencies
	@scripts/compile_examples.sh

transcripts: build wheel ## docs/transcripts.md: what the commands of the documents print
	@scripts/transcripts.sh

bench-cpu: build
	@python3 tools cpu

bench-time: build
	@python3 tools times

bench-gpu: build
	@python3 tools gpu

clean:
	@rm -rf target
