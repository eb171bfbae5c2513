"""The page of keywords is what the profiles and contracts say, and every probe asks what it means to ask."""

from __future__ import annotations

import jsonschema
import pytest

from conformance.model.pointer import MISSING, get
from conformance.profiles.tool_variants import Outcome, all_variants
from devtools.places import ROOT
from devtools.tool_page import lines
from devtools.tool_probes import PROBES, Probe, answer


def test_the_page_is_current() -> None:
    page = (ROOT / "docs" / "tables" / "tool-schemas.md").read_text(encoding="utf-8")
    assert page == "\n".join(lines()).rstrip() + "\n", "run `make tables`"


@pytest.mark.parametrize("probe", PROBES, ids=[each.label for each in PROBES])
def test_a_probe_has_its_keyword_at_its_place(probe: Probe) -> None:
    jsonschema.Draft202012Validator.check_schema(probe.schema)
    assert get(probe.schema, probe.at) is not MISSING
    assert probe.at.endswith(f"/{probe.keyword}")


@pytest.mark.parametrize(
    ("label", "variant", "outcome"),
    [
        ("`minimum`", "anthropic/messages-strict", Outcome.REFUSED),
        ("`minimum`", "openai/chat-strict", Outcome.ACCEPTED),
        ("`minimum`", "llama-cpp/grammar", Outcome.IGNORED),
        ("`const`", "google/3", Outcome.REFUSED),
        ("`oneOf`", "xai/chat", Outcome.REWRITTEN),
        ("`x-…` (extensions)", "openai/chat-strict", Outcome.UNKNOWN),
    ],
)
def test_an_answer_comes_from_the_contract_or_from_a_row(label: str, variant: str, outcome: Outcome) -> None:
    [probe] = [each for each in PROBES if each.label == label]
    found = answer(probe, all_variants()[variant])
    assert found.outcome is outcome
    assert (found.evidence is None) is (outcome is Outcome.UNKNOWN)
