# make demo: a user's environment, open sets scored and compared. make test: all tests; the tools for it come into the same
# .venv. What is installed stands in locks/, with hashes; make locks writes them anew, make samples the samples that come
# along with the configs, make audit looks the locks up in a database of advisories.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
USER := .venv/.user
DEVELOPMENT := .venv/.development
LOCKING = .venvs/locking/bin/uv pip compile --quiet --universal --python-version 3.11.5 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --no-header --group install $(UPGRADE) pyproject.toml

# What is compiled is kept: tests begin hundreds of processes, which would all compile the packages anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint docs tables bench messages test-matrix samples locks audit clean

demo: $(USER)
	@$(BIN)/python examples/demo.py build/demo

test: $(DEVELOPMENT)
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

lint: $(DEVELOPMENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The manual as HTML, in build/docs; links are checked, and nothing is fetched.
docs: $(DEVELOPMENT)
	$(BIN)/python docs/build.py build/docs

# The generated tables in the pages of the manual: metrics, options, terms and others.
tables: $(DEVELOPMENT)
	$(BIN)/python docs/declared.py

# The catalog of Chinese messages, brought in step with the code and compiled.
messages: $(DEVELOPMENT)
	$(BIN)/python tests/language/messages.py

bench: $(DEVELOPMENT)
	$(BIN)/python benchmarks/all.py $(NAMES)

# The installed wheel, and the oldest libraries that pyproject.toml allows, in environments of their own.
test-matrix: $(DEVELOPMENT)
	$(BIN)/python tests/matrix.py

samples: $(USER)
	$(BIN)/python -m dataset_scripts.building.samples

# make locks UPGRADE=--upgrade takes the newest versions.
locks: | .venvs/locking
	$(LOCKING) --extra dev -o locks/development.txt
	$(LOCKING) --extra build -c locks/development.txt -o locks/demo.txt

audit: | .venvs/audit
	.venvs/audit/bin/python tests/advisories.py locks/demo.txt locks/development.txt

clean:
	rm -rf build dist .venv .venvs

.venvs/locking: PACKAGE = uv
.venvs/audit: PACKAGE = pip-audit
.venvs/locking .venvs/audit:
	$(PYTHON) -m venv $@
	$@/bin/pip install --quiet --disable-pip-version-check $(PACKAGE)

.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "medzh needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv .venv

$(USER): locks/demo.txt pyproject.toml | .venv
	@echo "installing what locks/demo.txt names into .venv"
	@$(PIP) --no-deps --require-hashes -r locks/demo.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# It holds all that a user's environment holds, in the same versions.
$(DEVELOPMENT): locks/development.txt pyproject.toml | .venv
	$(PIP) --no-deps --require-hashes -r locks/development.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $(USER) $@
