.PHONY: run test differential prepared install build examples bench-cpu bench-gpu clean

run: ## allocate one kernel and show what changed
	@scripts/run.sh

test: ## lints, unit tests, lit tests, examples
	@scripts/test.sh

differential: build ## random programs, greedy's code against ours: COUNT=1000 make differential
	@scripts/differential.sh

prepared: build ## the passes over IR, programs executed before and after: COUNT=100 make prepared
	@scripts/prepared.sh

install:
	@scripts/install.sh

build: install
	@cargo build --release --workspace

examples: install
	@scripts/compile_examples.sh

bench-cpu: build
	@benches/cpu_compare.sh

bench-gpu: build
	@benches/gpu_compare.sh

clean:
	@rm -rf target
