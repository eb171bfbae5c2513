"""What relates messages of MCP: ids, lists, calls and their results. See `both_sides.py` for what messages refer to."""

from conformance.dialects.mcp.listing import LISTS
from conformance.judge.relations import (
    Identity,
    Introduced,
    among,
    bounded,
    contains,
    count_of,
    differ,
    encodes,
    equal,
    excludes,
    matches,
    needs,
    never,
    once,
    refers,
    refers_in_session,
    rises,
    row,
    unique,
    valid,
    within,
)
from conformance.model.finding import Severity

VERSION = "io.modelcontextprotocol~1protocolVersion"

# Ids and tokens ---------------------------------------------------------------------------------------------------
row(
    "mcp-response-repeated",
    "MCP-A-008",
    once("server[!method] /id"),
    why="The first one ends the call, and the second one is lost.",
)
_PROGRESS = "server[via=post][method=notifications/progress]"
row(
    "mcp-progress-invalid",
    "MCP-A-030",
    refers(
        f"{_PROGRESS} /params/progressToken",
        Identity("progress token", "client /params/_meta/progressToken", "exchange"),
        unless="client[method=tasks/get|tasks/result|tasks/list]",  # a task keeps the token of its first request
    ),
    rises(_PROGRESS, "/params/progress", by="/params/progressToken"),
    why="The client finds the caller by the token, and shows the progress to its user.",
    severity=Severity.ERROR,
    because="the specification demands the token of an active request, and progress that increases, with MUST",
)

# Lists ------------------------------------------------------------------------------------------------------------
_CURSORS = {
    method: Introduced(f"cursor of {method}", f"server[asked.method={method}] /result/nextCursor") for method in LISTS
}
CURSORS_KNOWN = {
    method: refers_in_session(
        f"client[method={method}] /params/cursor",
        cursor,
        others=tuple(each for each in _CURSORS.values() if each != cursor),
        since=Introduced("list", f"server[asked.method={method}][result] /id"),
    )
    for method, cursor in _CURSORS.items()
}
row(
    "mcp-cursor-unknown",
    "MCP-A-021",
    *CURSORS_KNOWN.values(),
    why="Cursors are opaque: a client that invents one skips entries, gets them twice, or gets an error.",
)
row(
    "mcp-tool-name-duplicate",
    "MCP-A-019",
    within("server[asked.method=tools/list]", unique("/result/tools/*/name")),
    why="It is undefined which of the two a call runs, and providers refuse such a list.",
)
_SCHEMA = "server[asked.method=tools/list] /result/tools/*/inputSchema[!allOf][!anyOf][!oneOf][!$ref]"
row(
    "mcp-tool-required-property-undeclared",
    "MCP-A-020",
    within(_SCHEMA, among("/required/*", "/properties/@"), needs("/required/*", "/properties/*")),
    why="The model cannot know the argument; with `additionalProperties: false` no call is valid.",
    severity=Severity.WARNING,
    because="the schema is valid; no argument can be described by it",
)

row(
    "mcp-entry-duplicate",
    "MCP-A-064",
    within("server[asked.method=prompts/list]", unique("/result/prompts/*/name")),
    within("server[asked.method=resources/list]", unique("/result/resources/*/uri")),
    within("server[asked.method=resources/templates/list]", unique("/result/resourceTemplates/*/uriTemplate")),
    within("server[asked.method=tasks/list]", unique("/result/tasks/*/taskId")),
    why="The client keeps the entries by name, and loses one of the two.",
)
row(
    "mcp-cache-scope-changed",
    "MCP-M-065",
    within("server[asked.before.cacheScope]", equal("/asked/before/cacheScope", "/result/cacheScope")),
    why="A cache keeps a page for everybody that belongs to one user.",
)

