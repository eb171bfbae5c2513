"""How a fault is answered: codes of errors, their HTTP status, and results where there had to be an error."""

from conformance.dialects.mcp.rules_relations import CURSORS_KNOWN, PROMPT_COMPLETE, PROMPT_KNOWN, VERSION
from conformance.dialects.mcp.rules_relations_capabilities import COMPLETIONS_OFFERED
from conformance.dialects.mcp.rules_relations_streams import LEVELS
from conformance.dialects.mcp.rules_relations_tasks import TASK_ALLOWED, TASK_GIVEN, TASK_KNOWN, TASK_OPEN
from conformance.judge.relations import (
    Identity,
    among,
    answered,
    equal,
    excludes,
    has,
    matches,
    never,
    rejected,
    row,
    within,
)

_META = "io.modelcontextprotocol~1"
_LEVEL = "|".join(LEVELS), "a level of log messages"

# Codes and status -------------------------------------------------------------------------------------------------
_UNDEFINED = "|".join(map(str, (-32002, -32042, *range(-32099, -32022))))
row(
    "mcp-error-code-unknown",
    ["MCP-M-080", "MCP-M-070"],
    never(f"server[settled.stateless=true] /error/code[={_UNDEFINED}]", "a defined code"),
    why="Clients act on these codes: they renegotiate the revision, or list the tools again.",
)
row(
    "mcp-error-status-wrong",
    ["MCP-M-015", "MCP-M-080"],
    never("server[settled.stateless=true][status][!status=404][error.code=-32601] /error/code", "sent with status 404"),
    never(
        "server[settled.stateless=true][status][!status=400][error.code=-32020|-32021|-32022] /error/code",
        "sent with status 400",
    ),
    never(
        "server[settled.stateless=true][!settled.client][status][!status=400][error.code=-32602] /error/code",
        "sent with status 400, because the request lacks its capabilities",
    ),
    why="Clients detect a server's revision by the error code together with the status.",
)
row(
    "mcp-result-status-mismatch",
    "MCP-A-008",
    never("server[result][failed=true] /result", "sent with a success status"),
    why="The client raises on the status although the tool has run.",
)
row(
    "mcp-required-capability-wrong",
    "MCP-M-081",
    *(
        never(
            f"server[settled.client.{each}][error.code=-32021]"
            f" /error/data/requiredCapabilities/{each.replace('.', '/')}",
            "a capability that the client did not declare",
        )
        for each in ("roots", "sampling.tools", "sampling.context", "elicitation.form", "elicitation.url")
    ),
    why="The client offers what it offered before, and gets the same error forever.",
)

# Requests of revision 2026-07-28 ----------------------------------------------------------------------------------
_REPEATED = within(
    "client[id][method][settled.stateless=true]",
    equal("/headers/mcp-method", "/method"),
    equal("/headers/mcp-protocol-version", f"/params/_meta/{VERSION}"),
)
_NAME_REPEATED = within(
    "client[headers.mcp-name][method=tools/call|prompts/get]", equal("/headers/mcp-name", "/params/name")
)
_URI_REPEATED = within("client[headers.mcp-name][method=resources/read]", equal("/headers/mcp-name", "/params/uri"))
row(
    "mcp-header-body-mismatch",
    "MCP-M-015",
    _REPEATED,
    _NAME_REPEATED,
    _URI_REPEATED,
    why="Gateways route and check by the headers, servers act on the body: if they differ, a gateway checks another "
    "request than the server runs. The server has to refuse it.",
    requirement="From 2026-07-28 on, the headers must repeat the revision, the method and the name in the body.",
)
row(
    "mcp-header-mismatch-error-missing",
    "MCP-M-082",
    *(rejected(each, -32020, -32022) for each in (_REPEATED, _NAME_REPEATED, _URI_REPEATED)),
    why="Whoever sees only the headers lets another request pass than the server runs.",
)
row(
    "mcp-malformed-request-error-missing",
    "MCP-M-083",
    rejected(
        within(
            "client[id][method][settled.stateless=true]",
            has(f"/params/_meta/{VERSION}", f"/params/_meta/{_META}clientCapabilities"),
        ),
        *(-32602, -32601, -32020, -32022),
    ),
    why="The server assumes a revision, or capabilities, that the client does not have.",
)
row(
    "mcp-revision-error-missing",
    "MCP-M-084",
    rejected(
        within("client[settled.supported][id][method]", among(f"/params/_meta/{VERSION}", "/settled/supported/*")),
        -32022,
        -32020,
    ),
    why="The client reads the reply by a revision that the server does not know.",
)

