# Everything runs in .venv, which is made by itself and brought up to date when pyproject.toml changes.
# `make demo` installs dpsql alone; whatever else is named here installs all that developers need.

PYTHON ?= python3
PYTEST_ARGS ?= -n 2 -q
SCALES ?= 0.1 1 10
BIN := .venv/bin
CORE := .venv/.core
STAMP := .venv/.installed
PIP := $(BIN)/python -m pip install --disable-pip-version-check

# Or each of the processes that tests start compiles all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-deep deep-tests deep-cases deep-effort deep-grammar test-engines lint bench comparison tightness docs

demo: $(CORE)
	@$(BIN)/dpsql demo

test: lint
	@$(BIN)/python -m pytest -m "not deep" $(PYTEST_ARGS)

# `make -k test-deep` goes on with the other parts where one fails.
test-deep: deep-tests deep-cases deep-effort deep-grammar

deep-grammar: export DPSQL_GRAMMAR_EXAMPLES = 20
deep-tests deep-effort deep-grammar: export DPSQL_FULL = 1
deep-tests deep-effort deep-grammar: export PYTEST_ADDOPTS = -o faulthandler_timeout=3600

deep-tests: $(STAMP)
	@$(BIN)/python -m pytest -m deep --maxschedchunk=1 $(PYTEST_ARGS)

# Of tests whose cases are examples, those that `make test` leaves out.
deep-cases: $(STAMP)
	@DPSQL_OTHERS=1 $(BIN)/python -m pytest -m "not deep" $(PYTEST_ARGS)

# Without what `make test-engines` tries with all there is.
deep-effort: $(STAMP)
	@engines="$$($(BIN)/python -m tools.engines --files)"; \
	$(BIN)/python -m pytest -m "not deep" $(PYTEST_ARGS) \
		$$(grep -lrE 'support\.(effort|brute)' tests --include='test_*.py' | grep -vxF "$$engines")

deep-grammar: $(STAMP)
	@$(BIN)/python -m pytest grammar_tests $(PYTEST_ARGS)

test-engines: $(STAMP)
	@$(BIN)/python -m tools.engines $(PYTEST_ARGS)

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(STAMP)
	@$(BIN)/python benchmarks/overhead.py
	@$(BIN)/python benchmarks/scales.py $(SCALES)
	@$(BIN)/python benchmarks/analysis.py
	@$(BIN)/python benchmarks/ledger.py
	@$(BIN)/python benchmarks/fixed.py
	@$(BIN)/python benchmarks/moments.py
	@$(BIN)/python benchmarks/startup.py

comparison: $(STAMP)
	@$(BIN)/python -m benchmarks.comparison

tightness: $(STAMP)
	@$(BIN)/python -m tools.tightness

docs: $(STAMP)
	@$(BIN)/python -m mkdocs build --quiet --strict
	@echo "build/docs/index.html; with its search: $(BIN)/python -m http.server -d build/docs"

$(BIN)/python:
	@$(PYTHON) -m venv .venv

$(CORE): pyproject.toml | $(BIN)/python
	@echo "installing dpsql into .venv, once"
	@$(PIP) -e .
	@touch $@

$(STAMP): pyproject.toml | $(BIN)/python
	@echo "installing dpsql and what its tests need into .venv, once: some minutes"
	@$(PIP) --quiet -e ".[dev]"
	@touch $(CORE) $@
