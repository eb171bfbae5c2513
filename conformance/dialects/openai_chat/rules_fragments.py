"""Tool calls in a Chat stream, fragment by fragment (docs/contract/openai-chat.md, OAC-S-008 to OAC-S-011)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat.grammar import hits
from conformance.dialects.openai_chunks import Fault
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

_DELTAS = "openai 2.54 lib/streaming/_deltas.py"


@rule(
    "chat-tool-call-index-wrong",
    scope="stream",
    cites="OAC-S-010",
)
def tool_call_index_wrong(view: View) -> Iterator[Hit]:
    """The calls of a choice must have the indexes 0, 1, 2 and so on, in the order in which they begin.

    Clients that keep calls in a list fail on an index beyond its end, or leave an empty call in the gap.
    """
    yield from hits(view, Fault.TOOL_CALL_INDEX_WRONG)


@rule(
    "chat-tool-call-index-reused",
    scope="stream",
    cites="OAC-S-009",
)
def tool_call_index_reused(view: View) -> Iterator[Hit]:
    """All fragments with one index must belong to one call: no fragment may have a different id.

    Clients merge the parallel calls into one, and concatenate their names and arguments.
    """
    yield from hits(view, Fault.TOOL_CALL_INDEX_REUSED)


@rule(
    "chat-first-fragment-incomplete",
    scope="stream",
    cites="OAC-S-009",
)
def first_fragment_incomplete(view: View) -> Iterator[Hit]:
    """The first fragment of a call must have its id, its type and its function's name.

    Clients announce a call when it begins, and cannot answer one without an id.
    """
    yield from hits(view, Fault.FIRST_FRAGMENT_INCOMPLETE)


@rule(
    "chat-fragment-id-repeated",
    scope="stream",
    cites="OAC-S-009",
)
def fragment_id_repeated(view: View) -> Iterator[Hit]:
    """Only the first fragment of a call may have its id.

    The official SDK concatenates the strings of the fragments: the id becomes `call_1call_1`.
    """
    yield from hits(view, Fault.FRAGMENT_ID_REPEATED)


@rule(
    "chat-fragment-name-repeated",
    scope="stream",
    cites=["OAC-S-009", "QWE-S-002"],
    because="QWE-S-002 is about the text behind the chat; the SDK doubles the name whatever the text",
)
def fragment_name_repeated(view: View) -> Iterator[Hit]:
    """Only the first fragment of a call may have the function's name.

    The official SDK concatenates the strings of the fragments: the name becomes `get_weatherget_weather`.
    """
    yield from hits(view, Fault.FRAGMENT_NAME_REPEATED)


@rule(
    "chat-fragments-out-of-order",
    scope="stream",
    cites="OAC-S-011",
)
def fragments_out_of_order(view: View) -> Iterator[Hit]:
    """All fragments of a call must come before those of the next.

    Clients that run a call when the next one begins lose what comes later.
    """
    yield from hits(view, Fault.FRAGMENTS_OUT_OF_ORDER)
