"""Tools and tool choice, as a client declares them and as a server echoes them."""

from __future__ import annotations

from conformance.contract.citation import Citations
from conformance.contract.nodes import Foreign, Node, Object
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract.places import ELSEWHERE, NO_TYPE, RESEARCH, SENT, SHOWN, Way
from conformance.model.finding import Severity

_MALFORMED = cite("OAR-Q-001", rule="responses-tool-malformed", refused=400)
SHAPE: Citations = dict.fromkeys(("missing", "type"), _MALFORMED)
_NAMED = cite("OAR-Q-002", rule="responses-tool-name-invalid", refused=400)
_NAME = need(text(pattern="[a-zA-Z0-9_-]{1,128}"), SHAPE, pattern=_NAMED, empty=_NAMED)
_UNSAID = cite(
    "OAR-Q-004",
    Severity.INFO,
    because="40 recorded requests and most clients leave it out, and the server chooses",
    rule="responses-strict-missing",
)
_EFFORT = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

# Functions --------------------------------------------------------------------------------------------------------
_PARAMETERS = obj(type=may(word("object"), null=_MALFORMED), properties=may(mapping()))
"""The root of a schema; the rules about schemas cover what is below it."""
_CALLERS = may(array(word("direct", "programmatic"), 1))
_FUNCTION = obj(
    name=_NAME,
    description=may(text(), SHAPE),
    parameters=may(_PARAMETERS, SHAPE),  # the document requires it; 161 tools without it were accepted
    strict=should(boolean | null, SHAPE, missing=_UNSAID),
    output_schema=may(mapping()),
    defer_loading=may(boolean),
    allowed_callers=_CALLERS,
    **{"async": may(boolean)},
)
_CUSTOM = obj(
    name=_NAME,
    description=may(text(), SHAPE),
    format=may(by(text=obj(), grammar=obj(syntax=need(word("lark", "regex")), definition=need(text(1))))),
    defer_loading=may(boolean),
    allowed_callers=_CALLERS,
    **{"async": may(boolean)},
)
_NESTED = refusal("OAR-Q-001", rule="responses-tool-fields-misplaced")
# With a name at the top level too, OpenAI accepted 140 of them, and read a tool without parameters.
_CHAT_S = obj(function=may(Foreign("`name` and `parameters` beside `type`"), _NESTED))
DECLARED: dict[str, Node] = {
    "function": cases(("function", _CHAT_S), otherwise=_FUNCTION),
    "custom": cases(("custom", obj(custom=may(Foreign("`name` beside `type`"), _NESTED))), otherwise=_CUSTOM),
}
_SHOWN_FORMAT = by_known(text=obj(), grammar=obj(syntax=should(known("lark", "regex")), definition=should(text())))
_SHOWN: dict[str, Node] = {
    "function": obj(
        name=need(text(1)),
        description=may(text() | null),
        parameters=should(mapping() | null),
        strict=should(boolean | null),
        output_schema=may(mapping() | null),
        defer_loading=may(boolean | null),
        allowed_callers=may(array(known("direct", "programmatic")) | null),
        **{"async": may(boolean | null)},
    ),
    "custom": obj(
        name=need(text(1)),
        description=may(text() | null),
        format=may(_SHOWN_FORMAT | null),
        defer_loading=may(boolean | null),
        allowed_callers=may(array(known("direct", "programmatic")) | null),
        **{"async": may(boolean | null)},
    ),
}

# Parts of hosted tools --------------------------------------------------------------------------------------------
_FILTER: Node = later(
    "responses-filter",
    lambda: by(
        {
            **dict.fromkeys(("and", "or"), obj(filters=need(array(_FILTER)))),
            **dict.fromkeys(
                ("eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"),
                obj(key=need(text()), value=need(text() | number() | boolean | array(text() | number()))),
            ),
        },
    ),
)
_POLICY = by(
    disabled=obj(),
    allowlist=obj(
        allowed_domains=need(array(text(), 1)),
        domain_secrets=may(array(obj(domain=need(text(1)), name=need(text(1)), value=need(text(1, 10_485_760))), 1)),
    ),
)


def _container(way: Way) -> Object:
    return obj(
        file_ids=way.may(array(text(), 0, 50)),
        memory_limit=way.may(way.word("1g", "4g", "16g", "64g")),
        network_policy=way.may(_POLICY),
    )


_SKILL_SOURCE = obj(
    type=need(word("base64")),
    media_type=need(word("application/zip")),
    data=need(text(1, 70_254_592)),
)
_SKILL = by(
    skill_reference=obj(skill_id=need(text(1, 64)), version=may(text())),
    inline=obj(name=need(text(1)), description=need(text()), source=need(_SKILL_SOURCE)),
)
_LOCAL_SKILL = obj(name=need(text(1)), description=need(text()), path=need(text()))


