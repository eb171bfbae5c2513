"""What relates the chunks of a Gemini stream, and the ids of a reply: docs/contract/gemini.md."""

from conformance.dialects.gemini.contract.tools import BUILT_IN
from conformance.dialects.gemini.wire_places import received, sent, tool
from conformance.judge.relations import (
    Identity,
    at_most,
    constant,
    ends,
    forbids,
    has,
    index_into,
    leads_to,
    never,
    once,
    refers,
    requires,
    rises,
    row,
    unique,
    within,
)
from conformance.model.finding import Severity

_PART = "/candidates/*/content/parts/*"

# Streams ------------------------------------------------------------------------------------------------------------
_END = "event /candidates/*/finishReason"
_CALL = "event /candidates/*/content/parts/*/functionCall"
row(
    "gemini-stream-call-incomplete",
    "GEM-S-003",
    requires(
        f"{_CALL}[!name] | {_CALL}[willContinue=true] | {_CALL}[partialArgs]",
        sent("/toolConfig/functionCallingConfig/streamFunctionCallArguments[=true]"),
    ),
    why="Clients run each functionCall part when it arrives: a piece of one is a call without a name or arguments.",
)
row(
    "gemini-stream-call-truncated",
    "GEM-S-009",
    leads_to(f"{_CALL}[willContinue=true]", _CALL, end=_END),
    leads_to(f"{_CALL}/partialArgs/*[willContinue=true]", f"{_CALL}/partialArgs/*", by="/jsonPath", end=_END),
    why="A client waits for the rest of the arguments, and runs nothing.",
)
row(
    "gemini-stream-feedback-misplaced",
    "GEM-S-008",
    ends("event[!promptFeedback]", "event[promptFeedback]"),
    why="A client has shown an answer before it learns that there is none.",
)
row(
    "gemini-stream-usage-missing",
    "GEM-S-005",
    within("events /last[candidates] | events /last[!candidates][promptFeedback]", has("/usageMetadata")),
    within("events /last/usageMetadata", has("/totalTokenCount")),
    requirement="The last chunk of a stream must have the usage.",
    why="Counts grow from chunk to chunk, so only the last one is complete; without it the reply seems to cost less.",
)
row(
    "gemini-stream-token-count-wrong",
    "GEM-S-005",
    rises("event", "/usageMetadata/candidatesTokenCount", flat=True, unless=tool(*BUILT_IN)),
    why="A decrease means that chunks, and so their text, are out of order. With built-in tools each step of the "
    "server starts a new count.",
)

# Identity -----------------------------------------------------------------------------------------------------------
row(
    "gemini-server-result-id-orphaned",
    "GEM-R-026",
    refers(
        received(f"{_PART}/toolResponse/id"),
        Identity("id of the call", received(f"{_PART}/toolCall/id"), within="exchange"),
    ),
    refers(
        received(f"{_PART}/codeExecutionResult/id"),
        Identity("id of the code", received(f"{_PART}/executableCode/id"), within="exchange"),
    ),
    why="A client shows the output below other code.",
)
row(
    "gemini-server-call-id-duplicate",
    "GEM-R-026",
    once(received(f"{_PART}/toolCall/id")),
    why="Nobody knows which of the two the response belongs to.",
)
row(
    "gemini-call-ids-incomplete",
    "GEM-C-004",
    forbids(received(f"{_PART}/functionCall[name][!id]"), received(f"{_PART}/functionCall/id[][!=]")),
    never(received(f"{_PART}/functionCall/id[=]"), "an id, or no `id` at all"),
    severity=Severity.WARNING,
    because="ids dropped on the call and the response alike were accepted",
    requirement="Either all calls of a reply must have an id or none, and no id may be empty.",
    why="Clients match results by id, or by order if there are no ids; a mixture cannot be matched either way.",
)
row(
    "gemini-candidate-index-wrong",
    "GEM-R-001",
    within("response", index_into("/candidates/*/index", "/candidates"), unique("/candidates/*/index")),
    at_most(1, "response /candidates/*[!index]"),
    severity=Severity.WARNING,
    because="the statement is about there being a candidate; its index is a habit of official replies",
    requirement="The indexes of the candidates must be unique and count from 0; a zero may be absent.",
    why="Clients that sort candidates by index mix them up, or do not find the first one.",
)
row(
    "gemini-stream-identity-changed",
    "GEM-S-004",
    within("events", constant("/*/responseId"), constant("/*/modelVersion")),
    why="Clients that group chunks by `responseId` see several replies.",
)
row(
    "gemini-stream-event-after-error-unexpected",
    "GEM-S-007",
    ends("event[error] | event /first[error]", "event"),
    why="Clients raise on it, and do not read later events, or read them as another reply.",
)
row(
    "gemini-reply-id-reused",
    "GEM-R-027",
    once("response /responseId", within="run"),
    why="Logs find a reply by its id.",
)
