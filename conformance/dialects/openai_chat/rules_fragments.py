"""Tool calls in a Chat stream, fragment by fragment (docs/contract/openai-chat.md, OAC-S-008 to OAC-S-011)."""

from __future__ import annotations

from functools import partial

from conformance.dialects.openai_chat.grammar import hits
from conformance.dialects.openai_chunks import Fault
from conformance.judge.walked import walked

fault = partial(walked, __name__, hits)

fault(
    "chat-tool-call-index-wrong",
    "OAC-S-010",
    Fault.TOOL_CALL_INDEX_WRONG,
    "The calls of a choice must have the indexes 0, 1, 2 and so on, in the order in which they begin.",
    "Clients that keep calls in a list fail on an index beyond its end, or leave an empty call in the gap.",
)

fault(
    "chat-tool-call-index-reused",
    "OAC-S-009",
    Fault.TOOL_CALL_INDEX_REUSED,
    "All fragments with one index must belong to one call: no fragment may have a different id.",
    "Clients merge the parallel calls into one, and concatenate their names and arguments.",
)

fault(
    "chat-first-fragment-incomplete",
    "OAC-S-009",
    Fault.FIRST_FRAGMENT_INCOMPLETE,
    "The first fragment of a call must have its id, its type and its function's name.",
    "Clients announce a call when it begins, and cannot answer one without an id.",
)

fault(
    "chat-fragment-id-repeated",
    "OAC-S-009",
    Fault.FRAGMENT_ID_REPEATED,
    "Only the first fragment of a call may have its id.",
    "The official SDK concatenates the strings of the fragments: the id becomes `call_1call_1`.",
)

fault(
    "chat-fragment-name-repeated",
    ["OAC-S-009", "QWE-S-002"],
    Fault.FRAGMENT_NAME_REPEATED,
    "Only the first fragment of a call may have the function's name.",
    "The official SDK concatenates the strings of the fragments: the name becomes `get_weatherget_weather`.",
    because="QWE-S-002 is about the text behind the chat; the SDK doubles the name whatever the text",
)

fault(
    "chat-fragments-out-of-order",
    "OAC-S-011",
    Fault.FRAGMENTS_OUT_OF_ORDER,
    "All fragments of a call must come before those of the next.",
    "Clients that run a call when the next one begins lose what comes later.",
)
