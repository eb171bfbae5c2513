"""Questions of a server and the client's answers: sampling, elicitation, roots, and the input that a call requires."""

from conformance.judge.relations import (
    Identity,
    Introduced,
    among,
    answered,
    contains,
    differ,
    equal,
    excludes,
    has,
    needs,
    never,
    once_in_session,
    refers,
    refers_in_session,
    row,
    unique,
    valid,
    within,
)
from conformance.model.finding import Severity

_META = "io.modelcontextprotocol"

# Ids of both directions -------------------------------------------------------------------------------------------
_OF_CLIENT = Introduced("id of a request of the client", "client[method][id][!method=initialize][!params.task] /id")
_OF_SERVER = Introduced("id of a request of the server", "server[method][id][!params.task] /id")
_HANDSHAKE = Introduced("id of `initialize`", "client[method=initialize] /id")
_OF_TASK = Introduced("id of a request that runs as a task", "client[method][params.task] /id")
_ORDERED = "[settled.ordered=true][!settled.stateless=true]"
_CANCELLED = "[method=notifications/cancelled] /params/requestId"
row(
    "mcp-cancellation-orphaned",
    "MCP-H-038",
    refers_in_session(f"client{_CANCELLED}", _OF_CLIENT, others=(_HANDSHAKE, _OF_TASK), counted=True),
    refers_in_session(f"server{_ORDERED}{_CANCELLED}", _OF_SERVER, since=_HANDSHAKE),
    refers_in_session(
        f"server[settled.stateless=true]{_CANCELLED}",
        Introduced("id of `subscriptions/listen`", "client[method=subscriptions/listen] /id"),
        others=(_OF_CLIENT,),
    ),
    why="The receiver finds nothing to cancel, and the request runs on. Nobody can cancel the handshake.",
)
row(
    "mcp-answer-orphaned",
    "MCP-H-039",
    within("client[!method]", among("/id", "/settled/questions/*")),
    why="The server waits for the answer to its own request, and its call never ends.",
)
row(
    "mcp-answer-unexpected",
    "MCP-H-039",
    never(
        f"client[!method][id][settled.opened=true][!settled.asks=true]{_ORDERED}",
        "absent: the server has asked nothing",
    ),
    why="The server does not know what is answered, and may close the session.",
    severity=Severity.WARNING,
    because="the question may be in a stream that was not recorded",
)
row(
    "mcp-answer-repeated",
    "MCP-H-039",
    once_in_session("client[!method] /id"),
    why="The first answer ends the request, and the second one is lost.",
)
row(
    "mcp-server-request-id-reused",
    ["MCP-A-009", "MCP-H-102"],
    once_in_session("server[method][id][!resumed=true] /id"),
    why="Two requests with the same id can get each other's answers.",
)
row(
    "mcp-progress-token-unknown",
    "MCP-H-040",
    refers_in_session(
        "client[method=notifications/progress] /params/progressToken",
        Introduced("progress token", "server /params/_meta/progressToken"),
        since=_OF_SERVER,
    ),
    why="The server finds the request by the token, and cannot show its progress.",
)

# Elicitation ------------------------------------------------------------------------------------------------------
_ASKED_FORM = (
    "server[method=elicitation/create] /params | server /result/inputRequests/*[method=elicitation/create]/params"
)


def _answers(method: str, tests: str = "", rest: str = "") -> str:
    """The answers of a client to requests of a method: as a result, or in a request that is sent again."""
    roots = ("/result", "/params/inputResponses/*")
    return " | ".join(f"client {each}[asked.method={method}]{tests}{rest}" for each in roots)


row(
    "mcp-elicited-content-mismatch",
    "MCP-A-041",
    valid(
        _answers("elicitation/create", "[action=accept][!asked.params.mode=url]"),
        "/content",
        "/asked/params/requestedSchema",
        required=True,
        objects=True,
    ),
    why="The server reads the fields that it asked for.",
)
row(
    "mcp-elicited-content-unexpected",
    "MCP-A-042",
    never(_answers("elicitation/create", "[action=decline|cancel]", "/content"), "absent: the user gave nothing"),
    never(_answers("elicitation/create", "[asked.params.mode=url]", "/content"), "absent: the user answers at the URL"),
    why="The server may use what the user refused to send.",
)
row(
    "mcp-elicitation-property-undeclared",
    "MCP-A-043",
    within(
        _ASKED_FORM,
        among("/requestedSchema/required/*", "/requestedSchema/properties/@"),
        needs("/requestedSchema/required/*", "/requestedSchema/properties/*"),
    ),
    why="No form can have the property, and the user cannot submit it.",
)
row(
    "mcp-elicitation-completion-orphaned",
    "MCP-H-044",
    refers_in_session(
        "server[method=notifications/elicitation/complete] /params/elicitationId",
        Introduced(
            "id of an elicitation",
            "server[method=elicitation/create] /params/elicitationId | server /error/data/elicitations/*/elicitationId",
        ),
        since=_HANDSHAKE,
    ),
    why="The client ignores the notification, and the user waits.",
)
_REQUIRED = "server[error.code=-32042][settled.revision=2025-11-25]"
row(
    "mcp-required-elicitation-missing",
    "MCP-H-045",
    within(_REQUIRED, needs("/error/code", "/error/data/elicitations/first")),
    why="The client has no address to send the user to, and the call can never succeed.",
)

