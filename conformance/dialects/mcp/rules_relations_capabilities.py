"""What a side may use only because it, or the other side, declared the capability for it."""

from conformance.judge.relations import needs, row, within
from conformance.judge.relations.across import Within
from conformance.model.finding import Severity

_SAMPLING = "server[method=sampling/createMessage]"
_ELICITATION = "server[method=elicitation/create]"
_ASKED = "server[result.resultType=input_required]"


def _offered(place: str, by: str, what: str, used: str = "/method") -> Within:
    """What is `used` at a place needs a capability that one side declared, where that is known."""
    wanted = f"the capability `{what.replace('/', '.')}` of the {by}"
    return within(place, needs(used, f"/settled/{by}/{what}", known=f"/settled/{by}", wanted=wanted))


row(
    "mcp-client-capability-unsupported",
    "MCP-A-034",
    _offered(_SAMPLING, "client", "sampling"),
    _offered(_SAMPLING, "client", "sampling/tools", "/params/tools"),
    _offered(_SAMPLING, "client", "sampling/tools", "/params/toolChoice"),
    _offered(_SAMPLING, "client", "tasks/requests/sampling/createMessage", "/params/task"),
    _offered(_ELICITATION, "client", "elicitation"),
    _offered(f"{_ELICITATION}[params.mode=url]", "client", "elicitation/url", "/params/mode"),
    _offered(f"{_ELICITATION}[!params.mode=url][settled.client.elicitation.url]", "client", "elicitation/form"),
    _offered(_ELICITATION, "client", "tasks/requests/elicitation/create", "/params/task"),
    _offered("server[method=roots/list]", "client", "roots"),
    _offered("server[method=tasks/get|tasks/result]", "client", "tasks"),
    _offered("server[method=tasks/list]", "client", "tasks/list"),
    _offered("server[method=tasks/cancel]", "client", "tasks/cancel"),
    _offered(_ASKED, "client", "sampling", "/result/inputRequests/*[method=sampling/createMessage]/method"),
    _offered(_ASKED, "client", "sampling/tools", "/result/inputRequests/*[method=sampling/createMessage]/params/tools"),
    _offered(_ASKED, "client", "elicitation", "/result/inputRequests/*[method=elicitation/create]/method"),
    _offered(_ASKED, "client", "elicitation/url", "/result/inputRequests/*/params[mode=url]/mode"),
    _offered(_ASKED, "client", "roots", "/result/inputRequests/*[method=roots/list]/method"),
    why="The client answers with an error, and the call that waits for the answer fails.",
)
row(
    "mcp-include-context-unsupported",
    "MCP-A-035",
    _offered(f"{_SAMPLING}[params.includeContext=thisServer|allServers]", "client", "sampling/context"),
    why="The client leaves the context out, and the model answers without it.",
)
COMPLETIONS_OFFERED = _offered(
    "client[method=completion/complete][!settled.revision=2024-11-05]", "server", "completions"
)
row(
    "mcp-server-capability-unsupported",
    "MCP-A-034",
    _offered("client[method=tools/list|tools/call]", "server", "tools"),
    _offered(
        "client[method=tools/call][!settled.stateless=true]", "server", "tasks/requests/tools/call", "/params/task"
    ),
    _offered("client[method=prompts/list|prompts/get]", "server", "prompts"),
    _offered("client[method=resources/list|resources/templates/list|resources/read]", "server", "resources"),
    _offered("client[method=resources/subscribe|resources/unsubscribe]", "server", "resources/subscribe"),
    COMPLETIONS_OFFERED,
    _offered("client[method=logging/setLevel]", "server", "logging"),
    _offered("client[method=tasks/get|tasks/result]", "server", "tasks"),
    _offered("client[method=tasks/list]", "server", "tasks/list"),
    _offered("client[method=tasks/cancel]", "server", "tasks/cancel"),
    why="The server has no such method, and answers with an error.",
)
row(
    "mcp-tools-capability-missing",
    "MCP-H-011",
    _offered("server[asked.method=tools/list]", "server", "tools", "/result/tools/first"),
    why="Otherwise, clients that rely on the capabilities never list the tools.",
)
row(
    "mcp-capability-undeclared",
    "MCP-A-036",
    _offered("server[method=notifications/tools/list_changed]", "server", "tools/listChanged"),
    _offered("server[method=notifications/prompts/list_changed]", "server", "prompts/listChanged"),
    _offered("server[method=notifications/resources/list_changed]", "server", "resources/listChanged"),
    _offered("server[method=notifications/resources/updated]", "server", "resources/subscribe"),
    _offered("server[method=notifications/message]", "server", "logging"),
    _offered("server[asked.method=prompts/list|prompts/get]", "server", "prompts", "/result/prompts/first"),
    _offered("server[asked.method=resources/list]", "server", "resources", "/result/resources/first"),
    _offered("client[method=notifications/roots/list_changed]", "client", "roots/listChanged"),
    why="The other side has not prepared for it: it ignores the message, and works with an old list.",
)
row(
    "mcp-embedded-resource-undeclared",
    "MCP-A-037",
    _offered("server[asked.method=tools/call]", "server", "resources", "/result/content/*[type=resource]/type"),
    why="A client that goes by the capabilities cannot read the resource again, or follow its changes.",
    severity=Severity.INFO,
    because="the specification demands it with SHOULD, and the content is in the result",
)