# Prompts, completions, resources ----------------------------------------------------------------------------------
PROMPT_KNOWN = within("client[method=prompts/get]", among("/params/name", "/list/*/name"))
_PROMPT = "client[method=prompts/get][listed]"
PROMPT_COMPLETE = within(
    _PROMPT, contains("/params/arguments/@", "/listed/arguments/*[required=true]/name", blamed="/params")
)
row(
    "mcp-prompt-unknown",
    "MCP-A-066",
    PROMPT_KNOWN,
    within("client[method=completion/complete]", among("/params/ref[type=ref/prompt]/name", "/list/*/name")),
    why="The server answers with an error, and the user gets no prompt.",
)
row(
    "mcp-prompt-argument-missing",
    "MCP-A-066",
    PROMPT_COMPLETE,
    why="The server answers with an error, and the user gets no prompt.",
)
row(
    "mcp-prompt-argument-undeclared",
    "MCP-A-067",
    within(_PROMPT, among("/params/arguments/@", "/listed/arguments/*/name", default=(None,))),
    within("client[method=completion/complete][listed]", among("/params/argument/name", "/listed/arguments/*/name")),
    why="The server ignores it: a misspelt argument changes nothing.",
)
row(
    "mcp-completion-total-wrong",
    "MCP-A-068",
    bounded("server[asked.method=completion/complete] /result/completion/values", by="server /result/completion/total"),
    within("server[asked.method=completion/complete] /result/completion[hasMore=false]", count_of("/total", "/values")),
    why="A client shows how many more there are.",
)
_EXPRESSION = r"\{[+#./;?&=,!@|]?[A-Za-z0-9_.%]+(?::\d+|\*)?(?:,[A-Za-z0-9_.%]+(?::\d+|\*)?)*\}"
_TEMPLATE = rf"(?:[^{{}}]|{_EXPRESSION})*", "a URI template (RFC 6570)"
_CONTENTS = "server[asked.method=resources/read] /result/contents/* | server /result/content/*[type=resource]/resource"
row(
    "mcp-resource-content-conflicting",
    "MCP-A-069",
    within(_CONTENTS, excludes("/text", "/blob")),
    why="Clients read one of the two, and it is undefined which.",
)
row(
    "mcp-resource-content-missing",
    "MCP-M-070",
    within(
        "server[asked.method=resources/read][settled.stateless=true][!result.resultType=input_required]",
        needs("/result/contents", "/result/contents/first"),
    ),
    why="The client cannot see whether the resource is empty or does not exist.",
    severity=Severity.WARNING,
    because="the resource may exist, and be empty",
)
row(
    "mcp-uri-malformed",
    "MCP-A-071",
    within(_CONTENTS, encodes("/uri", "a URI")),
    within(
        "server[asked.method=resources/templates/list]", matches("/result/resourceTemplates/*/uriTemplate", *_TEMPLATE)
    ),
    within("server[asked.method=resources/list]", encodes("/result/resources/*/uri", "a URI")),
    within("server[method=elicitation/create] /params[mode=url]", encodes("/url", "a URI")),
    why="The client finds no scheme by which to read it.",
)
row(
    "mcp-modified-time-malformed",
    "MCP-A-072",
    *(
        within(f"server /result/{entries}/*/annotations", encodes("/lastModified", "a date and time (RFC 3339)"))
        for entries in ("content", "resources", "resourceTemplates")
    ),
    why="Clients sort by the time, and cannot read it.",
)

_PREFIX = r"(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*/)?"
_KEY = rf"{_PREFIX}(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?", "a name, or a prefix and a name"
row(
    "mcp-meta-key-malformed",
    "MCP-A-078",
    within("client | server", matches("/params/_meta/@", *_KEY), matches("/result/_meta/@", *_KEY)),
    within("server[asked.method=tools/list]", matches("/result/tools/*/_meta/@", *_KEY)),
    why="Other implementations may use the key for something else, or refuse it.",
    severity=Severity.WARNING,
    because="whoever does not know a key ignores it",
)
row(
    "mcp-icon-source-unsupported",
    "MCP-A-079",
    *(
        within(place, matches("/icons/*/src", r"(?i)https?:.*|data:.*", "an address of http, https or data"))
        for place in (
            "server[asked.method=tools/list] /result/tools/*",
            "server[asked.method=prompts/list] /result/prompts/*",
            "server[asked.method=resources/list] /result/resources/*",
            "server[asked.method=initialize] /result/serverInfo",
        )
    ),
    why="Clients refuse other schemes, because `javascript:` and `file:` can do harm.",
)

