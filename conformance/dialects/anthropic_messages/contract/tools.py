"""Tools and tool choice of a Messages request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.contract.nodes import Foreign, Node, Object
from conformance.contract.notation import *
from conformance.dialects.anthropic_messages.contract.common import CACHE, CITED, NAME, sent
from conformance.dialects.anthropic_messages.contract.places import BEDROCK
from conformance.dialects.anthropic_messages.contract.schemas import STRICT_SCHEMA
from conformance.model.finding import Severity

BROKEN_TOOL = cite("ANT-Q-004", rule="messages-tool-malformed", refused=400)
_EXTRA = cite(
    "ANT-Q-004",
    Severity.WARNING,
    because="every beta adds fields that are then accepted",
    rule="messages-tool-malformed",
    refused=400,
)
_ELSEWHERE = cite("ANT-Q-004", rule="messages-tool-malformed", refused=400)
_NAMED = cite("ANT-Q-005", rule="messages-tool-name-invalid", refused=400)
_UNION = cite("ANT-Q-006", rule="messages-tool-schema-union-unsupported", refused=400)
_OWN_NAME = cite("ANT-Q-004", rule="messages-server-tool-name-missing", refused=400)

# Client tools -------------------------------------------------------------------------------------------------------
_CALLERS = may(
    array(
        known("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521"),
        unique=True,
    )
)
_EVERY = {"allowed_callers": _CALLERS, "cache_control": CACHE, "defer_loading": may(boolean), "strict": may(boolean)}
_NO_UNION = foreign(_UNION, oneOf="one object", anyOf="one object", allOf="one object")
SCHEMA = obj(
    {"missing": BROKEN_TOOL, "type": BROKEN_TOOL, "value": BROKEN_TOOL},
    _NO_UNION,
    type=need(word("object")),
    properties=may(mapping()),
    required=may(array(text())),
)
"""The root of a tool's schema; the rules about schemas cover what is below it."""
_CUSTOM = sent(
    {"missing": BROKEN_TOOL, "type": BROKEN_TOOL, "unknown": _EXTRA},
    _EVERY,
    foreign(
        _ELSEWHERE, parameters="`input_schema`", inputSchema="`input_schema`", function="`name` and `input_schema`"
    ),
    type=may(word("custom"), value=BROKEN_TOOL),
    name=need(text(pattern=NAME), pattern=_NAMED),
    description=may(text()),
    input_schema=need(SCHEMA),
    eager_input_streaming=may(boolean),
    input_examples=may(array(mapping())),
)
_STRICT = obj(
    STRICT_SCHEMA,
    {"missing": BROKEN_TOOL, "type": BROKEN_TOOL},
    _NO_UNION,
    type=need(word("object"), BROKEN_TOOL),
)
CUSTOM = cases(
    (is_("strict", True), obj(_CUSTOM, input_schema=need(_STRICT))),
    otherwise=_CUSTOM,
)

# Server tools -------------------------------------------------------------------------------------------------------
_USES = may(integer(1))
_NO_OPTION = cite("ANT-Q-061", refused=400)
_DOMAINS = {"allowed_domains": may(array(text(1))), "blocked_domains": may(array(text(1)))}
_LOCATION = may(
    by(
        approximate=sent(
            city=may(text(1, 255)),
            country=may(text(2, 2)),
            region=may(text(1, 255)),
            timezone=may(text(1, 255)),
        ),
    )
)
_ONE_LIST = excludes("allowed_domains", "blocked_domains")
_INCLUDED = {"response_inclusion": may(word("full", "excluded"))}
_SOME = {"tools": need(array(by(tool_reference=sent(name=need(text(1))))))}
_SOURCES: Mapping[str, Node] = {"all": sent(), "none": sent(), "only": sent(_SOME), "except": sent(_SOME)}
_URL_SOURCES = sent(
    client_tool_results=may(by(_SOURCES)),
    server_tool_results=may(by(_SOURCES)),
    user_input=may(by(all=sent(), none=sent())),
)
_SEARCH: Mapping[str, Any] = {**_DOMAINS, "max_uses": _USES, "user_location": _LOCATION}
_FETCH: Mapping[str, Any] = {
    **_DOMAINS,
    "max_uses": _USES,
    "citations": may(CITED),
    "max_content_tokens": may(integer(1)),
    "url_sources": may(_URL_SOURCES),
}
_CACHED = {"use_cache": may(boolean)}
_EXAMPLES = {"input_examples": may(array(mapping()))}
_SCREEN = {
    **_EXAMPLES,
    "display_height_px": need(integer(1)),
    "display_width_px": need(integer(1)),
    "display_number": may(integer(0)),
}


_NOT_ON_BEDROCK = ("web_search", "web_fetch", "code_execution", "advisor")
_ELSEWHERE_ONLY = refusal("ANT-Q-004", Severity.WARNING, because="a gateway may run the server's tool itself")


