# Every target makes its own environment when there is none.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PLAIN  := $(VENV)/.installed
STAMP  := $(VENV)/.installed-for-development
BENCH  := $(VENV)/.installed-with-peers
CORES  ?= 2

.PHONY: demo flexible test test-slow list-slow texts check bench docs clean

demo: $(PLAIN)
	$(BIN)/python examples/what_torque_drives_the_carpet_scraper.py

flexible: $(PLAIN)
	$(BIN)/python -m pip install --editable ".[flexible]"

test: check
	$(BIN)/pytest -n $(CORES) -m "not slow"

test-slow: $(STAMP)
	$(BIN)/pytest -n $(CORES) -m slow

list-slow: $(STAMP)
	$(BIN)/pytest -n $(CORES) -m "not slow" --list-slow

texts: $(STAMP)
	$(BIN)/pytest -n $(CORES) -m "slow or not slow" --write-texts
	@git --no-pager diff --stat -- tests/messages/texts || true

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(BENCH)
	$(BIN)/python -m benchmarks

docs: $(STAMP)
	$(BIN)/python docs/build.py

$(PLAIN): pyproject.toml
	@echo "Installing multiloop and what it needs into $(VENV) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $(PLAIN)

$(STAMP): $(PLAIN)
	@echo "Installing the tools for development …"
	@$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $(STAMP)

$(BENCH): $(STAMP)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	touch $(BENCH)

clean:
	rm -rf $(VENV) build
