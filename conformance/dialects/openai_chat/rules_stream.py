"""Chat streams, docs/contract/openai-chat.md, OAC-S: chunks, finish, usage and the end mark."""

from __future__ import annotations

from functools import partial

from conformance.dialects.openai_chat.grammar import hits
from conformance.dialects.openai_chunks import Fault
from conformance.judge.walked import walked
from conformance.model.finding import Severity

fault = partial(walked, __name__, hits)

fault(
    "chat-event-name-unexpected",
    "OAC-S-001",
    Fault.EVENT_NAME_UNEXPECTED,
    "The events of a Chat stream must have data lines only, and no name.",
    "Clients that listen for unnamed events never receive named ones.",
)

fault(
    "chat-done-missing",
    "OAC-S-002",
    Fault.DONE_MISSING,
    "A Chat stream must end with `data: [DONE]`, unless an error ends it.",
    "Without it, a client cannot tell a complete reply from a broken connection; some wait for it until a timeout.",
)

fault(
    "chat-event-after-done-unexpected",
    "OAC-S-002",
    Fault.EVENT_AFTER_DONE_UNEXPECTED,
    "No data may follow `[DONE]`.",
    "Clients stop reading there and lose what comes later.",
)

fault(
    "chat-event-after-error-unexpected",
    "OAC-S-015",
    Fault.EVENT_AFTER_ERROR_UNEXPECTED,
    "A chunk with an `error` must end the stream: only `[DONE]` may follow.",
    "The official SDK raises at the error and does not read further.",
    severity=Severity.WARNING,
    because="the turn failed already, and clients do not read what follows",
)

fault(
    "chat-chunk-identity-changed",
    "OAC-S-003",
    Fault.CHUNK_IDENTITY_CHANGED,
    "All chunks of a stream must have the same id, created and model.",
    "Logs and proxies group chunks by id: a changed id splits one reply into several.",
)

fault(
    "chat-role-missing",
    "OAC-S-004",
    Fault.ROLE_MISSING,
    "The first delta of a choice must have the role, even if an error ends the stream later.",
    "Without it, the accumulated message has no role, and the server refuses it in the next request.",
)

fault(
    "chat-role-repeated",
    "OAC-S-004",
    Fault.ROLE_REPEATED,
    "Only one delta of a choice may have the role.",
    "Clients concatenate the strings of the deltas: the role becomes `assistantassistant`.",
)

fault(
    "chat-finish-missing",
    "OAC-S-006",
    Fault.FINISH_MISSING,
    "Every choice of a stream must end with a `finish_reason`.",
    "Without it, a client cannot tell whether the calls are complete, and often does not run them.",
)

fault(
    "chat-finish-repeated",
    "OAC-S-006",
    Fault.FINISH_REPEATED,
    "A choice of a stream must have only one `finish_reason`.",
    "A client that runs tools at the finish runs them twice.",
)

fault(
    "chat-delta-after-finish-unexpected",
    "OAC-S-006",
    Fault.DELTA_AFTER_FINISH_UNEXPECTED,
    "A choice must have no content after its `finish_reason`.",
    "Clients that act at the finish act on an incomplete reply.",
)

fault(
    "chat-finish-delta-unexpected",
    "OAC-S-007",
    Fault.FINISH_DELTA_UNEXPECTED,
    "The chunk with the `finish_reason` should have an empty delta.",
    "Clients that read the finish first lose the last piece of the text or the arguments.",
)

fault(
    "chat-usage-missing",
    "OAC-S-013",
    Fault.USAGE_MISSING,
    "A stream must have usage if the request asks for it.",
    "Without it, cost accounting counts the request as free.",
    severity=Severity.WARNING,
    because="a few official streams that asked for usage ended without",
)

fault(
    "chat-usage-misplaced",
    "OAC-S-013",
    Fault.USAGE_MISPLACED,
    "Usage must be sent once, in a last chunk with `choices: []`, if the request asks for it.",
    "Clients that wait for that chunk miss usage elsewhere; clients that add chunks up count a repeated one twice.",
)

fault(
    "chat-usage-key-missing",
    "OAC-S-013",
    Fault.USAGE_KEY_MISSING,
    "If the request asks for usage, every chunk should have the key: null in all but the last.",
    "Typed clients may fail without the documented key.",
    severity=Severity.WARNING,
    because="203 recorded replies of 12 compatible servers lack the key, and the SDK's type has null as its default",
)

fault(
    "chat-chunk-choices-empty",
    "OAC-S-013",
    Fault.CHUNK_CHOICES_EMPTY,
    "Only the chunk with the usage may have no choices.",
    "Clients read `choices[0]` of every other chunk, and fail where there is none.",
    severity=Severity.WARNING,
    because="the specification sets no least number of choices, and Azure's first chunk has none (simonw/llm#294)",
)

fault(
    "chat-usage-unexpected",
    "OAC-S-014",
    Fault.USAGE_UNEXPECTED,
    "A stream must not have usage if the request does not ask for it.",
    "Such a client does not expect a chunk without choices, and fails at `choices[0]`.",
)
