"""The contents of a Gemini request and their parts."""

from __future__ import annotations

from conformance.contract.citation import Citation
from conformance.contract.nodes import Foreign, Object
from conformance.contract.notation import *
from conformance.dialects.gemini.content import DATA_FIELDS
from conformance.dialects.gemini.contract.common import *
from conformance.dialects.gemini.contract.places import VERTEX
from conformance.model.finding import Severity

_AMBIGUOUS = cite("GEM-Q-015", rule="gemini-part-ambiguous", refused=400)
_NO_PARTS = cite("GEM-Q-002", rule="gemini-parts-missing", refused=400)
_ROLE = cite("GEM-Q-002", rule="gemini-role-unknown", refused=400)
_SYSTEM = cite("GEM-Q-003", rule="gemini-role-unknown", refused=400)
_SIDE = cite(
    "GEM-C-010",
    Severity.ERROR,
    because="the legacy role is accepted, but not a call of the user",
    rule="gemini-result-role-wrong",
    refused=400,
)
_OLD = cite("GEM-C-010", rule="gemini-result-role-wrong", fix="give it the role `user`")
_IDLE = cite("GEM-Q-035")
_METADATA = ("videoMetadata", "audioMetadata", "documentMetadata", "spreadsheetMetadata")
_OF_MEDIA = ("audioTranscription", "mediaProcessing", "mediaResolution")

# Data -------------------------------------------------------------------------------------------------------------
_VIDEO_METADATA = sent(
    startOffset=may(DURATION),
    endOffset=may(DURATION),
    fps=may(real(0, 24), cite("GEM-Q-022")),
    contentLayers=may(array(enum(*VIDEO_LAYERS))),
)
_DOCUMENT_METADATA = sent(
    startPage=may(whole(1), cite("GEM-Q-046")),
    endPage=may(whole(1), cite("GEM-Q-046")),
    contentLayers=may(array(enum(*PAGE_LAYERS))),
)
_SPREADSHEET_METADATA = sent(
    visibleCells=may(CELLS, cite("GEM-Q-046")),
    sheetIndex=may(whole(1), cite("GEM-Q-046")),
    contentLayers=may(array(enum(*SHEET_LAYERS))),
)
_LEVELS = words_of("MEDIA_RESOLUTION_", "UNSPECIFIED LOW MEDIUM HIGH ULTRA_HIGH")
_READ_MEDIA = {
    "audioMetadata": may(sent(startOffset=may(DURATION), endOffset=may(DURATION))),
    "documentMetadata": may(_DOCUMENT_METADATA),
    "mediaResolution": may(sent(level=may(enum(*_LEVELS)), numTokens=may(whole(0)))),
    "spreadsheetMetadata": may(_SPREADSHEET_METADATA),
    "videoMetadata": may(_VIDEO_METADATA),
}
"""How the service reads a video, a sound, a document or a spreadsheet."""
BLOB = sent(data=need(text(1)), mimeType=need(text(1)), displayName=may(text()))
FILE = sent(
    fileUri=need(text(1)),
    mimeType=first(need(text(1), only=VERTEX), may(text(1))),  # the Gemini API detects it
    displayName=may(text()),
)
_PARTIAL = sent(
    at_most_one_of("boolValue", "nullValue", "numberValue", "stringValue"),
    jsonPath=need(text(1)),
    boolValue=may(boolean),
    nullValue=may(word("NULL_VALUE")),
    numberValue=may(real()),
    stringValue=may(text()),
    willContinue=may(boolean),
)
CALL = sent(
    id=may(text()),
    name=may(text()),  # the rules about calls report a call without one
    args=may(mapping(), cite("GEM-Q-014", rule="gemini-history-args-wrong-type", refused=400)),
    partialArgs=on_vertex(many(_PARTIAL)),
    willContinue=on_vertex(boolean),
)
_WITHOUT = cite(
    "GEM-Q-012", Severity.WARNING, because="Gemini 3.5 accepted one without a response", rule="gemini-result-wrong-type"
)
_PARTS = sent(
    _READ_MEDIA,
    one_of("inlineData", "fileData"),
    inlineData=may(BLOB),
    fileData=may(FILE),
    mediaProcessing=on_google(enum(*MEDIA_PROCESSING)),
)
_RESULT = sent(
    id=may(text()),
    name=need(text(1), cite("GEM-Q-013", rule="gemini-result-name-missing", refused=400)),
    response=should(mapping(), cite("GEM-Q-012", rule="gemini-result-wrong-type", refused=400), missing=_WITHOUT),
    parts=may(many(_PARTS)),
    scheduling=may(enum(*SCHEDULING)),
    willContinue=on_google(boolean),
)
RESULT = cases(
    ("parts", snaked(obj(_RESULT, response=may(mapping(), cite("GEM-Q-012", rule="gemini-result-wrong-type"))))),
    otherwise=_RESULT,
)

