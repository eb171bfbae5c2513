"""The messages of a request: the blocks that each role may send."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dialects.anthropic_messages.contract.blocks import (
    CALL,
    DOCUMENT,
    EITHER,
    RESULT,
    SERVER,
    TAG,
    TEXT,
    TOOL_CHANGES,
    USER_TEXT,
)
from conformance.dialects.anthropic_messages.contract.common import sent
from conformance.dialects.anthropic_messages.contract.places import SECOND_VERSION
from conformance.judge.contract.nodes import Foreign, Node
from conformance.judge.contract.notation import (
    array,
    by,
    by_known,
    first,
    foreign,
    may,
    need,
    obj,
    some_of,
    tell,
    text,
    word,
)
from conformance.model.finding import Severity

_MISPLACED = tell(
    "ANT-Q-016 anthropic 2.11 types/message_create_params.py",
    Severity.ERROR,
    rule="messages-block-role-wrong",
    refused=400,
)
_NO_DOCUMENT = tell(
    "ANT-Q-003 platform.claude.com/docs/en/api/versioning",
    Severity.ERROR,
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
_SISTER = tell(
    "ANT-Q-012 anthropic 2.11 types/content_block_param.py",
    Severity.ERROR,
    rule="messages-block-malformed",
    refused=400,
)
_SISTERS: Mapping[str, Node] = {
    kind: obj(_SISTER, type=need(Foreign(instead, f"the type `{kind}`"))) for kind, instead in _ELSEWHERE.items()
}
"""Content parts of other APIs, which no beta adds."""
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use", "thinking", "redacted_thinking")
USER_BLOCK = by_known(
    "type",
    {
        **EITHER,
        **_SISTERS,
        **{kind: each for kind, each in SERVER.items() if kind not in _CALLS},
        **{kind: Foreign("a message of the assistant", f"a block of type `{kind}`", _MISPLACED) for kind in _CALLS},
        "text": USER_TEXT,
        "document": DOCUMENT,
        "tool_result": RESULT,
    },
    TAG,
)
ASSISTANT_BLOCK = by_known(
    "type",
    {
        **EITHER,
        **_SISTERS,
        **SERVER,
        "text": TEXT,
        "document": obj(
            DOCUMENT,
            source=first(
                need(
                    Foreign("a message of the user", "a document of the assistant", _NO_DOCUMENT), only=SECOND_VERSION
                ),
                *(row for row in DOCUMENT.fields if row.name == "source"),
            ),
        ),
        "tool_use": CALL,
        "tool_result": Foreign("a message of the user", "a block of type `tool_result`", _MISPLACED),
    },
    TAG,
)
SYSTEM_BLOCK = by("type", {"text": TEXT, **TOOL_CHANGES}, TAG)

_MESSAGE = tell("ANT-Q-011 anthropic 2.11 types/message_param.py", rule="messages-message-malformed", refused=400)
_OF_CHAT = tell("ANT-Q-011 microsoft/autogen#3034", Severity.ERROR, rule="messages-message-malformed", refused=400)
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
_NOTHING = tell("ANT-Q-018 anthropics/claude-code#6774", rule="messages-text-empty", refused=400)
_LAST = tell("ANT-Q-018 anthropics/claude-code#6774", Severity.WARNING, rule="messages-text-empty")
"""The last assistant message may be empty, and a row does not know which one is the last."""
MESSAGE = by(
    "role",
    {
        "user": sent(_ROWS, content=need(text(1) | array(USER_BLOCK, 1), empty=_NOTHING)),
        "assistant": sent(_ROWS, content=need(text(1) | array(ASSISTANT_BLOCK, 1), empty=_LAST)),
        "system": sent(
            _ROWS,
            some_of("content", "output_config"),
            content=may(text(1) | array(SYSTEM_BLOCK, 1), empty=_LAST),
            clear_at=may(word("next_user_message", "never")),
            output_config=may(sent(effort=may(word("low", "medium", "high", "xhigh", "max")))),
        ),
    },
    dict.fromkeys(("itself", "missing", "type", "value"), _MESSAGE),
)