def _tool(name: str, *rows: Any, **more: Any) -> Object:
    """A server tool with its own name."""
    own = need(word(name), missing=_OWN_NAME, type=_OWN_NAME, value=_OWN_NAME)
    if name in _NOT_ON_BEDROCK:
        more["type"] = first(
            need(Foreign("a client tool", "a server tool", _ELSEWHERE_ONLY), only=BEDROCK),
            need(text(1)),
        )
    return sent(_EVERY, *rows, name=own, **more)


_MEMBERS = "key hold_key type mouse_move left_mouse_down left_mouse_up left_click left_click_drag right_click"
_MEMBERS += " middle_click double_click triple_click scroll wait screenshot zoom"
_ON_PAGES = "navigate list_tabs new_tab switch_tab close_tab read_page get_page_text read_console read_network find"
_ON_PAGES += " form_input file_upload scroll_to hover javascript_exec"


def _toolset(members: str) -> Object:
    """An entry that refuses every other option, however new."""
    config = may(sent(defer_loading=may(boolean), enabled=may(boolean)))
    configs = obj(closed, dict.fromkeys(members.split(), config))
    callers = may(array(word("direct")))
    return obj(closed, {"unknown": _NO_OPTION}, cache_control=CACHE, configs=may(configs), allowed_callers=callers)


_MCP_CONFIG = sent(defer_loading=may(boolean), enabled=may(boolean))
_MCP_TOOL = sent(name=need(text(1)), input_schema=need(mapping()), description=may(text()))
PROVIDED: Mapping[str, Node] = {
    **dict.fromkeys(("bash_20241022", "bash_20250124"), _tool("bash", _EXAMPLES)),
    **dict.fromkeys(("text_editor_20241022", "text_editor_20250124"), _tool("str_replace_editor", _EXAMPLES)),
    "text_editor_20250429": _tool("str_replace_based_edit_tool", _EXAMPLES),
    "text_editor_20250728": _tool("str_replace_based_edit_tool", _EXAMPLES, max_characters=may(integer(1))),
    "memory_20250818": _tool("memory", _EXAMPLES),
    **dict.fromkeys(("computer_20241022", "computer_20250124"), _tool("computer", _SCREEN)),
    "computer_20251124": _tool("computer", _SCREEN, enable_zoom=may(boolean)),
    **dict.fromkeys(
        (f"code_execution_{day}" for day in ("20250522", "20250825", "20260120", "20260521")), _tool("code_execution")
    ),
    **dict.fromkeys(("web_search_20250305", "web_search_20260209"), _tool("web_search", _ONE_LIST, _SEARCH)),
    "web_search_20260318": _tool("web_search", _ONE_LIST, _SEARCH, _INCLUDED),
    **dict.fromkeys(("web_fetch_20250910", "web_fetch_20260209"), _tool("web_fetch", _ONE_LIST, _FETCH)),
    "web_fetch_20260309": _tool("web_fetch", _ONE_LIST, _FETCH, _CACHED),
    "web_fetch_20260318": _tool("web_fetch", _ONE_LIST, _FETCH, _CACHED, _INCLUDED),
    **{
        kind: _tool(f"tool_search_tool_{form}")
        for form in ("bm25", "regex")
        for kind in (f"tool_search_tool_{form}", f"tool_search_tool_{form}_20251119")
    },
    "advisor_20260301": _tool(
        "advisor", model=need(text(1)), caching=CACHE, max_tokens=may(integer(1024)), max_uses=_USES
    ),
    "computer_toolset_20260801": _toolset(f"{_MEMBERS} cursor_position"),
    "browser_toolset_20260801": _toolset(f"{_MEMBERS} {_ON_PAGES}"),
    "mcp_toolset": sent(
        mcp_server_name=need(text(1, 255)),
        configs=may(mapping(_MCP_CONFIG)),
        default_config=may(_MCP_CONFIG),
        tools=may(array(_MCP_TOOL)),
        cache_control=CACHE,
    ),
}
TOOL = cases(
    (
        "type",
        by_known(custom=CUSTOM, function=obj(type=need(word("custom"), value=BROKEN_TOOL)), **PROVIDED),
    ),
    otherwise=CUSTOM,
)
TOOLS = array(TOOL)

# The choice ---------------------------------------------------------------------------------------------------------
_CHOICE = cite("ANT-Q-008", rule="messages-tool-choice-invalid", refused=400)
_MORE = cite(
    "ANT-Q-010",
    Severity.WARNING,
    because="every beta adds fields that are then accepted",
    rule="messages-tool-choice-invalid",
    refused=400,
)
_SERIAL = {"disable_parallel_tool_use": may(boolean)}
TOOL_CHOICE = by(
    _CHOICE,
    auto=sent(_CHOICE, {"unknown": _MORE}, _SERIAL),
    any=sent(_CHOICE, {"unknown": _MORE}, _SERIAL),
    tool=sent(_CHOICE, {"unknown": _MORE}, _SERIAL, name=need(text(1))),
    none=sent(_CHOICE, {"unknown": _MORE}),
)
