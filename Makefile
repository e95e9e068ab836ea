# Everything sets itself up: Python 3.11+, make and git are all that is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help demo picture test unit property faults soak html browser hosts programs wheel lint types imports docs schemas bench clean

help:
	@echo "make demo    try everything in a folder of its own"
	@echo "make test    all tests and checks"
	@echo "make soak    the long sweeps: every step killed, 100,000 expressions, two clones"
	@echo "make bench   measure speed beside its anchors"

$(VENV)/run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/dev: $(VENV)/run
	$(BIN)/python -m pip install -q --group dev
	@touch $@

demo: $(VENV)/run
	@rm -rf demo-output
	@$(BIN)/experience-pack demo --out demo-output

test: lint types imports docs unit property faults browser hosts wheel
	@echo "all checks passed"

unit: $(VENV)/dev
	$(BIN)/python -m pytest -q -n auto -m "not wheel" tests/unit

property: $(VENV)/dev
	$(BIN)/python -m pytest -q -n auto tests/property

faults: $(VENV)/dev
	$(BIN)/python -m pytest -q -n auto tests/faults

soak: $(VENV)/dev
	KILLED_STEPS=100000 MERGE_EXAMPLES=300 EXPRESSION_EXAMPLES=100000 TWO_CLONES_RUNS=10000 XSS_ALL=1 $(BIN)/python -m pytest -q -n auto tests/faults tests/property tests/browser/test_xss.py

html: $(VENV)/dev
	@command -v npm >/dev/null && npm install --silent --no-fund --no-audit --prefix $(VENV) vnu-jar || \
	  echo "no npm: pages are not held before the Nu Html Checker"

# the programs of hosts, as their users install them; 2 GB, so only where npm is
PROGRAMS := @anthropic-ai/claude-code@2.1.332 claude-old@npm:@anthropic-ai/claude-code@2.1.197 \
  @openai/codex@0.171.0 @google/gemini-cli@0.61.0 @earendil-works/pi-coding-agent@0.74.2 \
  opencode-ai@1.18.33 bun @oh-my-pi/pi-coding-agent@18.2.3

programs: $(VENV)/dev
	@command -v npm >/dev/null && npm install --silent --no-fund --no-audit --prefix $(VENV)/hosts $(PROGRAMS) || \
	  echo "no npm: the programs of hosts are not tried"

hosts: $(VENV)/dev programs
	$(BIN)/python -m pytest -q tests/hosts

browser: $(VENV)/dev html
	$(BIN)/python -m pytest -q -n auto tests/browser

wheel: $(VENV)/dev
	$(BIN)/python -m pytest -q -m wheel tests/unit

lint: $(VENV)/dev
	$(BIN)/ruff format --check -q .
	$(BIN)/ruff check -q .

types: $(VENV)/dev
	$(BIN)/mypy

imports: $(VENV)/dev
	$(BIN)/lint-imports

docs: $(VENV)/dev
	$(BIN)/cog --check -I docs docs/cli.md docs/config.md docs/formats.md docs/mcp.md docs/hosts.md

schemas: $(VENV)/dev
	$(BIN)/python -m experience_pack.formats.schemas
	$(BIN)/cog -r -I docs docs/cli.md docs/config.md docs/formats.md docs/mcp.md docs/hosts.md

bench: $(VENV)/dev
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) demo-output dist

picture: $(VENV)/dev
	PYTHONPATH=. $(BIN)/python docs/picture.py
