"""What a server sends by itself: progress, log messages, changes, subscriptions."""

from conformance.judge.relations import (
    among,
    at_least,
    equal,
    follows,
    has,
    needs,
    never,
    part_of,
    row,
    within,
)

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_ID = "_meta/io.modelcontextprotocol~1subscriptionId"
_LOGS = "server[method=notifications/message]"
_CHANGES = {
    "toolsListChanged": "notifications/tools/list_changed",
    "promptsListChanged": "notifications/prompts/list_changed",
    "resourcesListChanged": "notifications/resources/list_changed",
}

row(
    "mcp-progress-out-of-range",
    "MCP-A-056",
    within(
        "server[method=notifications/progress] /params | client[method=notifications/progress] /params",
        part_of("/progress", "/total"),
    ),
    why="A progress bar shows more than all of it.",
)
row(
    "mcp-log-level-out-of-range",
    "MCP-H-057",
    within(f"{_LOGS}[!via=listening][!settled.stateless=true]", at_least("/params/level", "/settled/level", LEVELS)),
    why="The client asked for less, and shows its user messages that hide the important ones.",
)
row(
    "mcp-log-message-unexpected",
    "MCP-M-058",
    within(f"{_LOGS}[via=post][settled.stateless=true]", needs("/method", "/settled/level")),
    within(f"{_LOGS}[via=post][settled.stateless=true]", at_least("/params/level", "/settled/level", LEVELS)),
    never(f"{_LOGS}[listen] /method", "on the stream of the request that it is about"),
    why="The client did not ask for log messages of this request, and has no place for them.",
)
row(
    "mcp-resource-update-unexpected",
    "MCP-H-059",
    within(
        "server[method=notifications/resources/updated][via=post|line][settled.opened=true][settled.ordered=true]"
        "[!settled.stateless=true]",
        needs("/params/uri", "/settled/subscribed/first"),
    ),
    why="The client does not know the resource, and ignores the message or reads it for nothing.",
)
row(
    "mcp-response-misplaced",
    "MCP-H-060",
    never("server[via=listening][!method][id][!resumed=true]", "in the stream of its request"),
    why="The client waits for it in the stream of its request, until it times out.",
)
row(
    "mcp-request-before-handshake-unexpected",
    "MCP-H-061",
    never("server[method][id][!method=ping][settled.initializing=true] /method", "ping"),
    why="The client may not be ready to answer before it has sent `notifications/initialized`.",
)

# Subscriptions ----------------------------------------------------------------------------------------------------
_ACKNOWLEDGED = "server[method=notifications/subscriptions/acknowledged]"
row(
    "mcp-subscription-out-of-order",
    "MCP-M-062",
    follows("server[listen][method][!method=notifications/subscriptions/acknowledged]", _ACKNOWLEDGED),
    why="The client does not know yet which of its wishes the server honours.",
)
row(
    "mcp-subscription-id-mismatch",
    "MCP-M-062",
    within("server[listen][method]", has(f"/params/{_ID}"), equal("/listen/id", f"/params/{_ID}")),
    within("server[listen][result]", equal("/listen/id", f"/result/{_ID}")),
    why="A client with several subscriptions cannot find the one that the message belongs to.",
)
row(
    "mcp-subscription-granted-unexpected",
    "MCP-M-063",
    *(
        within(
            _ACKNOWLEDGED,
            needs(
                f"/params/notifications[{wish}=true]/{wish}", f"/listen/params/notifications/{wish}", known="/listen"
            ),
        )
        for wish in _CHANGES
    ),
    within(
        _ACKNOWLEDGED,
        among("/params/notifications/resourceSubscriptions/*", "/listen/params/notifications/resourceSubscriptions/*"),
    ),
    why="The client gets messages that it did not ask for.",
)
row(
    "mcp-subscription-notification-unexpected",
    "MCP-M-063",
    *(
        within(f"server[listen][method={method}]", needs("/method", f"/listen/params/notifications/{wish}"))
        for wish, method in _CHANGES.items()
    ),
    within(
        "server[listen][method=notifications/resources/updated]",
        needs("/method", "/listen/params/notifications/resourceSubscriptions/first"),
    ),
    *(
        never(
            f"server[settled.stateless=true][via=post][!listen][method={method}] /method",
            "in the stream of a subscription",
        )
        for method in (*_CHANGES.values(), "notifications/resources/updated")
    ),
    why="The client asked for other messages, and ignores this one.",
)
