# Everything a newcomer needs: `make demo`, then `make test`; while working, `make quick`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools
PAGES  := $(if $(shell command -v npm),node_modules/.ready)

# The theme announces plans of its own at every build.
export NO_MKDOCS_2_WARNING = 1

.PHONY: demo test quick lint types imports unit docs gallery notebooks browser
.PHONY: test-peers test-cluster bench bench-compare bench-limit experiments clean

demo: $(READY)
	mkdir -p build
	$(BIN)/infoset describe poker
	$(BIN)/infoset solve poker --draw build/poker.svg
	$(BIN)/infoset solve poker ranks=8 --player gambler --plot build/bluff.png
	@echo 'The bluff is in build/bluff.png, the tree of poker in build/poker.svg.'
	@echo 'In the browser: $(BIN)/infoset view poker, and to play: $(BIN)/infoset play kuhn --web'

test: lint types imports unit docs

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Infoset needs Python 3.11 or later; try: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' -c constraints.txt
	$(BIN)/python -m pip install --quiet -e . -c constraints.txt
	touch $@

# What tests and pages need beside the program itself.
$(TOOLS): $(READY)
	$(BIN)/python -m pip install --quiet --group dev -e . -c constraints.txt
	touch $@

lint: $(TOOLS) $(PAGES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(if $(PAGES),npm run --silent check,@echo 'the modules of the pages are not checked: there is no npm')

# What checks the modules of the pages; they need nothing else from npm, and no build.
node_modules/.ready: package.json
	npm install --silent --no-fund --no-audit
	touch $@

types: $(TOOLS)
	$(BIN)/mypy

imports: $(TOOLS)
	$(BIN)/lint-imports

# The essential tests, in half a minute once the loops are compiled: every method, every command,
# published values, the language, strategies, files.
QUICK := tests/test_package.py tests/test_essentials.py tests/oracles/test_values.py \
	tests/oracles/test_bimatrix.py tests/rules/test_language.py tests/rules/test_replay.py \
	tests/tree/test_record.py tests/tree/test_facts.py tests/strategy/test_profile.py \
	tests/strategy/test_kuhn.py

quick: $(TOOLS)
	$(BIN)/pytest $(QUICK)

# The browser of the application's tests, which are skipped without one.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium >/dev/null; \
		else echo 'Install chromium, as by: sudo apt-get install chromium'; exit 1; fi; }

# Three files of tests at a time, since some wait for browsers and other processes. The files with
# doctests come last, which are short, so that no process is left alone at the end.
unit: $(TOOLS)
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

docs: $(TOOLS)
	$(BIN)/mkdocs build --strict --site-dir build/site

# The pictures of the pages and of the README, and the outputs of the notebooks.
gallery: browser $(TOOLS)
	$(BIN)/python docs/pictures.py

notebooks: $(TOOLS)
	$(BIN)/python docs/notebooks/run.py

# The peers are large (pygambit compiles for minutes), so they stay out of the ordinary install.
$(VENV)/.peers: $(TOOLS)
	$(BIN)/python -m pip install --quiet open_spiel LiteEFG pygambit==16.7.0 'endplay>=0.5' -c constraints.txt
	touch $@

# OpenSpiel's linear programs are solved by what it does not install itself.
$(VENV)/.programs: $(VENV)/.peers
	$(BIN)/python -m pip install --quiet cvxpy ecos -c constraints.txt
	touch $@

# Ray and Dask, of which each is larger than the program itself.
$(VENV)/.cluster: $(TOOLS)
	$(BIN)/python -m pip install --quiet -e '.[cluster]' -c constraints.txt
	touch $@

# Starts a Ray and a Dask on this machine, and kills processes of theirs: a minute or two.
test-cluster: $(VENV)/.cluster
	$(BIN)/pytest tests/cluster

test-peers: $(VENV)/.peers test-cluster
	$(BIN)/pytest tests/peers

bench: browser $(VENV)/.programs
	$(BIN)/python benchmarks/tree
	$(BIN)/python benchmarks/solve
	$(BIN)/python benchmarks/analysis
	$(BIN)/python benchmarks/play
	$(BIN)/python benchmarks/play/aivat.py
	$(BIN)/python benchmarks/play/quality.py
	$(BIN)/python benchmarks/web
	$(BIN)/python benchmarks/bridge
	$(BIN)/python benchmarks/equilibria
	$(BIN)/python benchmarks/equilibria/figures.py
	$(BIN)/python benchmarks/regret --plot docs/textbook/figures/regret-leduc.svg
	$(BIN)/python benchmarks/search --plot docs/textbook/figures/imp-study.svg
	$(BIN)/python benchmarks/public --rhode-island --plot docs/textbook/figures/public-growth.svg

# make bench-compare BEFORE=../other-checkout: is anything slower than it was there?
bench-compare: $(READY)
	$(BIN)/python benchmarks/compare.py $(BEFORE)

# Grows poker until ten minutes or 24 GiB run out: some hours.
bench-limit: $(READY)
	$(BIN)/python benchmarks/solve --limit

experiments: $(READY)
	$(BIN)/python benchmarks/solve/experiments.py
	$(BIN)/python benchmarks/public/outcomes.py

clean:
	rm -rf $(VENV) node_modules build .mypy_cache .ruff_cache .pytest_cache .hypothesis
