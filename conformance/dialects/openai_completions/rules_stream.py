"""Streamed completions: chunks, finish, usage and the end mark. `grammar.py` walks the stream."""

from __future__ import annotations

from functools import partial

from conformance.dialects.openai_chunks import Fault
from conformance.dialects.openai_completions.grammar import hits
from conformance.judge.walked import walked

fault = partial(walked, __name__, hits)

fault(
    "completions-event-name-unexpected",
    "OAT-S-001",
    Fault.EVENT_NAME_UNEXPECTED,
    "The events of a completion's stream must have data lines only, and no name.",
    "A client that handles unnamed events ignores the named ones.",
)

fault(
    "completions-done-missing",
    "OAT-S-002",
    Fault.DONE_MISSING,
    "A completion's stream must end with `data: [DONE]`, unless an error ends it.",
    "Without it, clients cannot tell a complete text from a broken connection.",
)

fault(
    "completions-event-after-done-unexpected",
    "OAT-S-002",
    Fault.EVENT_AFTER_DONE_UNEXPECTED,
    "No data may follow `data: [DONE]`.",
    "Clients stop reading there and lose what comes later.",
)

fault(
    "completions-event-after-error-unexpected",
    "OAT-S-003",
    Fault.EVENT_AFTER_ERROR_UNEXPECTED,
    "An error must be the last data of a stream; only `[DONE]` may follow.",
    "SDKs raise at the error and do not read further.",
)

fault(
    "completions-chunk-identity-changed",
    "OAT-S-005",
    Fault.CHUNK_IDENTITY_CHANGED,
    "All chunks of a stream must have the same id, time and model.",
    "A client that tells replies apart by id takes one reply for two.",
)

fault(
    "completions-chunk-index-wrong",
    "OAT-R-003",
    Fault.CHUNK_INDEX_WRONG,
    "The indexes of a stream's choices must count from 0 without a gap.",
    "With a gap, clients that keep choices in a list add the text to the wrong one.",
)

fault(
    "completions-chunk-choices-empty",
    "OAT-S-006",
    Fault.CHUNK_CHOICES_EMPTY,
    "A chunk without a choice must have usage.",
    "A piece of text may have been lost; clients that read `choices[0]` fail.",
)

fault(
    "completions-finish-missing",
    "OAT-R-004",
    Fault.FINISH_MISSING,
    "Every choice of a stream must have a finish reason.",
    "Without it, clients cannot tell a complete call from a truncated one.",
)

fault(
    "completions-finish-repeated",
    "OAT-R-004",
    Fault.FINISH_REPEATED,
    "A choice of a stream must have only one finish reason.",
    "Clients stop at the first one, and lose what comes before the second.",
)

fault(
    "completions-text-after-finish-unexpected",
    "OAT-R-004",
    Fault.TEXT_AFTER_FINISH_UNEXPECTED,
    "A choice must have no text after its finish reason.",
    "Clients stop at the finish and lose the rest of the text.",
)

fault(
    "completions-usage-missing",
    "OAT-S-006",
    Fault.USAGE_MISSING,
    "A stream must include usage if the request asks for it.",
    "Without it, billing counts nothing.",
)

fault(
    "completions-usage-unexpected",
    "OAT-S-006",
    Fault.USAGE_UNEXPECTED,
    "A stream must not have usage if the request does not ask for it.",
    "Clients that read `choices[0]` fail on a last chunk without a choice.",
)

fault(
    "completions-usage-misplaced",
    "OAT-S-006",
    Fault.USAGE_MISPLACED,
    "The chunk with usage must come after the finish of every choice.",
    "Earlier counts are not those of the whole reply.",
)
