# make fuzz   compare the optimized scheduler with the model on random clusters, for a minute
# make test   everything that the continuous integration checks
# make venv   only set up .venv, with the command .venv/bin/sched-oracle
#
# Needs Python 3.11 or newer (another one than python3: make PYTHON=python3.12 ...) and nothing else.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: fuzz test venv lock peers screenshot

fuzz: venv
	$(BIN)/sched-oracle fuzz --scheduler impl --seconds 60

test: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --every-rule

venv: .venv/.package

# The environment is made anew whenever the lock changes, so that it never holds more than the lock names.
.venv/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit("sched-oracle needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

.venv/.package: .venv/.locked pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# For maintainers: resolve the newest versions that pyproject.toml allows.  Needs uv.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade --all-extras pyproject.toml -o requirements.lock

# For maintainers: build the newest kube-scheduler, for the test that plays to it.  Needs Go and minutes.
peers: venv
	$(BIN)/python -m tests.kube_scheduler newest

# For maintainers: take the README's picture of a report anew.  Needs chromium and chromedriver.
screenshot: venv
	$(BIN)/python -m tests.screenshot
