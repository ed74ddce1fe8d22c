# `make run` opens the dashboard, `make test` runs every test; both set up all they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8501

.PHONY: run test test-core test-browser test-long install install-newest install-dev lock licences browser postgresql check space clean

# The demo collections are made before the first page asks for them.
run: install
	-@test -e $${TRACE_DATA_DIR:-.trace}/demo-loaded || { echo "Loading the two demo collections …"; \
		$(BIN)/python -m trace_core collections >/dev/null; }
	@echo "TRACE opens at http://$(HOST):$(PORT), which takes a few seconds. Ctrl-C stops it."
	@$(BIN)/python -m streamlit run app.py --server.address $(HOST) --server.port $(PORT)

install: $(VENV)/installed

# What the locks name, each file by its SHA-256 and nothing else; then this package where its source is: an image copies
# that last. What builds others comes before them. Where an index lacks a locked version, the ranges decide, and that is
# said; a file with another hash stops it, and so does LOCKED_ONLY=1.
LOCKED := --quiet --no-deps --require-hashes --no-build-isolation --use-pep517
LOG = $(VENV)/install.log
$(VENV)/installed: requirements.lock requirements-torch.lock $(wildcard pyproject.toml)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1; }
	@echo "Setting up $(VENV), once: about 2 GB, a few minutes. Nothing is installed outside this folder."
	@$(PYTHON) -m venv $(VENV)
	@sed -n '/^setuptools==/,/[^\\]$$/p' requirements.lock >$(VENV)/setuptools.lock
	@{ echo "1 of 2: torch, for processors only …"; \
		{ $(BIN)/pip install $(LOCKED) --retries 0 -r requirements-torch.lock --index-url https://download.pytorch.org/whl/cpu \
		|| $(BIN)/pip install $(LOCKED) -r requirements-torch.lock; } \
		&& echo "2 of 2: $$(grep -c '^[a-z0-9].*==' requirements.lock) further packages, each checked by its hash …" \
		&& $(BIN)/pip install $(LOCKED) -r $(VENV)/setuptools.lock \
		&& $(BIN)/pip install $(LOCKED) -r requirements.lock; } 2>$(LOG) \
		|| { grep -v "is ignored: it is neither" $(LOG); \
		test -z "$(LOCKED_ONLY)" && ! grep -q "DO NOT MATCH THE HASHES" $(LOG) \
		&& grep -q "No matching distribution found" $(LOG) \
		&& echo "Your index lacks what the lock names: installing the newest within the ranges instead." \
		&& $(MAKE) install-newest; }
	@if test -e pyproject.toml; then $(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .; fi
	@touch $@

# The newest within the ranges, where the lock has no files for a machine.
# The CPU build of torch first, so that nothing later brings CUDA along.
install-newest:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --retries 0 torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu \
		|| $(BIN)/pip install --quiet torch==2.13.0
	$(BIN)/pip install --quiet -r requirements.txt
	@if $(BIN)/pip list 2>/dev/null | grep -q '^nvidia-'; then \
		echo "A CUDA build of torch was installed. Start again on the CPU build with:"; \
		echo "  rm -rf $(VENV) && make install-newest"; exit 1; fi
	$(BIN)/pip install --quiet --no-deps --editable .
	@touch $(VENV)/installed

install-dev: install $(VENV)/installed-dev

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.txt
	$(BIN)/pip install --quiet -r requirements-dev.txt
	@touch $@

# The locks, made anew after a change of requirements*.txt; with UPGRADE=--upgrade every version is the newest in its range.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --custom-compile-command "make lock" --no-emit-package torch -c requirements-torch.lock $(UPGRADE)
lock: install
	$(BIN)/pip install --quiet uv==0.13.9
	$(COMPILE) requirements.txt -o requirements.lock

licences: install
	$(BIN)/python bench/licences.py

# To a Hugging Face Space: make space SPACE=OWNER/NAME, with a token in HF_TOKEN; DRY=1 lists what would be sent.
ifdef DRY
space:
	$(PYTHON) .ci/space $(SPACE) --dry-run
else
space: install
	$(BIN)/python .ci/space $(SPACE)
endif

# The browser tests need Chromium, and fonts for CJK and emoji; installed where that is possible.
browser:
	@command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null || test -n "$$CHROMIUM" || { \
		echo "Installing Chromium from Debian's packages …"; \
		apt-get update -qq; export DEBIAN_FRONTEND=noninteractive; \
		apt-get install -y -qq chromium-headless-shell fonts-noto-color-emoji fonts-wqy-microhei >/dev/null \
		|| apt-get install -y -qq chromium fonts-noto-color-emoji fonts-wqy-microhei >/dev/null \
		|| { echo "Install Chromium (or set CHROMIUM to its path), then run make test again."; exit 1; }; }

# A real PostgreSQL for the tests of the store; without one they are skipped, and say so.
postgresql:
	@command -v pg_ctl >/dev/null || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 || { \
		echo "Installing PostgreSQL from Debian's packages …"; \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } >/dev/null 2>&1 \
		|| echo "No PostgreSQL could be installed: its tests are skipped."; }

check: install-dev
	$(BIN)/ruff check .
	$(BIN)/mypy

# What needs no browser first, as it fails sooner. PYTEST holds more options: PYTEST="--reruns 0".
# Servers and commands start a hundred times: compiled code is kept, whatever the environment says of it.
test test-core test-browser: export PYTHONDONTWRITEBYTECODE =
test: check test-core test-browser

# Five files at a time: many of these tests wait for a process.
test-core: install-dev postgresql
	$(BIN)/python -m pytest -m "not browser" -n 5 --dist loadfile --no-loadscope-reorder $(PYTEST)

# Three at a time: a browser keeps a processor busy.
test-browser: install-dev browser
	$(BIN)/python -m pytest -m browser -n 3 --dist loadfile $(PYTEST) $$(grep -rl --include='test_*.py' mark.browser tests)

# The same with 10,000 new examples a property and more kills: an hour or two.
test-long: PYTEST += --long --timeout 3000
test-long: test

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
