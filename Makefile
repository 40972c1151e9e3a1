# make run     installs what is missing, builds the command, simulates a mechanism and a circuit, solves a problem
# make test    installs what is missing, builds everything, runs the test suite
# make help    the other targets

.DEFAULT_GOAL := help
.PHONY: help run build test python viewer screenshots figures notebooks bench bench-peers bench-peers-friction bench-peers-first-order bench-peers-mechanics bench-peers-events bench-peers-python format check-format clean

SALTUS := build/release/bin/saltus
BENCHMARKS = $(basename $(notdir $(wildcard benchmarks/*_benchmark.cpp)))
SOURCES = $(shell git ls-files '*.hpp' '*.cpp')
CLANG_FORMAT := $(shell command -v clang-format-14 || echo clang-format)

# What a step prints goes to build/log; see scripts/quietly.
INSTALL = @scripts/quietly 'Installing packages' build/log/packages.txt scripts/install-deps
CONFIGURE = @scripts/quietly 'Configuring' build/log/configure.txt cmake --preset release --log-level=WARNING
COMPILE = @scripts/quietly 'Compiling' build/log/compile.txt cmake --build --preset release

help:
	@echo 'make run           install what is missing, build the command, show what it does'
	@echo 'make test          install what is missing, build everything, run the test suite'
	@echo 'make build         build the library and the command $(SALTUS)'
	@echo 'make python        install what is missing, build the Python package'
	@echo 'make viewer        rebuild the page of reports, after a change of viewer/src'
	@echo 'make screenshots   retake the pictures of the pages of all examples in docs/figures/pages'
	@echo 'make figures       redraw the figures of the examples in docs/figures'
	@echo 'make notebooks     run the notebooks and rewrite their pages in docs/notebooks'
	@echo 'make bench         build and run the benchmarks'
	@echo 'make bench-peers   the same problems in Siconos, with a table of ratios; bench-peers-friction, -first-order, -mechanics, -events, -python only those'
	@echo 'make format        format the C++ files; check-format only checks them'
	@echo 'make clean         remove build/ and results/'

run:
	$(INSTALL)
	@$(MAKE) --no-print-directory build
	@scripts/first-look $(SALTUS)

build:
	$(CONFIGURE)
	$(COMPILE) --target saltus_cli

test:
	$(INSTALL) --tests
	$(CONFIGURE)
	$(COMPILE)
	@scripts/quietly 'Testing' build/log/test.txt ctest --preset release
	@grep -E 'tests passed' build/log/test.txt
	@skipped=$$(grep -c '(Skipped)$$' build/log/test.txt); [ $$skipped -eq 0 ] || \
	    echo "$$skipped tests of pages and films were skipped; with scripts/install-deps --ci they run"

python:
	$(INSTALL) --python
	$(CONFIGURE)
	$(COMPILE) --target saltus_python
	@python=$$(sed -n 's/^SALTUS_PYTHON_EXECUTABLE:[A-Z]*=\(.\)/\1/p; s/^SaltusPython_EXECUTABLE:INTERNAL=//p' \
	    build/release/CMakeCache.txt | head -1); \
	    echo; echo "Built for $$($$python --version), $$python. To use it:"; \
	    echo "    PYTHONPATH=build/release/python $$python"

viewer:
	$(INSTALL) --viewer
	cd viewer && npm ci --no-audit --no-fund && npm run check && npm run build

screenshots: build
	$(INSTALL) --viewer
	cd viewer && npm ci --no-audit --no-fund && node screenshots.mjs

figures: build
	$(INSTALL) --figures
	/usr/bin/python3 scripts/figures

notebooks: python
	$(INSTALL) --notebooks
	scripts/notebooks

bench:
	$(INSTALL) --benchmarks
	$(CONFIGURE) -DSALTUS_BENCHMARKS=ON
	$(COMPILE) --target $(BENCHMARKS)
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
	@$(CLANG_FORMAT) -i $(SOURCES)

check-format:
	@test -n '$(SOURCES)' || { echo 'check-format: git names no source file'; exit 1; }
	@$(CLANG_FORMAT) --dry-run -Werror $(SOURCES)
	@! grep -nE '^.{121,}' $(SOURCES) || { echo 'check-format: a line may have 120 characters'; exit 1; }
	@echo 'check-format: $(words $(SOURCES)) files are as clang-format writes them'

clean:
	rm -rf build results
