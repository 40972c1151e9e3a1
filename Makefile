# make run     installs what is missing, builds, and solves a built-in example
# make test    the same set-up, then the whole test suite
# make help    the other targets

.DEFAULT_GOAL := help
.PHONY: help run build test python viewer screenshots figures notebooks bench bench-peers bench-peers-friction bench-peers-first-order bench-peers-mechanics bench-peers-events bench-peers-python format check-format clean dependencies configure

EXAMPLE := string_over_obstacle
SALTUS := build/release/bin/saltus
BENCHMARKS = $(basename $(notdir $(wildcard benchmarks/*_benchmark.cpp)))
SOURCES = $(shell git ls-files '*.hpp' '*.cpp')
CLANG_FORMAT := $(shell command -v clang-format-14 || echo clang-format)

help:
	@echo 'make run           install what is missing, build, solve examples/$(EXAMPLE).dat'
	@echo 'make test          install what is missing, build, run the test suite'
	@echo 'make build         build the library and the command $(SALTUS)'
	@echo 'make python        install what is missing, build the Python package'
	@echo 'make viewer        bundle the page of reports anew, after a change of viewer/src'
	@echo 'make screenshots   pictures of the pages of all examples in docs/figures/pages anew'
	@echo 'make figures       draw the figures of the examples in docs/figures anew'
	@echo 'make notebooks     run the notebooks and write their pages in docs/notebooks anew'
	@echo 'make bench         build and run the benchmarks'
	@echo 'make bench-peers   the same problems in Siconos, with a table of ratios; bench-peers-friction, -first-order, -mechanics, -events, -python only those'
	@echo 'make format        format the C++ files; check-format only checks them'
	@echo 'make clean         remove build/ and results/'

run: dependencies build
	@mkdir -p results
	$(SALTUS) run examples/zener.toml --output results/zener.h5
	@echo
	$(SALTUS) solve examples/$(EXAMPLE).dat --output results/$(EXAMPLE).json
	@echo
	@echo 'The whole solution is in results/$(EXAMPLE).json'

test: dependencies configure
	cmake --build --preset release
	ctest --preset release

build: configure
	cmake --build --preset release --target saltus_cli

python: dependencies configure
	cmake --build --preset release --target saltus_python
	@python=$$(sed -n 's/^SALTUS_PYTHON_EXECUTABLE:[A-Z]*=\(.\)/\1/p; s/^SaltusPython_EXECUTABLE:INTERNAL=//p' \
	    build/release/CMakeCache.txt | head -1); \
	    echo; echo "Built for $$($$python --version), $$python. To use it:"; \
	    echo "    PYTHONPATH=build/release/python $$python"

viewer:
	@scripts/install-deps --viewer
	cd viewer && npm ci --no-audit --no-fund && npm run check && npm run build

screenshots: build
	@scripts/install-deps --viewer
	cd viewer && npm ci --no-audit --no-fund && node screenshots.mjs

figures: build
	@scripts/install-deps --figures
	/usr/bin/python3 scripts/figures

notebooks: python
	@scripts/install-deps --notebooks
	scripts/notebooks

bench:
	@scripts/install-deps --benchmarks
	@cmake --preset release --log-level=WARNING -DSALTUS_BENCHMARKS=ON
	cmake --build --preset release --target $(BENCHMARKS)
	@set -e; for benchmark in $(BENCHMARKS); do build/release/bin/$$benchmark; done

bench-peers:
	benchmarks/peers/run

bench-peers-friction:
	benchmarks/peers/run friction

bench-peers-first-order:
	benchmarks/peers/run first_order

bench-peers-mechanics:
	benchmarks/peers/run mechanics

bench-peers-events:
	benchmarks/peers/run events

bench-peers-python:
	benchmarks/peers/run python

format:
	$(CLANG_FORMAT) -i $(SOURCES)

check-format:
	@test -n '$(SOURCES)' || { echo 'check-format: git names no source file'; exit 1; }
	@$(CLANG_FORMAT) --dry-run -Werror $(SOURCES)
	@! grep -nE '^.{121,}' $(SOURCES) || { echo 'check-format: a line may have 120 characters'; exit 1; }
	@echo 'check-format: $(words $(SOURCES)) files are as clang-format writes them'

clean:
	rm -rf build results

dependencies:
	@scripts/install-deps

# Takes a fraction of a second when nothing changed.
configure:
	@cmake --preset release --log-level=WARNING
