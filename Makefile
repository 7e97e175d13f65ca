# Every target sets up what it needs: a fresh machine needs python3 (3.11 or newer) and make.

PYTHON ?= python3
VENV   ?= .venv
UV     ?= uv
BIN    := $(VENV)/bin
CODE   := src server temporal_worker tools resources
LOCK   := $(shell cat requirements.lock pyproject.toml | cksum | cut -d' ' -f1)
READY  := $(VENV)/.ready-$(LOCK)

# Start-up time counts on compiled modules, so they are written even where a machine says not to.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test prove lint format types contracts docs-check bench lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' Makefile

setup: $(READY)  ## make the virtual environment, exactly as locked

$(READY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "jobsteward needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q -j 0 $$($(BIN)/python -c 'import site; print(site.getsitepackages()[0])') \
		$(CODE) >/dev/null || true  # some packages ship templates that are not Python
	@rm -f $(VENV)/.ready-* && touch $@

demo: setup  ## bring a stack up in a temporary home and let an agent discover jobs through it
	$(BIN)/jobsteward demo

# Tests that start whole stacks run one at a time: two stacks on two cores measure each other.
test: setup lint types contracts  ## everything that a change must pass
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"
	$(BIN)/python -m pytest -m slow

prove: setup lint types contracts  ## the whole proof: both databases, full lengths
	JOBSTEWARD_PROVE=1 $(BIN)/python -m pytest -n 2 --dist worksteal
	JOBSTEWARD_PROVE=1 $(BIN)/python -m pytest -n 2 --dist worksteal --store postgresql

lint: setup  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: setup  ## rewrite in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: setup  ## static types
	$(BIN)/mypy $(CODE)

contracts: setup  ## which room may import which
	$(BIN)/lint-imports

docs-check: setup  ## every documented command exists, every link leads somewhere
	$(BIN)/python -m pytest -q tests/test_documentation.py

bench: setup  ## every benchmark; floors are measured in the same run
	$(BIN)/python -m benchmarks all

lock:  ## pin all dependencies again, after a change of pyproject.toml
	$(UV) pip compile --quiet --universal --all-extras --generate-hashes --no-emit-index-url \
		--no-header --python-version 3.11 --output-file requirements.lock pyproject.toml

clean:  ## remove what the other targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist
