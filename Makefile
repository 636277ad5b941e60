# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help install demo browser test test-slow test-nojit docs clean

help:  ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "pathprior needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.installed: pyproject.toml requirements/constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements/constraints.txt -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements/constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements/constraints.txt -e '.[docs]'
	@touch $@

# numba's cache of a kernel does not notice a change in another kernel that it calls
$(VENV)/.kernels: $(wildcard src/pathprior/kernels/*.py src/pathprior/kernels/*/*.py) | $(VENV)/bin/python
	find src/pathprior/kernels -name '*.nb[ic]' -delete
	@touch $@

install: $(VENV)/.installed  ## make .venv and install pathprior into it

demo: $(VENV)/.installed $(VENV)/.kernels  ## run the main job on a bundled example
	$(BIN)/pathprior demo

# Elsewhere nothing is installed behind anyone's back. Without Chromium the tests that need it are
# skipped, which their last lines say; so a failure here is none of theirs.
browser:  ## on a CI machine with apt-get and root, have the Chromium that the browser tests need
	@if [ -n "$$CI" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then \
	  export DEBIAN_FRONTEND=noninteractive; \
	  { timeout 120 apt-get -qq update; \
	    timeout 480 apt-get -qq install --yes --no-install-recommends chromium fonts-liberation; } >/dev/null 2>&1 \
	  || echo "Chromium cannot be installed: the tests that need a browser are skipped"; \
	fi

test: $(VENV)/.installed-dev $(VENV)/.kernels browser  ## lint, type-check and run the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	@# while types are checked, what most tests need is compiled: once, not by each of their processes
	$(BIN)/mypy & types=$$!; $(BIN)/pathprior demo --out $(VENV)/demo >/dev/null && wait $$types
	$(BIN)/python -m pytest --numprocesses logical --dist loadfile -m 'not slow'

test-slow: $(VENV)/.installed-dev $(VENV)/.kernels  ## run the tests that make test has no time for
	$(BIN)/python -m pytest --numprocesses logical --dist worksteal -m slow

test-nojit: $(VENV)/.installed-dev  ## hold the kernels, as plain Python, against their oracles
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m 'kernel and not slow'

docs: $(VENV)/.installed-docs  ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:  ## remove .venv and everything generated
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache pathprior-demo site
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
