# Everything a newcomer needs: make chat, make test. Both set up .venv first when it is not there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: chat test bench bench-load pictures requirements clean

chat: $(READY)
	@$(BIN)/gunbai chat

test: $(READY)
	$(BIN)/gunbai check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

# QUERIES: a file of labelled queries for the search; without one only loading is measured.
QUERIES ?= $(wildcard ../shared/search/queries-public.jsonl)

bench: $(READY)
	$(BIN)/python -m bench.load
	$(if $(QUERIES),$(BIN)/python -m bench.search $(QUERIES))
	$(if $(QUERIES),$(BIN)/python -m bench.growth $(QUERIES))

# The bot under load, beside a bot that always answers the same.
bench-load: $(READY)
	$(BIN)/python -m bench.chat

# Draws docs/pictures anew from the bot's replies; needs Chromium and a Japanese font, and says so.
pictures: $(READY)
	@$(BIN)/python -m pictures

# Pins every dependency with its hashes anew, after a change in pyproject.toml: what the bot runs on,
# what builds its wheel (both for the image), and what developers need.
PIN := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11

requirements: $(READY)
	$(PIN) --group dev pyproject.toml --output-file requirements-dev.txt
	$(PIN) --extra meaning --constraint requirements-dev.txt pyproject.toml \
		--output-file requirements.txt
	$(PIN) --group wheel --constraint requirements-dev.txt --output-file requirements-wheel.txt

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Gunbai needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up $(VENV) (once, about a minute) ..."
	@$(PYTHON) -m venv --clear $(VENV) || \
		{ echo "The venv module is missing; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
