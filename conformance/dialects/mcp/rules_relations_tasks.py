"""Tasks of revision 2025-11-25: requests that get their result later."""

from conformance.judge.relations import (
    Introduced,
    encodes,
    ended,
    equal,
    has,
    matched,
    never,
    not_less,
    once_in_session,
    refers_in_session,
    row,
    within,
)
from conformance.model.finding import Severity

_RELATED = "_meta/io.modelcontextprotocol~1related-task"
_ABLE = "[settled.server.tasks.requests.tools.call]"
_CALL = "client[method=tools/call][!settled.stateless=true]"
_CREATED = "server[asked.params.task] /result/task"
_STATES = "server[asked.method=tasks/get|tasks/cancel] /result"
_EACH = f"{_CREATED} | {_STATES} | server[asked.method=tasks/list] /result/tasks/*"
_TASK = Introduced("id of a task", f"{_CREATED}/taskId | server[asked.method=tasks/list] /result/tasks/*/taskId")
_TASK_OF_CLIENT = Introduced("id of a task", "client[asked.params.task] /result/task/taskId")

TASK_KNOWN = refers_in_session("client[method=tasks/get|tasks/result|tasks/cancel] /params/taskId", _TASK, since=_TASK)
TASK_OPEN = ended(
    "client[method=tasks/cancel] /params/taskId",
    Introduced("id of a task that has ended", f"{_STATES}[status=completed|failed|cancelled]/taskId"),
)
row(
    "mcp-task-orphaned",
    "MCP-H-050",
    TASK_KNOWN,
    refers_in_session(
        "server[method=tasks/get|tasks/result|tasks/cancel] /params/taskId", _TASK_OF_CLIENT, since=_TASK_OF_CLIENT
    ),
    why="The receiver has no such task, and the result of the real one is never read.",
)
row(
    "mcp-task-id-mismatch",
    "MCP-H-050",
    within("server[asked.method=tasks/get|tasks/cancel]", equal("/asked/params/taskId", "/result/taskId")),
    why="The client takes the state of another task for that of its own.",
)
row(
    "mcp-task-id-reused",
    "MCP-H-050",
    once_in_session(f"{_CREATED}/taskId"),
    why="A client that waits for one of the two gets the result of the other.",
)
row(
    "mcp-task-status-wrong",
    "MCP-H-051",
    never(f"{_CREATED}[!status=working]/status", "working, the first status"),
    never("server[asked.method=tasks/cancel] /result[taskId][!status=cancelled]/status", "cancelled"),
    *(
        ended(
            f"server[asked.method=tasks/get|tasks/cancel] /result[!status={status}]/taskId",
            Introduced(f"id of a {status} task", f"{_STATES}[status={status}]/taskId"),
        )
        for status in ("completed", "failed", "cancelled")
    ),
    why="Clients stop at the end of a task: they never see what comes after it, or wait for a result that was there.",
)
row(
    "mcp-task-time-wrong",
    "MCP-H-052",
    matched(
        _STATES,
        "/taskId",
        _CREATED,
        "/taskId",
        equal("/that/createdAt", "/this/createdAt"),
        within="run",
    ),
    within(_EACH, not_less("/lastUpdatedAt", "/createdAt")),
    why="Clients compute from it how long the result is kept.",
    severity=Severity.WARNING,
    because="the schema only describes the two times",
)
row(
    "mcp-task-time-malformed",
    "MCP-H-052",
    within(
        _EACH,
        encodes("/createdAt", "a date and time (RFC 3339)"),
        encodes("/lastUpdatedAt", "a date and time (RFC 3339)"),
    ),
    why="Clients that parse the time raise, and drop the task.",
)
TASK_ALLOWED = never(
    f"{_CALL}[params.task][listed][!listed.execution.taskSupport=optional|required] /params/task",
    "absent, because the tool does not run as a task",
)
TASK_GIVEN = never(
    f"{_CALL}[!params.task][listed.execution.taskSupport=required]{_ABLE} /params",
    "with a task, because the tool requires one",
)
row(
    "mcp-task-unsupported",
    "MCP-H-053",
    TASK_ALLOWED,
    TASK_GIVEN,
    why="The server answers with error -32601, and the tool does not run.",
)
row(
    "mcp-task-missing",
    "MCP-H-053",
    never(
        "server[asked.method=tools/call][asked.params.task][settled.server.tasks.requests.tools.call][result.content]"
        "[!result.task] /result",
        "a task, which the request asks for",
    ),
    why="The client looks for the id of the task, and fails without it.",
)
row(
    "mcp-related-task-mismatch",
    "MCP-H-054",
    within("server[asked.method=tasks/result][result]", equal("/asked/params/taskId", f"/result/{_RELATED}/taskId")),
    within("server[asked.method=tasks/result] /result", has(f"/{_RELATED}/taskId")),
    why="The result does not contain the id of its task elsewhere.",
)
row(
    "mcp-related-task-unexpected",
    "MCP-H-055",
    never(f"server[asked.method=tasks/get|tasks/list|tasks/cancel] /result/{_RELATED}", "absent"),
    never(f"server[method=notifications/tasks/status] /params/{_RELATED}", "absent"),
    why="The message has the id of its task already; two of them can differ.",
)
