"""A Gemini reply, a chunk of a stream, and an error, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Node
from conformance.contract.notation import *
from conformance.contract.situation import when
from conformance.dialects.gemini.content import DATA_FIELDS
from conformance.dialects.gemini.contract.common import *
from conformance.dialects.gemini.contract.grounding import CITATIONS, GROUNDING
from conformance.model.finding import Severity

# Parts ------------------------------------------------------------------------------------------------------------
_BLOB = obj(data=need(text(1)), mimeType=need(text(1)), displayName=may(text()))
_FILE = obj(fileUri=need(text(1)), mimeType=may(text(1)), displayName=may(text()))
_PARTIAL = obj(
    jsonPath=need(text(1)),
    boolValue=may(boolean),
    nullValue=may(word("NULL_VALUE") | null),
    numberValue=may(NUMBER),
    stringValue=may(text()),
    willContinue=may(boolean),
)
_NO_ID = cite(
    "GEM-R-035",
    rule="gemini-call-id-missing",
)
_READ = cite(breaks="google-genai 2 raises")
CALL = obj(
    id=first(should(text(), missing=_NO_ID, only=when("google", model="gemini-3")), may(text())),
    name=may(text(), type=_READ),  # the rules about calls report a call without one
    args=may(mapping(), type=_READ),
    partialArgs=may(array(_PARTIAL)),
    willContinue=may(boolean),
)
_LEVELS = words_of("MEDIA_RESOLUTION_", "UNSPECIFIED LOW MEDIUM HIGH ULTRA_HIGH")
_AMBIGUOUS = cite("GEM-Q-015", rule="gemini-reply-part-ambiguous")
_NEW = cite(
    "GEM-Q-015",
    Severity.WARNING,
    because="a new kind of part has a field of its own",
    rule="gemini-reply-part-ambiguous",
)
_EMPTY = cite(
    "GEM-Q-015",
    Severity.WARNING,
    because="Vertex AI sent an empty one between a text and an image; clients skip it",
    rule="gemini-reply-part-ambiguous",
)
_MISPLACED = cite("GEM-R-012", rule="gemini-reply-part-misplaced")
_AUDIO_TRANSCRIPTION = obj(
    text=may(text()),
    finished=may(boolean),
    languageCode=may(text()),
    speakerLabel=may(text()),
    words=may(array(obj(word=may(text()), startOffset=may(DURATION), endOffset=may(DURATION)))),
    startOffset=may(DURATION),
    endOffset=may(DURATION),
)
_SPAN = {"startOffset": may(DURATION), "endOffset": may(DURATION)}
_DOCUMENT_METADATA = obj(
    startPage=may(integer(1), cite("GEM-Q-046")),
    endPage=may(integer(1), cite("GEM-Q-046")),
    contentLayers=may(array(member(*PAGE_LAYERS))),
)
_SPREADSHEET_METADATA = obj(
    visibleCells=may(text()),
    sheetIndex=may(integer(1), cite("GEM-Q-046")),
    contentLayers=may(array(member(*SHEET_LAYERS))),
)
_READ_MEDIA = {
    "audioMetadata": may(obj(_SPAN)),
    "documentMetadata": may(_DOCUMENT_METADATA),
    "mediaProcessing": may(member(*MEDIA_PROCESSING)),
    "mediaResolution": may(obj(level=may(member(*_LEVELS)), numTokens=may(COUNT))),
    "spreadsheetMetadata": may(_SPREADSHEET_METADATA),
    "videoMetadata": may(obj(_SPAN, fps=may(number(0, 24)), contentLayers=may(array(member(*VIDEO_LAYERS))))),
}
"""How the service reads a video, a sound, a document or a spreadsheet."""
_RESULT = obj(
    id=may(text()),
    name=may(text(1)),
    response=may(mapping()),
    parts=may(array(obj(_READ_MEDIA, inlineData=may(_BLOB), fileData=may(_FILE)))),
    scheduling=may(member(*SCHEDULING)),
    willContinue=may(boolean),
)
_FIELDS = obj(
    _READ_MEDIA,
    text=may(text(), type=_READ),
    inlineData=may(_BLOB),
    fileData=may(_FILE),
    functionCall=may(CALL, type=_READ),
    functionResponse=may(_RESULT),
    executableCode=may(obj(id=may(text()), code=should(text()), language=should(member(*LANGUAGES)))),
    codeExecutionResult=may(obj(id=may(text()), outcome=should(member(*OUTCOMES)), output=may(text()))),
    toolCall=may(obj(id=may(text()), toolType=may(member(*SERVER_TOOLS)), args=may(mapping()))),
    toolResponse=may(obj(id=may(text()), toolType=may(member(*SERVER_TOOLS)), response=may(mapping()))),
    thought=may(boolean),
    thoughtSignature=may(text(1), empty=cite("GEM-R-008")),
    partMetadata=may(mapping()),
    speechMetadata=may(obj(speaker=may(text()), style=may(text()))),
    audioTranscription=may(_AUDIO_TRANSCRIPTION),
)


def _only(name: str, instead: str) -> tuple[str, Node]:
    """A part with a field that no reply has."""
    return name, obj({name: may(Foreign(instead), _MISPLACED)})


PART = cases(
    # Replies are in camel case.
    *(_only(each, f"`{right}`") for each, right in (("function_call", "functionCall"), ("inline_data", "inlineData"))),
    *(_only(each, f"`{right}`") for each, right in (("file_data", "fileData"), ("executable_code", "executableCode"))),
    _only("function_response", "`functionCall`"),
    _only("code_execution_result", "`codeExecutionResult`"),
    (bare(), obj(some_of(*DATA_FIELDS, cite=_EMPTY))),
    # A part of an unknown kind may be new.
    (bare("thought", "thoughtSignature", "partMetadata"), obj(_FIELDS, some_of(*DATA_FIELDS, cite=_AMBIGUOUS))),
    otherwise=obj(
        _FIELDS,
        some_of(*DATA_FIELDS, cite=_NEW),
        at_most_one_of(*DATA_FIELDS, cite=_AMBIGUOUS),
    ),
)
_MODEL_CONTENT = obj(
    role=need(word("model"), cite("GEM-R-002", rule="gemini-reply-role-wrong")),
    parts=may(array(PART)),
)
CONTENT = cases(("parts", _MODEL_CONTENT), ("role", _MODEL_CONTENT), otherwise=obj())
"""Empty content, of a candidate that ended without output, has no role."""

# Candidates -------------------------------------------------------------------------------------------------------
_PROBABILITIES = ("HARM_PROBABILITY_UNSPECIFIED", "NEGLIGIBLE", "LOW", "MEDIUM", "HIGH")
_SEVERITIES = words_of("HARM_SEVERITY_", "UNSPECIFIED NEGLIGIBLE LOW MEDIUM HIGH")
RATINGS = array(
    obj(
        category=may(member(*CATEGORIES)),
        probability=may(member(*_PROBABILITIES)),
        probabilityScore=of_vertex(NUMBER),
        severity=of_vertex(member(*_SEVERITIES)),
        severityScore=of_vertex(NUMBER),
        blocked=may(boolean),
        overwrittenThreshold=of_vertex(member(*THRESHOLDS)),
    )
)
_TOKEN = obj(token=may(text()), tokenId=may(integer()), logProbability=may(NUMBER))
_LOGPROBS = obj(
    chosenCandidates=may(array(_TOKEN)),
    topCandidates=may(array(obj(candidates=may(array(_TOKEN))))),
    logProbabilitySum=of_google(NUMBER),
)
_RETRIEVED = words_of("URL_RETRIEVAL_STATUS_", "UNSPECIFIED SUCCESS ERROR PAYWALL UNSAFE")
_SOURCE_ID = obj(
    groundingPassage=may(obj(passageId=may(text()), partIndex=may(COUNT))),
    semanticRetrieverChunk=may(obj(source=may(text()), chunk=may(text()))),
)
_ATTRIBUTION = obj(
    sourceId=may(_SOURCE_ID),
    content=may(anything),  # what was attributed, of whatever role
)
_URL_CONTEXT_METADATA = obj(
    urlMetadata=may(
        array(obj(retrievedUrl=may(text()), urlRetrievalStatus=may(member(*_RETRIEVED)))),
    )
)
_CANDIDATE = obj(
    content=may(CONTENT, type=_READ),
    finishReason=may(text() | integer(0)),  # a rule judges its values, with a higher severity if there are calls
    finishMessage=may(text()),
    index=may(COUNT),
    tokenCount=may(COUNT),
    avgLogprobs=may(NUMBER),
    logprobsResult=may(_LOGPROBS),
    safetyRatings=may(RATINGS),
    citationMetadata=may(CITATIONS),
    groundingMetadata=may(GROUNDING),
    groundingAttributions=may(array(_ATTRIBUTION)),
    urlContextMetadata=may(_URL_CONTEXT_METADATA),
    continuationToken=may(text(1)),
)
_UNFINISHED = cite("GEM-R-004", rule="gemini-finish-reason-missing")
_CANDIDATES = cite("GEM-R-001", rule="gemini-candidates-missing")
_FINISHED = obj(_CANDIDATE, finishReason=need(text() | integer(0), missing=_UNFINISHED))

# Usage and the rest -----------------------------------------------------------------------------------------------
_MODALITIES = ("MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "VIDEO", "AUDIO", "DOCUMENT")
_DETAILS = may(array(obj(modality=may(member(*_MODALITIES)), tokenCount=may(COUNT))))
_TRAFFIC = (
    *("TRAFFIC_TYPE_UNSPECIFIED", "ON_DEMAND", "ON_DEMAND_PRIORITY", "ON_DEMAND_FLEX", "ON_DEMAND_OFFPEAK"),
    "PROVISIONED_THROUGHPUT",
)
_USAGE = obj(
    promptTokenCount=may(COUNT),
    candidatesTokenCount=may(COUNT),
    thoughtsTokenCount=may(COUNT),
    toolUsePromptTokenCount=may(COUNT),
    cachedContentTokenCount=may(COUNT),
    totalTokenCount=may(COUNT),
    promptTokensDetails=_DETAILS,
    candidatesTokensDetails=_DETAILS,
    cacheTokensDetails=_DETAILS,
    toolUsePromptTokensDetails=_DETAILS,
    trafficType=may(member(*_TRAFFIC)),
    serviceTier=may(member("unspecified", "standard", "flex", "priority")),
)
_NO_USAGE = cite("GEM-R-009", rule="gemini-usage-missing")
_FROM_2 = when(no=when(model="gemini-1"))
_NO_NAME = cite("GEM-R-010", rule="gemini-identity-missing")
_NAMED = first(should(text(1), missing=_NO_NAME, empty=_NO_NAME, only=_FROM_2), may(text(1)))
_STAGES = words_of(
    "", "MODEL_STAGE_UNSPECIFIED UNSTABLE_EXPERIMENTAL EXPERIMENTAL PREVIEW STABLE LEGACY DEPRECATED RETIRED"
)
_BLOCKED = words_of(
    "",
    """BLOCK_REASON_UNSPECIFIED BLOCKED_REASON_UNSPECIFIED SAFETY OTHER BLOCKLIST PROHIBITED_CONTENT IMAGE_SAFETY
    MODEL_ARMOR JAILBREAK""",
)
_REPLY = obj(
    promptFeedback=may(
        obj(blockReason=may(member(*_BLOCKED)), blockReasonMessage=of_vertex(text()), safetyRatings=may(RATINGS)),
    ),
    modelVersion=_NAMED,
    responseId=_NAMED,
    createTime=may(TIME),
    modelStatus=of_google(obj(message=may(text()), modelStage=may(member(*_STAGES)), retirementTime=may(TIME))),
    usageMetadata=may(_USAGE),
)
_USAGE_METADATA = obj(
    _USAGE,
    promptTokenCount=should(COUNT, missing=_NO_USAGE),
    totalTokenCount=should(COUNT, missing=_NO_USAGE),
)
REPLY = cases(
    # Of a prompt that a filter in front of the model stopped, no tokens are counted.
    ("promptFeedback.blockReason", obj(_REPLY, candidates=may(array(_FINISHED)))),
    otherwise=obj(
        _REPLY,
        usageMetadata=should(_USAGE_METADATA, missing=_NO_USAGE),
        candidates=need(array(_FINISHED, 1), missing=_CANDIDATES, empty=_CANDIDATES),
    ),
)

# Errors -----------------------------------------------------------------------------------------------------------
_SILENT_MESSAGE = cite("GEM-R-011", Severity.WARNING, because="clients show the status where the message is empty")
_FAILURE_ERROR = obj(
    code=need(integer()),  # a rule compares it with the HTTP status and the status name
    message=need(text(1), empty=_SILENT_MESSAGE),
    status=need(text(1)),
    details=may(array(mapping())),
)
_FAILURE = obj(cite("GEM-R-011", rule="gemini-error-malformed"), error=need(_FAILURE_ERROR))
ERROR = _FAILURE | array(_FAILURE)
"""A stream's failure may be in an array of one."""
CHUNK = cases(("error", _FAILURE), otherwise=obj(_REPLY, candidates=may(array(_CANDIDATE)))) | array(
    cases(("error", _FAILURE), otherwise=anything)
)
"""The rule about events reports an array that is not an error."""
