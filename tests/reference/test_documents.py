"""Documents of the reference server: each is written in the style that its dialect states, and changed as a value."""

from __future__ import annotations

import json

import pytest

from conformance.cassette.load import load_cassette
from conformance.model.document import DONE, INDENTED, SERVER_SENT, Document, Mark, Style, encoded
from conformance.model.document_changes import with_objects, with_values
from conformance.model.kept import Kept
from conformance.model.registry import claim
from conformance.model.rendered import Rendered
from conformance.reference.answering import answer_to
from conformance.reference.behaviours import all_behaviours
from conformance.scenario.load import all_scenarios
from tests.cassettes import PLAYED, SHIPPED
from tests.sampling import sample

ARRAY = Style(first="[", before=",", after="\n")


@pytest.mark.parametrize(
    ("documents", "chunks"),
    [
        ([Document({"a": "é"})], ['{"a":"é"}']),
        ([Document({"a": "x\ud800y"})], ['{"a":"x\\ud800y"}']),
        ([Document({"a": 1}, INDENTED)], ['{\n  "a": 1\n}']),
        ([Document({"a": [1, 2]}, Style(separators=(", ", ": "), after="\n"))], ['{"a": [1, 2]}\n']),
        ([Document(1, SERVER_SENT), DONE], ["data: 1\n\n", "data: [DONE]\n\n"]),
        ([Document({}, SERVER_SENT, "ping")], ["event: ping\ndata: {}\n\n"]),
        ([Document(1, ARRAY), Document(2, ARRAY), Mark("]")], ["[1\n", ",2\n", "]"]),
        ([Mark(": \n\n"), Document(1, ARRAY), Mark(""), Document(2, ARRAY)], [": \n\n", "[1\n", "", ",2\n"]),
        ([Document(None)], ["null"]),
    ],
)
def test_a_document_is_written_in_its_style(documents: list[Document | Mark], chunks: list[str]) -> None:
    assert [chunk.decode() for chunk in encoded(documents)] == chunks
    rendered = Rendered(200, (), tuple(documents))
    assert rendered.body == b"".join(rendered.chunks) == "".join(chunks).encode()


def test_an_array_without_its_first_element_is_still_an_array() -> None:
    elements = [Document(number, ARRAY) for number in range(3)]
    text = b"".join(encoded([*elements[1:], Mark("]")]))
    assert json.loads(text) == [1, 2]


def test_changes_leave_marks_as_they_are_and_keep_style_and_event() -> None:
    documents: list[Document | Mark] = [Document({"a": 1}, SERVER_SENT, "one"), Document([1], INDENTED), DONE]
    assert with_values(documents, lambda _: 0) == [Document(0, SERVER_SENT, "one"), Document(0, INDENTED), DONE]
    assert with_objects(documents, dict.keys)[1:] == documents[1:]


@pytest.mark.parametrize("dialect", sorted({cell.dialect for cell in PLAYED}))
def test_the_reference_server_gives_the_recorded_bytes_for_each_recorded_request(dialect: str) -> None:
    scenarios, compared = all_scenarios(), 0
    kept = Kept()
    cells = sample(
        (cell for cell in PLAYED if cell.dialect == dialect),
        lambda cell: cell.scenario.id,
        lambda cell: (cell.driver.name, cell.stream),
        risk="a request of one driver that the server answers otherwise, in one scenario",
    )
    for cell in cells:
        for exchange in load_cassette(SHIPPED / cell.relative_path).exchanges:
            found = claim(exchange.request)
            if exchange.request.in_frame:  # frames have no answer of their own over HTTP
                continue
            if found is not None and found.name != "mcp":  # an MCP server answers those
                rendered = answer_to(exchange.request, scenarios, kept=kept).delivery.rendered
                assert rendered.status == exchange.response.status
                content = exchange.response.body.content
                assert rendered.body == (content if isinstance(content, bytes) else content.encode())
                compared += 1
    assert compared


def test_a_behaviour_reaches_the_error_that_ends_a_completions_stream() -> None:
    path = SHIPPED / "qwen3" / "provider-errors" / "reference--openai--stream.yaml"
    request = next(
        exchange.request
        for exchange in load_cassette(path).exchanges
        if "[DONE]" in (exchange.response.body.text or "")
    )
    usual = answer_to(request, all_scenarios()).delivery.rendered
    assert [type(each) for each in usual.documents[-2:]] == [Document, Mark]
    gone = answer_to(request, all_scenarios(), (all_behaviours()["terminator-gone"],)).delivery.rendered
    assert gone.documents == usual.documents[:-1]
    new = answer_to(request, all_scenarios(), (all_behaviours()["field-new"],)).delivery.rendered
    assert [each.value["region"] for each in new.documents if isinstance(each, Document)] == ["kr-1"] * (
        len(usual.documents) - 1
    )
