"""The messages of a request: the blocks that each role may send."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.contract.nodes import Foreign, Node
from conformance.contract.notation import *
from conformance.dialects.anthropic_messages.contract.blocks import *
from conformance.dialects.anthropic_messages.contract.common import sent
from conformance.dialects.anthropic_messages.contract.places import SECOND_VERSION
from conformance.model.finding import Severity

_MISPLACED = cite(
    "ANT-Q-016",
    rule="messages-block-role-wrong",
    refused=400,
)
_NO_DOCUMENT = cite(
    "ANT-Q-003",
    rule="messages-field-unsupported",
    refused=400,
)
_ELSEWHERE = {
    "image_url": "a block of type `image`",
    "input_text": "a block of type `text`",
    "output_text": "a block of type `text`",
    "input_image": "a block of type `image`",
    "input_audio": "text: Messages does not support audio",
    "input_file": "a block of type `document`",
    "file": "a block of type `document`",
    "tool_call": "a block of type `tool_use`",
    "function_call": "a block of type `tool_use`",
    "function": "a block of type `tool_use`",
    "tool_response": "a block of type `tool_result`",
    "function_call_output": "a block of type `tool_result`",
    "reasoning": "a block of type `thinking`",
    "refusal": "a block of type `text`",
}
_SISTER = cite(
    "ANT-Q-012",
    rule="messages-block-malformed",
    refused=400,
)
_SISTERS: Mapping[str, Node] = {
    kind: obj(_SISTER, type=need(Foreign(instead, f"the type `{kind}`"))) for kind, instead in _ELSEWHERE.items()
}
"""Content parts of other APIs, which no beta adds."""
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use", "thinking", "redacted_thinking")
USER_BLOCK = by_known(
    TAG,
    EITHER,
    _SISTERS,
    {kind: each for kind, each in SERVER.items() if kind not in _CALLS},
    {kind: Foreign("a message of the assistant", f"a block of type `{kind}`", _MISPLACED) for kind in _CALLS},
    text=USER_TEXT,
    document=DOCUMENT,
    tool_result=RESULT,
)
ASSISTANT_BLOCK = by_known(
    TAG,
    EITHER,
    _SISTERS,
    SERVER,
    text=TEXT,
    document=obj(
        DOCUMENT,
        source=first(
            need(Foreign("a message of the user", "a document of the assistant", _NO_DOCUMENT), only=SECOND_VERSION),
            *(row for row in DOCUMENT.fields if row.name == "source"),
        ),
    ),
    tool_use=CALL,
    tool_result=Foreign("a message of the user", "a block of type `tool_result`", _MISPLACED),
)
SYSTEM_BLOCK = by({"text": TEXT, **TOOL_CHANGES}, TAG)

_MESSAGE = cite("ANT-Q-011", rule="messages-message-malformed", refused=400)
_OF_CHAT = cite("ANT-Q-011", rule="messages-message-malformed", refused=400)
_ROWS = obj(
    {"missing": _MESSAGE, "type": _MESSAGE},
    foreign(
        _OF_CHAT,
        name="the text of the message",
        tool_calls="blocks of type `tool_use`",
        function_call="a block of type `tool_use`",
        tool_call_id="`tool_use_id` in a block of type `tool_result`",
        reasoning_content="a block of type `thinking`",
        parts="`content`",
    ),
)
_NOTHING = cite("ANT-Q-018", rule="messages-text-empty", refused=400)
_LAST = cite(
    "ANT-Q-018",
    Severity.WARNING,
    because="the last assistant message may be empty, and a row does not know which one is the last",
    rule="messages-text-empty",
)
MESSAGE = by(
    "role",
    dict.fromkeys(("itself", "missing", "type", "value"), _MESSAGE),
    user=sent(_ROWS, content=need(text(1) | array(USER_BLOCK, 1), empty=_NOTHING)),
    assistant=sent(_ROWS, content=need(text(1) | array(ASSISTANT_BLOCK, 1), empty=_LAST)),
    system=sent(
        _ROWS,
        some_of("content", "output_config"),
        content=may(text(1) | array(SYSTEM_BLOCK, 1), empty=_LAST),
        clear_at=may(word("next_user_message", "never")),
        output_config=may(sent(effort=may(word("low", "medium", "high", "xhigh", "max")))),
    ),
)
