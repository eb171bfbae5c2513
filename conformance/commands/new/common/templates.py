"""The files that `conformance new` writes."""

from __future__ import annotations

SCHEMA = "scenario.schema.json"
"""The name of the schema's copy beside the scenarios, by which editors check and complete them."""

SCENARIO = """\
# yaml-language-server: $schema={schema}
id: {name}
summary: One question, one tool call, and an answer that needs the tool's result.

# The first message. It must differ from that of every other scenario.
user: What is the status of order 1042? (scenario {name})

# Optional, before the first message:
# system: You answer in one sentence.
# options: {{max_tokens: 500, tool_choice: get_order}}

tools:
  - name: get_order
    description: Get the status of an order.
    # A JSON Schema. Leave it out for a tool without arguments.
    parameters:
      type: object
      properties:
        number:
          type: integer
          description: The number of the order.
      required: [number]
      additionalProperties: false
    # The tool's results: the first entry whose `when` matches the arguments. Also possible in `when`:
    #   {{about: 37.5, within: 0.5}}   a number with a tolerance
    #   {{one_of: [a, b]}}             one of several values
    returns:
      - when: {{number: 1042}}
        result: {{status: shipped, carrier: DHL}}
      - error: There is no such order.

# The turns of the reference server's model. Live models ignore them.
# {{get_order.status}} is a field of the tool's result; {{get_order[0].status}} names the first of several results.
model:
  - calls:
      - tool: get_order
        arguments: {{number: 1042}}
  - text: Order 1042 is {{get_order.status}}, with {{get_order.carrier}}.

# What a run must do. A recording that does not do it is rejected. One or several of: tool-call, parallel-tool-calls,
# sequential-tool-calls, no-tool-call, tool-error, unknown-tool, truncation, reasoning, provider-error.
exercise: [tool-call]

# What must be true at the end, also for a live model.
expect:
  calls:
    - tool: get_order
      arguments: {{number: 1042}}
  answer:
    contains: ["{{get_order.status}}"]
"""

CONFIGURATION = """\
# Settings of conformance; `conformance config` shows the effective ones.
scenarios = ["scenarios"]
cassettes = "cassettes"
"""

CASSETTES = """\
# Cassettes

The recordings of the scenarios in `../scenarios`. To write or replace those of one scenario:

    conformance record --scenario first-call

To record from a provider, add `--target NAME`; `conformance record --help` has an example.
"""

REQUIREMENTS = """\
# What the job .github/workflows/conformance.yml installs. Pin the SDKs that you use here, too.
tool-use-conformance[all]=={version}
"""

WORKFLOW = """\
# On every push and pull request: replays the cassettes, without a key and without a provider.
name: conformance

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

concurrency:
  group: conformance-${{ github.ref }}
  cancel-in-progress: true

jobs:
  replay:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0
        with:
          python-version: "3.12"
          cache: pip
          cache-dependency-path: requirements-conformance.txt
      - name: Install
        run: python -m pip install -r requirements-conformance.txt
      - name: Replay
        run: conformance replay --format github
"""