_WORD = sent(word=need(text()), startOffset=may(DURATION), endOffset=may(DURATION))
_AUDIO_TRANSCRIPTION = sent(
    text=may(text()),
    finished=may(boolean),
    languageCode=may(text()),
    speakerLabel=may(text()),
    words=may(many(_WORD)),
    startOffset=may(DURATION),
    endOffset=may(DURATION),
)
PART = sent(
    _READ_MEDIA,
    # A part with only a signature was accepted too (WIRE 16.1), and one with only `videoMetadata`.
    some_of(*DATA_FIELDS, "audioTranscription", "thoughtSignature", "videoMetadata", cite=_AMBIGUOUS),
    at_most_one_of(*DATA_FIELDS, cite=_AMBIGUOUS),
    *(needs(each, "inlineData", "fileData", cite=_IDLE) for each in (*_METADATA, *_OF_MEDIA)),
    needs("speechMetadata", "text", cite=_IDLE),
    text=may(text()),
    inlineData=may(BLOB),
    fileData=may(FILE),
    functionCall=may(CALL),
    functionResponse=may(RESULT),
    executableCode=may(
        sent(id=may(text()), code=need(text()), language=need(enum(*LANGUAGES))),
    ),
    codeExecutionResult=may(sent(id=may(text()), outcome=need(enum(*OUTCOMES)), output=may(text()))),
    toolCall=on_google(sent(id=may(text()), toolType=may(enum(*SERVER_TOOLS)), args=may(mapping()))),
    toolResponse=on_google(sent(id=may(text()), toolType=may(enum(*SERVER_TOOLS)), response=may(mapping()))),
    thought=may(boolean),
    thoughtSignature=may(text()),
    partMetadata=on_google(mapping()),
    mediaProcessing=may(enum(*MEDIA_PROCESSING)),
    speechMetadata=may(sent(speaker=may(text()), style=may(text()))),
    audioTranscription=may(_AUDIO_TRANSCRIPTION),
)


_NOTHING_SAID = cite(
    "GEM-Q-002",
    Severity.WARNING,
    because="an empty turn of the model was accepted, twice, as Google itself had sent it",
    rule="gemini-parts-missing",
)


def _content(part: Object, citation: Citation = _NO_PARTS) -> Object:
    return sent(role=may(text()), parts=need(many(part, 1), missing=citation, empty=citation))


_NO_CALL = may(Foreign("a content of role `model`"), _SIDE)
_USERS = snaked(obj(PART, functionCall=_NO_CALL))
_INSTRUCTION = Foreign("`systemInstruction`", "a content with this role", _SYSTEM)

CONTENT = by(
    "role",
    {"value": _ROLE, "type": _ROLE},
    user=_content(_USERS),
    model=_content(PART, _NOTHING_SAID),
    function=obj(_content(_USERS), role=may(word("function"), deprecated=_OLD)),
    system=_INSTRUCTION,
    developer=_INSTRUCTION,
    absent="user",
)
"""A single content may leave its role out, and a later one too: the service reads it as the user's (WIRE 16.1)."""
SYSTEM = _content(
    PART,
    cite(
        "GEM-Q-002",
        Severity.WARNING,
        because="no refusal of an empty system instruction is known; the statement is about `contents`",
        rule="gemini-parts-missing",
    ),
)
"""The role of a system instruction has no effect: `user` and `system` were accepted."""
