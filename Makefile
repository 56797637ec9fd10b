.PHONY: run test test-all differential prepared standalone wheel triton install build examples bench-cpu bench-gpu clean

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

standalone: install ## llc for NVPTX with the allocator, one program that needs no LLVM
	@scripts/standalone.sh

wheel: build standalone ## the Python package, in target/wheels
	@$$(scripts/triton.sh none) -m pip wheel -q --disable-pip-version-check --no-deps -w target/wheels python/

triton: build examples ## the Python package with each version of Triton that is tested
	@tests/run.py -j 2 -v --param size=full tests/triton

install:
	@scripts/install.sh

build: install
	@cargo build --release --workspace

examples: install
	@scripts/compile_examples.sh

bench-cpu: build
	@python3 tools cpu

bench-gpu: build
	@python3 tools gpu

clean:
	@rm -rf target
