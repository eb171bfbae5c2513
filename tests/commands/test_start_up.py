"""What the program loads before a verdict: only what the verdict needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from conformance.model.registry import all_dialects, layers_of
from tests.cassettes import SHIPPED

_RUN = """
import sys
from conformance.commands import main
try:
    main()
finally:
    print(*sys.modules, sep="\\n", file=sys.stderr)
"""
_READS = {"readers", "contract"}
"""The modules of a dialect's package that read or judge an exchange, beside its rules."""
_NEVER = {
    *("openai", "anthropic", "google.genai", "langchain_core", "vcr", "httpx", "httpx2", "h11", "rich", "jsonschema"),
    *("conformance.contract.statements", "conformance.judge.proofs", "conformance.cassette.redact"),
    *("conformance.matrix", "conformance.drivers", "conformance.scenario", "conformance.reference"),
}
_FORMATS = {"genai", "langchain", "messages"}
"""Readers that only other formats need."""

pytestmark = pytest.mark.process


def _loaded(*words: str) -> set[str]:
    """The modules that a run of the program has loaded at its end, if it ends with 0."""
    done = subprocess.run([sys.executable, "-c", _RUN, *words], capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines())


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-responses", "anthropic-messages", "gemini", "react"])
def test_a_verdict_loads_its_dialects_and_no_other(dialect: str) -> None:
    loaded = _loaded("check", str(min((SHIPPED / dialect / "tool-error").glob("*.yaml"))))
    own = {each.package for each in layers_of(dialect)}
    assert all(f"{package}.readers" in loaded for package in own)
    for package in {each.package for each in all_dialects().values()} - own:
        parts = {name.removeprefix(f"{package}.") for name in loaded if name.startswith(f"{package}.")}
        assert not parts & _READS
        assert not {part for part in parts if part.startswith("rules") and part != "rules_shared"}


def test_a_verdict_loads_nothing_that_it_does_not_need() -> None:
    loaded = _loaded("check", str(min((SHIPPED / "openai-chat" / "weather").glob("*.yaml"))))
    assert loaded & _NEVER == set()
    assert {
        name for name in loaded if name.rpartition(".")[2] in ("sdk_types", "render", "behaviours", "proofs")
    } == set()
    assert {name.removeprefix("conformance.inputs.") for name in loaded} & _FORMATS == set()
    reports = {name.rpartition(".")[2] for name in loaded if name.startswith("conformance.report.")}
    assert {name for name in reports if name.endswith("_report")} == {"text_report"}


def test_the_explanation_of_a_statement_loads_no_contract() -> None:
    loaded = _loaded("explain", "LCB-Q-003")
    assert {name for name in loaded if name.endswith((".contract.request", ".contract.reply"))} == set()


def test_the_help_loads_neither_inputs_nor_judge() -> None:
    loaded = _loaded("--help")
    assert {name for name in loaded if name.startswith(("conformance.judge.", "conformance.inputs."))} == set()