# Sampling ---------------------------------------------------------------------------------------------------------
_MESSAGES = (
    "server[method=sampling/createMessage] /params/messages",
    "server /result/inputRequests/*[method=sampling/createMessage]/params/messages",
)


def _blocks(kind: str, rest: str, role: str = "") -> str:
    """The blocks of one type in the messages of a sampling request: content is a block, or an array of them."""
    return " | ".join(f"{each}/*{role}/content{many}[type={kind}]{rest}" for each in _MESSAGES for many in ("", "/*"))


_USES = Identity("tool use", _blocks("tool_use", "/id"), "exchange")
row(
    "mcp-sampled-result-orphaned",
    "MCP-A-046",
    refers(_blocks("tool_result", "/toolUseId"), _USES),
    why="Providers refuse a result without its call.",
)
row(
    "mcp-sampled-call-unanswered",
    "MCP-A-046",
    answered(_USES, by=_blocks("tool_result", "/toolUseId")),
    why="Providers refuse a call without a result.",
)
row(
    "mcp-sampled-result-misplaced",
    "MCP-A-046",
    never(_blocks("tool_result", "", "[role=assistant]"), "in a message of the user"),
    never(_blocks("tool_use", "", "[role=user]"), "in a message of the assistant"),
    *(
        within(f"{each}/*[role=user]", excludes("/content/*[type=text|image|audio]", "/content/*[type=tool_result]"))
        for each in _MESSAGES
    ),
    why="Providers refuse a message that mixes results with other content.",
)
_SAMPLED = _answers("sampling/createMessage")
_CALLS = " | ".join(_answers("sampling/createMessage", "", f"/content{many}[type=tool_use]") for many in ("", "/*"))
row(
    "mcp-sampled-tool-undeclared",
    "MCP-A-047",
    within(
        _SAMPLED,
        among("/content[type=tool_use]/name", "/asked/params/tools/*/name"),
        among("/content/*[type=tool_use]/name", "/asked/params/tools/*/name"),
        needs("/content[type=tool_use]", "/asked/params/tools"),
        needs("/content/*[type=tool_use]", "/asked/params/tools"),
    ),
    never(
        " | ".join(
            _answers("sampling/createMessage", "[asked.params.toolChoice.mode=none]", f"/content{many}[type=tool_use]")
            for many in ("", "/*")
        ),
        "no call, because the tool choice is none",
    ),
    why="The server has no such tool, and cannot give a result.",
)
row(
    "mcp-sampled-arguments-mismatch",
    "MCP-A-047",
    valid(_CALLS, "/input", "/tool/inputSchema", objects=True),
    why="The server runs its tool with the arguments, and the tool fails.",
    severity=Severity.WARNING,
    because="the model made the mistake, not the client",
)
row(
    "mcp-sampled-call-missing",
    "MCP-A-047",
    within(
        _answers("sampling/createMessage", "[stopReason=toolUse]"), needs("/stopReason", "/blocks/*[type=tool_use]")
    ),
    within(
        _answers("sampling/createMessage", "[asked.params.toolChoice.mode=required][!stopReason=maxTokens]"),
        needs("/content", "/blocks/*[type=tool_use]"),
    ),
    why="The server has to run a tool, and does not know which.",
)
row(
    "mcp-root-duplicate",
    "MCP-A-048",
    within(_answers("roots/list"), unique("/roots/*/uri")),
    why="The server treats one directory as two.",
)

# Input that a call requires ---------------------------------------------------------------------------------------
_RETRY = "client[continued]"
row(
    "mcp-request-state-changed",
    "MCP-M-049",
    within(_RETRY, equal("/continued/requestState", "/params/requestState")),
    within(_RETRY, needs("/params/requestState", "/continued/requestState", known="/continued")),
    within("client[continued.requestState]", has("/params/requestState")),
    why="The server keeps nothing between the two requests: it cannot continue without its own state.",
)
row(
    "mcp-retried-request-changed",
    "MCP-M-049",
    within(_RETRY, equal("/continued/params/name", "/params/name"), equal("/continued/params/uri", "/params/uri")),
    within(_RETRY, equal("/continued/params/arguments", "/params/arguments")),
    within(_RETRY, differ("/continued/id", "/id")),
    why="The server answers another request than the one that needed the input.",
)
row(
    "mcp-input-response-mismatch",
    "MCP-M-049",
    never("client /params/inputResponses/*[asked.method=elicitation/create][!action]", "an answer to an elicitation"),
    never("client /params/inputResponses/*[asked.method=sampling/createMessage][!model]", "a sampled message"),
    never("client /params/inputResponses/*[asked.method=roots/list][!roots]", "a list of roots"),
    why="The server cannot read the answer to its question.",
)
row(
    "mcp-input-response-orphaned",
    "MCP-M-049",
    within(_RETRY, among("/params/inputResponses/@", "/continued/inputRequests/@")),
    why="The server did not ask for it, and ignores it.",
)
row(
    "mcp-input-response-missing",
    "MCP-M-049",
    within(
        "client[continued.inputRequests]",
        contains("/params/inputResponses/@", "/continued/inputRequests/@", blamed="/params/inputResponses"),
    ),
    why="The server has to ask again.",
)
