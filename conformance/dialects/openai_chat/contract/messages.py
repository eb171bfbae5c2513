"""The messages of a Chat request: the content of each role, and the calls of a history."""

from __future__ import annotations

from conformance.contract.nodes import Foreign
from conformance.contract.notation import *
from conformance.dialects.openai_chat.contract.places import ELSEWHERE, FIRST_REASONING, NO_AUDIO, OFFICIAL
from conformance.model.finding import Severity

_INCOMPLETE = cite("OAC-Q-016", rule="chat-history-call-incomplete", refused=400)
_CONTENT = cite("OAC-Q-019", rule="chat-content-wrong-type", refused=400)
_PART = {
    "value": cite("OAC-Q-023", rule="chat-content-part-unknown", refused=400),
    "missing": _CONTENT,
    "type": _CONTENT,
}
_TEXT_ONLY = {**_PART, "value": cite("OAC-Q-019", rule="chat-tool-content-unsupported", refused=400)}
_WARNED = {
    **_TEXT_ONLY,
    "value": cite(
        "OAC-Q-019",
        Severity.WARNING,
        because="OpenAI refuses it; some compatible servers read pictures there",
        rule="chat-tool-content-unsupported",
    ),
}
_ID = {"length": cite("OAC-Q-020", rule="chat-tool-call-id-too-long")}

# Content parts ----------------------------------------------------------------------------------------------------
_BREAKPOINT = may(obj(mode=need(word("explicit")), ttl=may(word("30m", "12h"))))
TEXT_PART = obj(text=need(text()), prompt_cache_breakpoint=_BREAKPOINT)
IMAGE_PART = obj(
    # A string belongs to the Responses API; the server refuses it.
    image_url=need(obj(url=need(text(1)), detail=may(word("auto", "low", "high", "original")))),
    prompt_cache_breakpoint=_BREAKPOINT,
)
AUDIO_PART = obj(
    input_audio=first(
        need(Foreign("a model that takes audio"), refusal("OAC-Q-023"), only=NO_AUDIO),
        need(obj(data=need(text(1)), format=need(word("wav", "mp3")))),
    ),
    prompt_cache_breakpoint=_BREAKPOINT,
)
_FILE = obj(
    one_of("file_id", "file_data"),
    needs(
        "file_data",
        "filename",
        cite=cite(severity=Severity.WARNING, because="the documents ask for the name; no refusal is known"),
        only=OFFICIAL,
    ),
    filename=may(text()),
    file_data=first(
        may(text(1, pattern=r"data:[^,]*;base64,[\s\S]*"), only=OFFICIAL, pattern=refusal("OAC-Q-023")),
        may(text(1)),
    ),
    file_id=may(text(1)),
)
FILE_PART = obj(file=need(_FILE), prompt_cache_breakpoint=_BREAKPOINT)
REFUSAL_PART = obj(refusal=need(text()))

_TEXTS = array(by(_PART, text=TEXT_PART), 1)
_USERS = array(by(_PART, text=TEXT_PART, image_url=IMAGE_PART, input_audio=AUDIO_PART, file=FILE_PART), 1)
_ASSISTANTS = array(by(_PART, text=TEXT_PART, refusal=REFUSAL_PART), 1)
_RESULTS = array(by(_TEXT_ONLY, text=TEXT_PART), 1)
_RESULTS_ELSEWHERE = array(by(_WARNED, text=TEXT_PART), 1)

_CALLED = first(
    need(
        text(1, pattern="[a-zA-Z0-9_-]{1,64}"),
        pattern=refusal("OAC-Q-004", rule="chat-history-call-name-invalid"),
        only=OFFICIAL,
    ),
    need(text(1)),
)
# Calls of a history -----------------------------------------------------------------------------------------------
HISTORY_CALL = by(
    _INCOMPLETE,
    function=obj(
        _INCOMPLETE,
        id=need(text(1, 40), _ID),
        function=need(obj(name=_CALLED, arguments=need(text(), cite("OAC-Q-017")))),
    ),
    custom=obj(
        _INCOMPLETE,
        id=need(text(1, 40), _ID),
        custom=need(obj(name=_CALLED, input=need(text()))),
    ),
)
_NO_CALLS = cite("OAC-Q-015", rule="chat-history-tool-calls-empty", refused=400)
_CALLS_ELSEWHERE = may(array(HISTORY_CALL, 1), _NO_CALLS)
"""On other roles than the assistant's, where calls have no meaning, an empty array is still refused."""

# Messages by role -------------------------------------------------------------------------------------------------
_PROMPT_FIELDS = {"content": need(text() | _TEXTS, _CONTENT), "name": may(text()), "tool_calls": _CALLS_ELSEWHERE}
_NAMED_ROLE = first(
    may(word("user"), refusal("OAC-Q-014", rule="chat-role-unknown"), only=FIRST_REASONING)
)  # o1-mini and o1-preview: 400 `unsupported_value`, recorded
_EMPTY_BESIDE_CALLS = cite(
    "OAC-Q-018",
    Severity.WARNING,
    because="the document forbids it, but OpenAI, Azure and others accept it beside calls",
)
ASSISTANT = obj(
    some_of(
        *("content", "tool_calls", "function_call", "refusal", "audio"),
        cite=cite("OAC-Q-018", rule="chat-assistant-message-empty", refused=400),
    ),
    content=may(text() | _ASSISTANTS | null, _CONTENT, empty=_EMPTY_BESIDE_CALLS),
    refusal=may(text() | null),
    name=may(text()),
    audio=may(obj(id=need(text(1))) | null),
    tool_calls=may(array(HISTORY_CALL, 1), _NO_CALLS),
    function_call=may(obj(name=need(text(1)), arguments=need(text())) | null),
)
TOOL = obj(
    tool_call_id=need(text(1), cite("OAC-Q-019", rule="chat-tool-message-id-missing", refused=400)),
    content=first(
        need(text() | _RESULTS_ELSEWHERE, _CONTENT, only=ELSEWHERE),
        need(text() | _RESULTS, _CONTENT),
    ),
    tool_calls=_CALLS_ELSEWHERE,
)
MESSAGE = by(
    "role",
    dict.fromkeys(("missing", "type", "value"), cite("OAC-Q-014", rule="chat-role-unknown", refused=400)),
    developer=obj(_PROMPT_FIELDS, role=_NAMED_ROLE),
    system=obj(_PROMPT_FIELDS, role=_NAMED_ROLE),
    user=obj(_PROMPT_FIELDS, content=need(text() | _USERS, _CONTENT)),
    assistant=ASSISTANT,
    tool=TOOL,
    function=obj(
        role=may(
            word("function"),
            deprecated=cite("OAC-Q-021", rule="chat-functions-deprecated", fix="answer in a message of role `tool`"),
        ),
        name=need(text(1)),
        content=need(text() | null, _CONTENT),
    ),
)
