# Two commands: `make play` and `make test`. Both do all the set-up in .venv beside this file.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
# One thread each: test workers share the cores.
ONE := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1

.PHONY: play test check format clean

play: $(VENV)/installed
	$(BIN)/sidestep play

test: $(VENV)/testing check
	$(ONE) $(BIN)/python -m pytest -n 2 --dist worksteal -q $(PYTEST)

check: $(VENV)/testing
	$(BIN)/ruff format --check src tests
	$(BIN)/ruff check src tests
	$(BIN)/mypy

format: $(VENV)/testing
	$(BIN)/ruff format src tests
	$(BIN)/ruff check --fix src tests

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

$(VENV)/testing: $(VENV)/installed tests/browser/package.json
	$(BIN)/python -m pip install --quiet -c constraints.txt -e . --group test
	@if command -v npm >/dev/null; then cd tests/browser && npm ci --silent --no-audit --no-fund; \
	else echo "npm is missing: the glTF validator and the browser test are skipped"; fi
	@if ! command -v chromium >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium) >/dev/null \
	  || echo "chromium could not be installed: the browser test is skipped"; fi
	touch $@

clean:
	rm -rf $(VENV) tests/browser/node_modules .pytest_cache .mypy_cache .ruff_cache