def environments(way: Way) -> dict[str, Node]:
    """The environments of a shell, by type."""
    return {
        "container_auto": obj(_container(way), skills=way.may(array(_SKILL, 0, 200))),
        "local": obj(skills=way.may(array(_LOCAL_SKILL, 0, 200))),
        "container_reference": obj(container_id=need(text(1))),
    }


_PLACE = obj(
    type=may(word("approximate")),
    country=may(text() | null),
    region=may(text() | null),
    city=may(text() | null),
    timezone=may(text() | null),
)
_MCP_FILTER = obj(closed, tool_names=may(array(text())), read_only=may(boolean))


# Hosted tools -----------------------------------------------------------------------------------------------------
def _hosted(way: Way) -> dict[str, Node]:
    callers = way.may(array(way.word("direct", "programmatic"), 1))
    size = way.may(way.word("low", "medium", "high"))
    search = obj(
        external_web_access=way.may(boolean),
        filters=way.may(obj(allowed_domains=may(array(text()) | null))),
        user_location=way.may(_PLACE),
        search_context_size=size,
    )
    preview = obj(
        user_location=way.may(obj(_PLACE, type=way.must(word("approximate")))),
        search_context_size=size,
        search_content_types=way.may(array(way.word("text", "image"))),
    )
    ranking_options = obj(
        ranker=way.may(way.word("auto", "none", "default-2024-11-15", "default_2024_08_21")),
        score_threshold=way.may(number(0, 1)),
        hybrid_search=way.may(obj(embedding_weight=need(number()), text_weight=need(number()))),
    )
    return {
        **dict.fromkeys(("web_search", "web_search_2025_08_26"), search),
        **dict.fromkeys(("web_search_preview", "web_search_preview_2025_03_11"), preview),
        "file_search": obj(
            vector_store_ids=way.must(array(text(1))),
            max_num_results=way.may(integer(1, 50)),
            ranking_options=way.may(ranking_options),
            filters=way.may(_FILTER),
        ),
        "computer": obj(),
        **dict.fromkeys(
            ("computer_use_preview", "computer-preview"),
            obj(
                environment=way.must(way.word("windows", "mac", "linux", "ubuntu", "browser")),
                display_width=way.must(integer()),
                display_height=way.must(integer()),
            ),
        ),
        "mcp": obj(
            server_label=way.must(text(1)),
            server_url=way.may(text(1)),
            connector_id=way.may(
                way.word(
                    *("connector_dropbox", "connector_gmail", "connector_googlecalendar", "connector_googledrive"),
                    *("connector_microsoftteams", "connector_outlookcalendar", "connector_outlookemail"),
                    "connector_sharepoint",
                )
            ),
            tunnel_id=way.may(text(pattern="tunnel_[a-z0-9]{32}")),
            authorization=way.may(text()),
            server_description=way.may(text()),
            headers=way.may(mapping(text())),
            allowed_tools=way.may(array(text()) | _MCP_FILTER),
            require_approval=way.may(
                way.word("always", "never") | obj(closed, always=way.may(_MCP_FILTER), never=way.may(_MCP_FILTER))
            ),
            defer_loading=way.may(boolean),
            allowed_callers=callers,
        ),
        "code_interpreter": obj(container=way.must(text(1) | by(auto=_container(way))), allowed_callers=callers),
        "programmatic_tool_calling": obj(),
        "image_generation": obj(
            model=way.may(text(1)),
            quality=way.may(way.word("low", "medium", "high", "xhigh", "max", "auto")),
            size=way.may(text(1)),
            output_format=way.may(way.word("png", "webp", "jpeg", "gif", "svg")),
            output_compression=way.may(integer(0, 100)),
            moderation=way.may(way.word("auto", "low")),
            background=way.may(way.word("transparent", "opaque", "auto")),
            input_fidelity=way.may(way.word("high", "low")),
            input_image_mask=way.may(obj(closed, image_url=way.may(text(1)), file_id=way.may(text(1)))),
            partial_images=way.may(integer(0, 3)),
            action=way.may(way.word("generate", "edit", "auto")),
            complexity=way.may(way.word("low", "medium", "high")),
            frame_count=way.may(integer()),
            frame_duration_ms=way.may(integer()),
            svg=way.may(obj(model=way.may(text(1)), reasoning=way.may(obj(effort=way.may(way.word(*_EFFORT)))))),
        ),
        "local_shell": obj(),
        "shell": obj(environment=way.may(by(environments(way))), allowed_callers=callers),
        "apply_patch": obj(allowed_callers=callers),
        "tool_search": obj(
            execution=way.may(way.word("server", "client")),
            description=way.may(text()),
            parameters=way.may(mapping()),
        ),
    }


