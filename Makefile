# Two commands on a fresh machine: `make report` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
OUT    ?= runoff-report
SYSTEM := texlive-latex-recommended texlive-fonts-recommended texlive-publishers chromium

# uv takes a tenth of pip's time; where it does not find the packages, pip does.
INSTALL = @install() { $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode "$$@" 2>/dev/null || $(BIN)/python -m pip install --quiet "$$@"; }; install

# Byte code is kept even where the environment says not to: the workers of pytest and every command that a test starts would compile it again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: report test test-all test-long test-calibration test-random test-oldest test-bare system mutants rooms weight style check bench data calibration golden names notebook docs dist rehearsal workflows clean help

help:
	@echo "make report    the main job on the shipped data set, into $(OUT)/"
	@echo "make test      style, types, layers and all fast tests"
	@echo "make test-all  the same with the slow tests, LaTeX and browser"
	@echo "make test-long  the tests that take more than a minute each: laws over hundreds of designs, ten thousand damaged files, the site from a fresh clone"
	@echo "make test-calibration  error rates and coverage, by simulations of many minutes"
	@echo "make test-random  all fast tests in random order, with another hash seed, time zone, language, folder and number of workers (SEED=7 again)"
	@echo "make test-oldest  all fast tests with the oldest versions that pyproject.toml allows, in .venv-oldest/"
	@echo "make test-bare  all fast tests without numba, in .venv-bare/: kernels run interpreted, and what that makes too slow is left out"
	@echo "make system    what test-all needs of Debian beside Python, by apt-get as root: $(SYSTEM)"
	@echo "make mutants   small faults put into the code by cosmic-ray: which of 100 do the tests not notice? (MUTANTS='--n 60 --only src/runoff/reading', or of faults by hand: MUTANTS='--faults faults.json')"
	@echo "make rooms     the picture of the rooms of the package and the imports between them"
	@echo "make weight    how much there is to carry: lines, branches, type names defined twice, lines that a public function reaches (five seconds)"
	@echo "make bench     speeds, measured side by side (builds environments with rliable and tbparse)"
	@echo "make calibration  the error-rate atlas of the docs again (ten minutes)"
	@echo "make docs      the documentation as a site, into build/site; every example is executed, every link followed"
	@echo "make names     the page of all names, the tables of the contract, and the table in a docstring, from the code"
	@echo "make notebook  the notebook of examples/ again, with its outputs"
	@echo "make dist      the packages of a release, into dist/, with the checks of their metadata"
	@echo "make rehearsal  the same, installed into an empty environment and tried as a stranger would (PYTHONS='python3.12 python3.13')"
	@echo "make workflows  the workflows of .github/, audited by zizmor"
	@echo "make golden    the expected values of the tests again, from R, SciPy and statsmodels (ARGS=--check only compares; ARGS="--only python" needs no R)"
	@echo "make data      train the agents of the shipped data set again"

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "runoff needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "$(PYTHON) cannot make a virtual environment; on Debian install the package python3-venv" >&2; exit 2; }
	$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet uv 2>/dev/null || true
	@touch $@

$(VENV)/package.stamp: $(VENV)/python.stamp pyproject.toml
	$(INSTALL) --editable .
	@touch $@

$(VENV)/test.stamp: $(VENV)/package.stamp
	$(INSTALL) --editable '.[test]'
	@touch $@

report: $(VENV)/package.stamp
	$(BIN)/runoff demo -o $(OUT)

style: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

check: style
	$(BIN)/mypy

