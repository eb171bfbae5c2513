"""Runs with both sides of a client: what changes between the MCP server and the model is seen in each dialect."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.load import load_cassette
from conformance.dialects.mcp.bridge import has_text, spelled
from conformance.judge.checker import check
from conformance.model.exchange import Body, Exchange
from conformance.model.registry import claim
from tests.cassettes import SHIPPED

CASSETTES = sorted(path for path in SHIPPED.rglob("weather-over-mcp*/*.yaml"))
BRIDGED = {"mcp-bridged-schema-changed", "mcp-bridged-arguments-changed", "mcp-bridged-failure-dropped"}


def found(exchanges: list[Exchange]) -> list[tuple[str, int | None]]:
    return [(each.rule, each.exchange) for each in check(exchanges) if each.rule in BRIDGED]


def changed(body: Body, change: Any) -> Body:
    value = json.loads(json.dumps(body.json))
    change(value)
    return Body(json.dumps(value))


@pytest.mark.statement("MAP-008")
@pytest.mark.parametrize("path", CASSETTES, ids=lambda path: path.relative_to(SHIPPED).as_posix())
def test_other_arguments_are_found_whatever_the_model_speaks(path: Path) -> None:
    exchanges = list(load_cassette(path).exchanges)
    assert found(exchanges) == []
    [place] = [
        number
        for number, exchange in enumerate(exchanges)
        if isinstance(exchange.request.body.json, dict) and exchange.request.body.json.get("method") == "tools/call"
    ]

    def change(value: Any) -> None:
        value["params"]["arguments"]["latitude"] = 35.18

    request = exchanges[place].request
    exchanges[place] = replace(exchanges[place], request=replace(request, body=changed(request.body, change)))
    assert found(exchanges) == [("mcp-bridged-arguments-changed", place)]


def declares_tools(exchange: Exchange) -> bool:
    """Whether a request declares tools: that of ReWOO's solver does not, it gets the results of a finished plan."""
    dialect = claim(exchange.request)
    return dialect is not None and bool(
        dialect.readers.read_request(exchange.request, exchange.request.body.json).tools
    )


@pytest.mark.statement("MAP-004")
@pytest.mark.parametrize("path", CASSETTES, ids=lambda path: path.relative_to(SHIPPED).as_posix())
def test_a_parameter_that_the_model_is_not_told_of_is_found_in_every_request(path: Path) -> None:
    """The server's list is changed and not the requests, whose form differs: it asks for one parameter more."""
    exchanges = list(load_cassette(path).exchanges)
    listings = 0
    for number, exchange in enumerate(exchanges):
        text = exchange.response.body.text or ""
        if '"inputSchema"' in text:
            body = Body(text.replace('"latitude":', '"altitude":{"type":"number"},"latitude":', 1))
            assert body.text != text
            exchanges[number] = replace(exchange, response=replace(exchange.response, body=body))
            listings += 1
    assert listings
    asked = [
        number
        for number, exchange in enumerate(exchanges)
        if getattr(claim(exchange.request), "name", "mcp") != "mcp"
        and exchange.response.ok
        and declares_tools(exchange)
    ]
    assert asked
    assert found(exchanges) == [("mcp-bridged-schema-changed", asked[0])]  # later requests repeat the same tools


@pytest.mark.parametrize(
    ("content", "reported"),
    [
        ("No station here.", True),
        ("Error: No\n station   here. Try again.", True),
        ('{"error": {"text": "No station here."}}', True),
        ({"output": ["No station here."]}, True),
        ([{"type": "text", "text": "No station here."}], True),
        ("{broken", False),
        ("", False),
        (None, False),
        (14.2, False),
    ],
)
def test_the_server_s_words_are_found_in_any_wrapping(content: Any, reported: object) -> None:
    assert has_text(content, "No station here.") is reported


def test_a_spelling_that_providers_take_leads_to_the_same_name() -> None:
    assert spelled("admin.tools list") == spelled("admin_tools_list")
    assert spelled("a-b") != spelled("a_b")
