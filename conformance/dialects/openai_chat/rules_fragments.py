"""Tool calls in a Chat stream, fragment by fragment (docs/contract/openai-chat.md, OAC-S-008 to OAC-S-011)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat.grammar import Fault, hits
from conformance.judge.example import drop, example, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

_CALL = "openai-chat/stream-call"
_DELTAS = "openai 2.54 lib/streaming/_deltas.py"


def _at(event: int) -> str:
    return f"/0/response/events/{event}/data/choices/0/delta/tool_calls/0"


def _place(event: int, *rest: str) -> str:
    return join(f"0 response event/{event}/choices/0/delta/tool_calls/0", *rest)


@rule(
    "chat-tool-call-index-wrong",
    scope="stream",
    basis="observed",
    cites=["OAC-S-010 recorded traffic 105/105"],
    bugs=["pipecat-ai/pipecat#4987"],
    violating=[
        example(_CALL, *[put(f"{_at(event)}/index", 2) for event in (4, 5, 6)], at=_place(4, "index")),
        example(_CALL, swap("/0/response/events/1", "/0/response/events/4"), at=_place(1, "index")),
    ],
)
def tool_call_index_wrong(view: View) -> Iterator[Hit]:
    """The calls of a choice must have the indexes 0, 1, 2 and so on, in the order in which they begin.

    Clients that keep calls in a list fail on an index beyond its end, or leave an empty call in the gap.
    """
    yield from hits(view, Fault.TOOL_CALL_INDEX_WRONG)


@rule(
    "chat-tool-call-index-reused",
    scope="stream",
    basis="observed",
    cites=[f"OAC-S-009 {_DELTAS}"],
    bugs=[
        "ollama/ollama#15457",
        "vercel/ai#14277",
        "BerriAI/litellm#33678",
        "ai-dynamo/dynamo#4723",
        "BerriAI/litellm#21331",
        "BerriAI/litellm#37792",
        "langchain-ai/langchain#36670",
        "langchain-ai/langchain#38456",
        "langchain-ai/langchain#35281",
        "langchain-ai/langchain#34671",
        "langchain-ai/langchainjs#8433",
        "langchain-ai/langchain#38673",
    ],
    violating=[
        example(_CALL, *[put(f"{_at(event)}/index", 0) for event in (4, 5, 6)], at=_place(4, "index")),
        example(_CALL, put(f"{_at(2)}/id", "call_other"), at=_place(2, "index")),
    ],
)
def tool_call_index_reused(view: View) -> Iterator[Hit]:
    """All fragments with one index must belong to one call: no fragment may have a different id.

    Clients merge the parallel calls into one, and concatenate their names and arguments.
    """
    yield from hits(view, Fault.TOOL_CALL_INDEX_REUSED)


@rule(
    "chat-first-fragment-incomplete",
    scope="stream",
    basis="observed",
    cites=["OAC-S-009 recorded traffic 105/105"],
    bugs=["vllm-project/vllm#18412", "InternLM/lmdeploy#3412", "ggml-org/llama.cpp#11992", "ggml-org/llama.cpp#12279"],
    violating=[
        example(_CALL, drop(f"{_at(1)}/id")),
        example(_CALL, put(f"{_at(1)}/id", ""), at=_place(1)),
        example(_CALL, drop(f"{_at(4)}/type")),
        example(_CALL, drop(f"{_at(4)}/function/name"), at=_place(4)),
        example(_CALL, drop("/0/response/events/1"), at=_place(1)),
    ],
)
def first_fragment_incomplete(view: View) -> Iterator[Hit]:
    """The first fragment of a call must have its id, its type and its function's name.

    Clients announce a call when it begins, and cannot answer one without an id.
    """
    yield from hits(view, Fault.FIRST_FRAGMENT_INCOMPLETE)


@rule(
    "chat-fragment-id-repeated",
    scope="stream",
    basis="sdk-type",
    cites=[f"OAC-S-009 {_DELTAS}"],
    bugs=["vllm-project/vllm#18412"],
    conforming=[example(_CALL), example(_CALL, put(f"{_at(2)}/id", None))],
    violating=[
        example(_CALL, put(f"{_at(2)}/id", "call_a1B2c3D4e5F6g7H8i9J0k1L2")),
        example(_CALL, put(f"{_at(2)}/id", "")),
    ],
)
def fragment_id_repeated(view: View) -> Iterator[Hit]:
    """Only the first fragment of a call may have its id.

    The official SDK concatenates the strings of the fragments: the id becomes `call_1call_1`.
    """
    yield from hits(view, Fault.FRAGMENT_ID_REPEATED)


@rule(
    "chat-fragment-name-repeated",
    scope="stream",
    basis="sdk-type",
    cites=[f"OAC-S-009 {_DELTAS}", "QWE-S-002 vllm-project/vllm vllm/tool_parsers/hermes_tool_parser.py"],
    bugs=["open-webui/open-webui#22235"],
    conforming=[example(_CALL), example(_CALL, put(f"{_at(2)}/function/name", None))],
    violating=[example(_CALL, put(f"{_at(2)}/function/name", "get_weather"))],
)
def fragment_name_repeated(view: View) -> Iterator[Hit]:
    """Only the first fragment of a call may have the function's name.

    The official SDK concatenates the strings of the fragments: the name becomes `get_weatherget_weather`.
    """
    yield from hits(view, Fault.FRAGMENT_NAME_REPEATED)


@rule(
    "chat-fragments-out-of-order",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["OAC-S-011 recorded traffic 1006/1006"],
    violating=[example(_CALL, swap("/0/response/events/3", "/0/response/events/4"), at=_place(4, "index"))],
)
def fragments_out_of_order(view: View) -> Iterator[Hit]:
    """All fragments of a call must come before those of the next.

    Clients that run a call when the next one begins lose what comes later.
    """
    yield from hits(view, Fault.FRAGMENTS_OUT_OF_ORDER)