# Calls ------------------------------------------------------------------------------------------------------------
row(
    "mcp-called-tool-undeclared",
    ["MCP-A-022", "MAP-002"],
    within("client[method=tools/call]", among("/params/name", "/list/*/name")),
    why="Clients change names for providers that allow fewer characters, and must change them back.",
)
row(
    "mcp-arguments-schema-mismatch",
    "MCP-A-023",
    valid("client[method=tools/call]", "/params/arguments", "/listed/inputSchema", absent={}, objects=True),
    why="The model made a mistake, or a bridge between provider and server lost or converted a value.",
)
_FINAL = "server[asked.method=tools/call][result][!result.task][!result.isError=true]"
_STRUCTURED = "/result/structuredContent", "/asked/listed/outputSchema"
row(
    "mcp-structured-content-mismatch",
    "MCP-A-025",
    valid(f"{_FINAL}[!settled.stateless=true]", *_STRUCTURED, required=True, objects=True),
    valid(f"{_FINAL}[settled.stateless=true][!result.resultType=input_required]", *_STRUCTURED, required=True),
    why="Programs read the fields that the schema promises; SDKs raise if they are missing. A failed call needs none.",
)
_UNKNOWN = "server[asked.method=tools/call][asked.unlisted=true]"
row(
    "mcp-unknown-tool-error-missing",
    "MCP-A-027",
    never(f"{_UNKNOWN} /result", "error -32602, because the server does not list the tool"),
    never(f"{_UNKNOWN}[error][!error.code=-32602] /error/code", "-32602, because the server does not list the tool"),
    why="A result looks as if the tool had run and failed, so the model tries it again.",
)

# Revisions --------------------------------------------------------------------------------------------------------
row(
    "mcp-discover-revision-missing",
    "MCP-M-016",
    within(
        "server[asked.method=server/discover][result.supportedVersions]",
        contains("/result/supportedVersions/*", f"/asked/params/_meta/{VERSION}", blamed="/result/supportedVersions"),
    ),
    why="The client picks its revision from the list; if that one is unsupported, every request fails.",
)
row(
    "mcp-discover-unsupported",
    "MCP-M-075",
    never(
        "server[settled.stateless=true][asked.method=server/discover][error.code=-32601] /error/code",
        "a result: every server of this revision has the method",
    ),
    why="The client takes the server for one of an older revision, and begins a handshake.",
)
row(
    "mcp-revision-error-mismatch",
    "MCP-M-076",
    within("server[error.code=-32022]", equal(f"/asked/params/_meta/{VERSION}", "/error/data/requested")),
    within("server[error.code=-32022]", differ(f"/asked/params/_meta/{VERSION}", "/error/data/supported/*")),
    why="The client picks its next revision from the list: with the refused one in it, it asks forever.",
)
row(
    "mcp-server-request-unsupported",
    "MCP-M-017",
    never("server[settled.stateless=true][method][id]", "a notification, or a result of type input_required"),
    why="The client cannot answer, and the server waits.",
)
row(
    "mcp-method-unsupported",
    "MCP-M-014",
    never(
        "client[settled.stateless=true]"
        "[method=initialize|ping|logging/setLevel|resources/subscribe|resources/unsubscribe] /method",
        "a method of this revision",
    ),
    why="The server does not know the method and returns an error; a client that waits for a session never gets one.",
)
