# Two commands on a fresh machine: `make demo` and `make test`. Needs Python 3.11+, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed

.PHONY: demo test check learn lint types format clean

# Where there is no compiler for this machine, classical plays: no reason not to go on.
demo: $(STAMP)
	-$(BIN)/knightshift warm
	$(BIN)/knightshift demo

test: $(STAMP)
	$(BIN)/pytest -n 2 --dist loadfile

check: lint types test

# A learned evaluation from nothing, at a size that shows the way and nothing else: some two minutes.
learn: $(STAMP)
	rm -rf build/learn
	$(BIN)/knightshift lab generate --out build/learn/data --positions 30000 --nodes 200 --network none
	$(BIN)/knightshift lab train build/learn/data --out build/learn/network --epochs 4
	$(BIN)/knightshift lab rescore build/learn/data --out build/learn/deeper --nodes 1000 --every 3 \
	  --network none
	$(BIN)/knightshift lab train build/learn/deeper --from build/learn/network/network.npz --out build/learn/further \
	  --epochs 4 --rate 0.0003 --batch 512 --validation 0.2
	$(BIN)/knightshift lab match compiled:network=build/learn/further/network.npz,nodes=500 compiled:nodes=500,network=none \
	  --pairs 2 --out build/learn/match

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The stamp is newer than pyproject.toml only when everything that it names has been installed.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Knightshift needs Python 3.11 or newer; try: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || \
	  { echo "This Python cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