# Requests of revisions with a handshake ---------------------------------------------------------------------------
row(
    "mcp-revision-header-error-missing",
    "MCP-H-085",
    within(
        "server[settled.opened=true][asked.headers.mcp-protocol-version][!status=400]",
        matches("/asked/headers/mcp-protocol-version", r"\d{4}-\d{2}-\d{2}|DRAFT-.*", "a revision"),
    ),
    why="Both sides go on with different revisions.",
    requirement="A request whose `MCP-Protocol-Version` is no revision must be answered with status 400.",
)
row(
    "mcp-session-error-wrong",
    "MCP-H-086",
    never(
        "server[settled.session=true][!settled.ordered=true][asked][!asked.method=initialize][!asked.session]"
        "[status=402|404|405|406|409|410|412|415|422|428|500|501|502|503] /error",
        "sent with status 400, because the request has no session id",
    ),
    why="The client does not see that the id is missing: with 404 it begins another session.",
)
row(
    "mcp-unknown-task-error-missing",
    "MCP-H-087",
    rejected(TASK_KNOWN, -32602),
    rejected(TASK_OPEN, -32602),
    rejected(CURSORS_KNOWN["tasks/list"], -32602),
    why="The client waits for a task that does not exist, or has ended.",
)
row(
    "mcp-required-task-error-missing",
    "MCP-H-088",
    rejected(TASK_GIVEN, -32601),
    why="The client learns that it has to ask for a task only from this error.",
)
row(
    "mcp-unsupported-task-error-missing",
    "MCP-H-089",
    rejected(TASK_ALLOWED, -32601),
    why="The client looks for the id of a task, and does not find it.",
)

# Parameters and capabilities --------------------------------------------------------------------------------------
row(
    "mcp-unknown-prompt-error-missing",
    "MCP-A-077",
    rejected(PROMPT_KNOWN, -32602),
    rejected(PROMPT_COMPLETE, -32602),
    why="The user gets an empty or another prompt, and cannot see why.",
)
row(
    "mcp-parameter-error-missing",
    "MCP-A-090",
    *(rejected(each, -32602) for method, each in CURSORS_KNOWN.items() if method != "tasks/list"),
    rejected(within("client[method=logging/setLevel] /params", matches("/level", *_LEVEL)), -32602),
    rejected(
        within("client[settled.level][settled.stateless=true]", matches(f"/params/_meta/{_META}logLevel", *_LEVEL)),
        -32602,
    ),
    why="The client gets the wrong page, or no log messages, and cannot see why.",
)
row(
    "mcp-unsupported-method-error-missing",
    "MCP-A-091",
    rejected(COMPLETIONS_OFFERED, -32601),
    never("client[settled.client][!settled.client.roots][asked.method=roots/list] /result", "error -32601"),
    never(
        "client[settled.client][!settled.client.roots][!error.code=-32601][asked.method=roots/list] /error/code",
        "-32601",
    ),
    why="The other side believes that the feature is there, and uses it again.",
)
_URL_ASKED = "client[settled.client.elicitation][!settled.client.elicitation.url][asked.params.mode=url]"
row(
    "mcp-elicitation-error-missing",
    "MCP-H-092",
    never(f"{_URL_ASKED}[asked.method=elicitation/create] /result", "error -32602: the client has no such mode"),
    never(f"{_URL_ASKED}[!error.code=-32602][asked.method=elicitation/create] /error/code", "-32602"),
    why="The server waits for a user who never saw the address.",
)
_SAMPLING = "client[!error.code=-32602][asked.method=sampling/createMessage]"
row(
    "mcp-sampling-error-missing",
    "MCP-A-093",
    within(
        f"{_SAMPLING} /asked/params/messages/*[role=user]",
        excludes("/content/*[type=text|image|audio]", "/content/*[type=tool_result]"),
    ),
    answered(
        Identity("tool use", f"{_SAMPLING} /asked/params/messages/*/content/*[type=tool_use]/id", "exchange"),
        by=f"{_SAMPLING} /asked/params/messages/*/content/*[type=tool_result]/toolUseId",
    ),
    why="Providers refuse such messages, and the server cannot see what is wrong.",
    requirement="A sampling request that mixes tool results with other content, or lacks one, must get error -32602.",
)
