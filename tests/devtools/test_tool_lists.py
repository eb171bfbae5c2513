"""The tool lists of the corpus come out as the providers answered."""

from __future__ import annotations

import pytest

from conformance.model.exchange import Exchange
from devtools.tool_lists import Refused, judged, refused, report


@pytest.mark.usefixtures("corpus")
def test_what_providers_accepted_is_accepted_and_what_they_refused_is_refused_there() -> None:
    table = judged()
    assert table.failures == []
    assert table.requests > 4000
    assert sum(row.refused for row in table.rows.values()) == 2
    assert any(line.startswith("in all ") for line in report(table))


OPENAI = "Invalid schema for function 'f': In context=(), 'required' is required to be supplied and to be an array."
ANTHROPIC = "tools.4.custom.input_schema: For 'integer' type, property 'minimum' is not supported"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"message": OPENAI, "param": "tools[2].parameters"}, Refused(2, "required")),
        ({"message": ANTHROPIC}, Refused(4, "minimum")),
        ({"message": "tools[0].function.parameters: bad schema"}, Refused(0, None)),
        ({"message": "model not found"}, None),
    ],
)
def test_the_keyword_that_a_provider_named(error: dict[str, str], expected: Refused | None) -> None:
    request = {"url": "https://api.openai.com/v1/responses"}
    assert refused(Exchange.of({"request": request, "response": {"status": 400, "body": {"error": error}}})) == expected
    assert refused(Exchange.of({"request": request, "response": {"status": 200, "body": {"error": error}}})) is None