_HOSTED = _hosted(SENT)
_MCP = obj(
    some_of(
        "server_url",
        "connector_id",
        "tunnel_id",
        cite=cite("OAR-Q-001", Severity.WARNING, because="the documents ask for one of them; no refusal is known"),
    ),
    _HOSTED["mcp"] if isinstance(_HOSTED["mcp"], Object) else obj(),
)
_SEARCH_TOOL = obj(
    needs(
        "parameters",
        "execution",
        cite=cite(severity=Severity.WARNING, because="the documents ask for it; no refusal is known"),
    ),
    _HOSTED["tool_search"] if isinstance(_HOSTED["tool_search"], Object) else obj(),
)
_FURTHER: dict[str, Node] = {"x_search": obj()}
"""Hosted tools of other providers: xAI's search, recorded 1 with 200."""
_TAG = {**SHAPE, "value": _MALFORMED}
_TAG_ELSEWHERE = {
    **SHAPE,
    "value": cite("OAR-Q-001", Severity.WARNING, because="other servers have tools of their own"),
}
_KINDS: dict[str, Node] = {
    **DECLARED,
    **_HOSTED,
    "mcp": _MCP,
    "tool_search": _SEARCH_TOOL,
    "namespace": obj(
        name=need(text(1), SHAPE),
        description=need(text(), SHAPE),
        tools=need(array(by(DECLARED, _TAG), 1), SHAPE),
    ),
}
TOOL = by(_KINDS, _TAG)
_NO_RESEARCH = refusal("OAR-Q-001")
_RESEARCH = by(
    {
        name: _KINDS[name]
        for name in (
            *("web_search_preview", "web_search_preview_2025_03_11", "web_search", "web_search_2025_08_26"),
            *("code_interpreter", "mcp", "file_search"),
        )
    },
    {**SHAPE, "value": _NO_RESEARCH},
)
_TYPE = cite("OAR-Q-001", rule="responses-request-field-wrong-type", refused=400)
TOOLS = first(
    may(array(by_known({**_KINDS, **_FURTHER}, _TAG_ELSEWHERE)), {"type": _TYPE}, only=ELSEWHERE),
    may(array(_RESEARCH), {"type": _TYPE}, only=RESEARCH),
    may(array(TOOL), {"type": _TYPE}),
)
LATE_TOOLS = array(TOOL)
"""Tools in an item of the input."""
ECHOED = array(
    by_known(
        NO_TYPE,
        _SHOWN,
        _hosted(SHOWN),
        _FURTHER,
        namespace=obj(name=need(text(1)), description=should(text()), tools=should(array(by_known(_SHOWN)))),
    )
)

# Choice -----------------------------------------------------------------------------------------------------------
_UNKNOWN = cite("OAR-Q-005", rule="responses-tool-choice-invalid", refused=400)
_CHOICE: Citations = {"missing": _UNKNOWN, "type": _UNKNOWN, "value": _UNKNOWN, "empty": _UNKNOWN}
_ONE = {"name": need(text(1))}
_CHOICES_TOOL = by_some(function=obj(_ONE), custom=obj(_ONE), mcp=obj(server_label=need(text(1))))
_CHOICES: dict[str, Node] = {
    "function": obj(_CHOICE, _ONE),
    "custom": obj(_CHOICE, _ONE),
    "mcp": obj(server_label=need(text(1)), name=may(text() | null)),
    "allowed_tools": obj(
        _CHOICE,
        mode=need(word("auto", "required")),
        tools=need(array(_CHOICES_TOOL)),
    ),
    **dict.fromkeys(
        (
            *("file_search", "web_search", "web_search_2025_08_26", "web_search_preview"),
            *("web_search_preview_2025_03_11", "computer", "computer_use", "computer_use_preview"),
            *("image_generation", "code_interpreter", "programmatic_tool_calling", "apply_patch", "shell"),
            *("local_shell", "tool_search"),
        ),
        obj(),
    ),
}
TOOL_CHOICE = word("none", "auto", "required") | by(_CHOICES, _CHOICE)
SHOWN_CHOICE = known("none", "auto", "required") | by_known(
    _CHOICES,
    dict.fromkeys(("function", "custom"), obj(_ONE)),
    allowed_tools=obj(mode=should(known("auto", "required")), tools=should(array(obj()))),
)
