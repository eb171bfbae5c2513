"""Sessions and streams of HTTP, what every message of a revision has in `_meta`, and `ping`."""

from conformance.judge.relations import (
    Introduced,
    ended,
    has,
    matches,
    never,
    once_in_session,
    requires,
    row,
    within,
)
from conformance.model.finding import Severity

# Sessions ---------------------------------------------------------------------------------------------------------
_ENDED = Introduced("id of a session that has ended", "client[status=404] /session")
row(
    "mcp-session-id-malformed",
    "MCP-H-094",
    within("server[session][asked.method=initialize]", matches("/session", "[!-~]+", "of visible ASCII characters")),
    why="The client cannot repeat the id in a header.",
)
row(
    "mcp-ended-session-reused",
    "MCP-H-095",
    ended("client[session][!settled.stateless=true] /session", _ENDED),
    never("client[session][method=initialize] /session", "absent: `initialize` begins a session"),
    why="Every further request fails, until the client begins another session.",
    severity=Severity.WARNING,
    because="requests may have been sent at the same time as the one that got status 404",
)
row(
    "mcp-ended-session-error-missing",
    "MCP-H-096",
    ended("server[asked.session][!settled.stateless=true][result] /asked/session", _ENDED),
    why="A client that begins another session after status 404 has two of them.",
)

# Streams ----------------------------------------------------------------------------------------------------------
row(
    "mcp-event-name-wrong",
    "MCP-A-008",
    never("server[event_type] /event_type", "`message`, because clients ignore events of another type"),
    why="Clients ignore events of other types, and lose the messages in them.",
    requirement="Events with messages must have the type `message`, the default of events without a name.",
)
row(
    "mcp-event-id-duplicate",
    "MCP-H-097",
    once_in_session("server[event_ids][!resumed=true] /event_ids/*"),
    why="A client that resumes a stream gets the messages of another one, or none.",
)
row(
    "mcp-stream-header-missing",
    "MCP-M-098",
    requires("server[settled.stateless=true][streamed]", "server[unbuffered=true]"),
    why="A proxy before the server holds the events back until the stream ends.",
    requirement="A stream must have the header `X-Accel-Buffering: no`.",
)

# Messages ---------------------------------------------------------------------------------------------------------
_META = "io.modelcontextprotocol~1"
row(
    "mcp-identification-missing",
    "MCP-M-099",
    within("client[id][settled.client][settled.stateless=true][method] /params/_meta", has(f"/{_META}clientInfo")),
    within(
        "server[settled.stateless=true][!asked.method=initialize][result] /result", has(f"/_meta/{_META}serverInfo")
    ),
    why="A log without the names of both programs does not show who made a mistake.",
    severity=Severity.INFO,
    because="a program may be configured not to identify itself",
)
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 - a word of RFC 9110
_STATE = r"[a-z0-9][a-z0-9_*/@-]*=[ -+\--<>-~]*"
_BAGGAGE = rf"{_TOKEN}[ \t]*=[ \t]*[!#-+\--:<-\[\]-~]*(?:[ \t]*;[^,]*)?"
row(
    "mcp-trace-context-malformed",
    "MCP-M-100",
    within(
        " | ".join(f"{side}[settled.stateless=true][params._meta] /params/_meta" for side in ("client", "server")),
        matches(
            "/traceparent",
            "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?",
            "version, trace, parent and flags of W3C Trace Context",
        ),
        matches("/tracestate", rf"(?:{_STATE})?(?:[ \t]*,[ \t]*(?:{_STATE})?)*", "a list of W3C Trace Context"),
        matches("/baggage", rf"[ \t]*{_BAGGAGE}(?:[ \t]*,[ \t]*{_BAGGAGE})*[ \t]*", "a list of W3C Baggage"),
    ),
    why="The spans of the two programs are in different traces.",
)
row(
    "mcp-ping-error-unexpected",
    "MCP-A-101",
    never("server[!settled.stateless=true][error][asked.method=ping] /error", "an empty result"),
    never("client[error][asked.method=ping] /error", "an empty result"),
    why="The other side takes the connection for broken, and ends it.",
)
