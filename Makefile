# make demo: build the embedded sample, load it, prompt, score. make test: all tests. Both share one .venv.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
DEMO := build/demo

.PHONY: demo test lint docs bench test-matrix clean

demo: $(INSTALLED)
	@mkdir -p $(DEMO)
	@set -e; for config in $$($(BIN)/python -c "from medzh_score.benchmark.registry import config_names; print(*config_names())"); do \
		set -x; \
		$(BIN)/medzh-build build $$config --recipe mini; \
		$(BIN)/medzh-build check build/medzh; \
		HF_HUB_OFFLINE=1 HF_DATASETS_CACHE=$(DEMO)/cache $(BIN)/python -c "from datasets import load_dataset; print(load_dataset('build/medzh', '$$config', split='test'))"; \
		$(BIN)/medzh-score prompts $$config --out $(DEMO)/$$config-prompts.jsonl; \
		second=dataset_scripts/mini/$$config/choose.jsonl; \
		$(BIN)/medzh-score score $$config dataset_scripts/mini/$$config/predictions.jsonl --items $(DEMO)/$$config-items.jsonl $$(test ! -f $$second || echo --round choose=$$second); \
		set +x; \
	done

test: $(INSTALLED)
	$(BIN)/pytest -n auto

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The manual as HTML, in build/docs; links are checked, and nothing is fetched.
docs: $(INSTALLED)
	$(BIN)/python docs/build.py build/docs

bench: $(INSTALLED)
	$(BIN)/python benchmarks/all.py

# The installed wheel, and the oldest libraries that pyproject.toml allows, in environments of their own.
test-matrix: $(INSTALLED)
	$(BIN)/python tests/matrix.py

clean:
	rm -rf build dist .venv .venvs

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "medzh needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