# Tests write tens of thousands of small files, which a disk is slow to remove: they lie in memory where two gigabytes of it are free.
MEMORY := $(shell test "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 2000000 2>/dev/null && echo /dev/shm)
PYTEST := $(MEMORY:%=TMPDIR=%) $(BIN)/python -m pytest $(MEMORY:%=-o tmp_path_retention_policy=failed)

# Rooms and types are checked on one core, then the contracts, whose one process parses the sources once, while the other runs the tests that
# compile most kernels, so that the two workers, who come after, need not compile each its own.
COMPILING := tests/kernels tests/inference/bootstrap
BESIDE := tests/contracts

test: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@{ $(BIN)/lint-imports && $(BIN)/mypy; types=$$?; RUNOFF_THREADS=1 $(PYTEST) -n 0 $(BESIDE); exit $$((types | $$?)); } \
	  >$(VENV)/beside.txt 2>&1 & beside=$$!; \
	$(PYTEST) -n 0 $(COMPILING); first=$$?; \
	$(PYTEST) -n 2 --dist worksteal $(COMPILING:%=--ignore=%) $(BESIDE:%=--ignore=%); tests=$$?; \
	wait $$beside; beside=$$?; echo rooms, types and contracts; cat $(VENV)/beside.txt; exit $$((first | tests | beside))

test-all test-long test-calibration: export RUNOFF_TESTS = all
test-all: check
	@command -v pdflatex >/dev/null || echo "pdflatex is not installed, so no LaTeX table will be compiled; on Debian, as root: make system" >&2
	@command -v chromium >/dev/null || echo "chromium is not installed, so no report will be opened in it; on Debian, as root: make system" >&2
	$(PYTEST) -n 2 --dist worksteal -m 'not calibration and not long'

test-long: $(VENV)/test.stamp
	$(PYTEST) -n 2 --dist worksteal -m long

test-calibration: $(VENV)/test.stamp
	$(PYTEST) -n 2 --dist worksteal -m calibration

test-random: $(VENV)/test.stamp
	$(BIN)/python -m tools.shuffled $(SEED)

.venv-oldest/stamp: pyproject.toml
	@$(PYTHON) -m venv .venv-oldest || \
	  { echo "$(PYTHON) cannot make a virtual environment; on Debian install the package python3-venv" >&2; exit 2; }
	.venv-oldest/bin/python -m pip install --quiet uv
	.venv-oldest/bin/uv pip install --quiet --python .venv-oldest/bin/python --resolution lowest-direct --editable '.[test]'
	@touch $@

# Old packages call what newer ones beneath them have deprecated.
test-oldest: export NUMBA_CACHE_DIR = .venv-oldest/numba
test-oldest: .venv-oldest/stamp
	.venv-oldest/bin/python -m pytest -n 2 -W ignore::DeprecationWarning $(ARGS)

.venv-bare/stamp: pyproject.toml
	@$(PYTHON) -m venv .venv-bare || \
	  { echo "$(PYTHON) cannot make a virtual environment; on Debian install the package python3-venv" >&2; exit 2; }
	.venv-bare/bin/python -m pip install --quiet uv
	.venv-bare/bin/uv pip install --quiet --python .venv-bare/bin/python --editable '.[test]'
	.venv-bare/bin/uv pip uninstall --quiet --python .venv-bare/bin/python numba llvmlite
	@touch $@

test-bare: .venv-bare/stamp
	.venv-bare/bin/python -m pytest -n 2 --dist worksteal $(ARGS)

system:
	apt-get install --yes --no-install-recommends $(SYSTEM)

$(VENV)/mutants.stamp: $(VENV)/test.stamp
	$(INSTALL) --editable '.[test,mutants]'
	@touch $@

mutants: $(VENV)/mutants.stamp
	$(BIN)/python -m tools.mutants $(MUTANTS)

rooms: $(VENV)/test.stamp
	$(BIN)/python -m tools.rooms

weight: $(VENV)/python.stamp
	@$(BIN)/python -m tools.weight

bench: $(VENV)/test.stamp
	$(BIN)/python benchmarks/run.py

calibration: $(VENV)/package.stamp
	$(BIN)/runoff study runoff/atlas -o build/atlas
	$(BIN)/runoff study runoff/atlas_power -o build/atlas_power
	$(BIN)/python docs/make_calibration.py build/atlas/table.csv build/atlas_power/table.csv
	$(BIN)/python -m docs.make_profile_calibration

names: $(VENV)/package.stamp
	$(BIN)/python docs/make_names.py
	$(BIN)/python docs/make_contract.py
	$(BIN)/python -m docs.make_schema

.venv-docs/stamp: pyproject.toml
	@$(PYTHON) -m venv .venv-docs || \
	  { echo "$(PYTHON) cannot make a virtual environment; on Debian install the package python3-venv" >&2; exit 2; }
	.venv-docs/bin/python -m pip install --quiet --editable '.[docs]'
	@touch $@

docs: .venv-docs/stamp
	.venv-docs/bin/python -m tools.site

.venv-dist/stamp:
	@$(PYTHON) -m venv .venv-dist || \
	  { echo "$(PYTHON) cannot make a virtual environment; on Debian install the package python3-venv" >&2; exit 2; }
	.venv-dist/bin/python -m pip install --quiet build twine cffconvert
	@touch $@

dist: .venv-dist/stamp
	rm -rf dist
	.venv-dist/bin/python -m build --outdir dist
	.venv-dist/bin/twine check --strict dist/*
	.venv-dist/bin/cffconvert --validate -i CITATION.cff

# The same Python by other names: make rehearsal PYTHONS='python3.11 python3.12 python3.13'.
rehearsal: dist
	.venv-dist/bin/python -m tools.rehearsal $(PYTHONS:%=--python %)

workflows: .venv-dist/stamp
	.venv-dist/bin/python -m pip install --quiet zizmor
	.venv-dist/bin/zizmor --offline --min-severity medium .github action.yml

.venv-data/stamp: examples/classic_control/requirements.txt
	$(PYTHON) -m venv .venv-data
	.venv-data/bin/python -m pip install --quiet -r $<
	@touch $@

data: .venv-data/stamp
	.venv-data/bin/python -m examples.classic_control.make_data

.venv-golden/stamp: tests/golden/requirements.txt
	@$(PYTHON) -m venv .venv-golden || \
	  { echo "$(PYTHON) cannot make a virtual environment; on Debian install the package python3-venv" >&2; exit 2; }
	@.venv-golden/bin/python -m pip install --quiet -r $< || \
	  { echo "make golden needs the Python packages of $<, which pip could not install" >&2; exit 2; }
	@touch $@

notebook: $(VENV)/test.stamp
	$(BIN)/python -m tools.notebook

golden:
	@$(PYTHON) tests/golden/needs.py $(ARGS)
	@$(MAKE) --silent --no-print-directory .venv-golden/stamp
	.venv-golden/bin/python -W ignore -m tests.golden.make $(ARGS)

clean:
	rm -rf $(VENV) .venv-data .venv-bench .venv-bench-logs .venv-docs .venv-golden build/site* build/dependencies .venv-oldest .venv-bare .venv-dist dist $(OUT)
