"""The tools of a Gemini request, and their calling mode."""

from __future__ import annotations

from conformance.contract.nodes import Foreign, Object
from conformance.contract.notation import *
from conformance.dialects.gemini.contract.common import *
from conformance.dialects.gemini.contract.places import VERTEX
from conformance.dialects.gemini.contract.retrieval import AUTH, RETRIEVAL
from conformance.dialects.gemini.contract.schemas import PARAMETERS, ROOT
from conformance.dialects.gemini.request import MODES
from conformance.model.finding import Severity

_MALFORMED = cite("GEM-Q-004", rule="gemini-tool-malformed", refused=400)
_NAMED = cite("GEM-Q-005", rule="gemini-tool-name-invalid", refused=400)
_LONG = cite(
    "GEM-Q-005",
    Severity.WARNING,
    because="the document allows 128 characters, and one thread reports a refusal above 64",
    rule="gemini-tool-name-invalid",
)
_BOTH = cite("GEM-Q-006", rule="gemini-parameter-schemas-conflicting", refused=400)
_TOO_MANY = cite("GEM-Q-016", rule="gemini-declarations-too-many")
_MODE = cite("GEM-Q-010", rule="gemini-calling-mode-unknown", refused=400)

DECLARATION = sent(
    excludes("parameters", "parametersJsonSchema", cite=_BOTH),
    excludes("response", "responseJsonSchema", cite=_BOTH),
    # 128 in the documents, 64 in the server's refusals of 2025.
    name=need(text(1, 64, "[A-Za-z_][A-Za-z0-9_.:-]{0,127}"), _NAMED, length=_LONG),
    description=may(text()),
    parameters=may(PARAMETERS),
    parametersJsonSchema=may(mapping()),  # the rules about schemas judge its content
    response=may(ROOT),
    responseJsonSchema=may(anything),
    behavior=may(enum("UNSPECIFIED", "BLOCKING", "NON_BLOCKING")),
)

# Built-in tools ---------------------------------------------------------------------------------------------------
_NOTHING = may(sent())
_CONFIDENCE = enum(
    "PHISH_BLOCK_THRESHOLD_UNSPECIFIED",
    *words_of(
        "BLOCK_",
        "LOW_AND_ABOVE MEDIUM_AND_ABOVE HIGH_AND_ABOVE HIGHER_AND_ABOVE VERY_HIGH_AND_ABOVE ONLY_EXTREMELY_HIGH",
    ),
)
_DOMAINS = array(text(1), 0, 2000)
_TIME_RANGE_FILTER = sent(
    needs("startTime", "endTime"),
    needs("endTime", "startTime"),
    startTime=may(TIME),
    endTime=may(TIME),
)
_SEARCH = sent(
    searchTypes=may(sent(webSearch=_NOTHING, imageSearch=_NOTHING)),
    blockingConfidence=on_vertex(_CONFIDENCE),
    excludeDomains=on_vertex(_DOMAINS),
    timeRangeFilter=on_google(_TIME_RANGE_FILTER),
)
_DYNAMIC = sent(mode=may(enum("MODE_UNSPECIFIED", "MODE_DYNAMIC")), dynamicThreshold=may(real()))
_FILES = sent(
    some_of("fileSearchStoreNames", "retrievalResources"),
    fileSearchStoreNames=may(array(text(1), 1)),
    topK=may(quoted(integer(1))),
    metadataFilter=may(text()),
    retrievalResources=may(many(sent(ragStoreName=need(text(1))))),
    retrievalConfig=may(sent(topK=may(quoted(integer(1))), metadataFilter=may(text()))),
)
_MAPS = sent(
    authConfig=may(AUTH),
    enableWidget=may(boolean, deprecated=cite("GEM-Q-032")),
    groundingTypes=on_vertex(sent(places=_NOTHING, routing=_NOTHING)),
)
_POLICIES = words_of(
    "",
    """SAFETY_POLICY_UNSPECIFIED FINANCIAL_TRANSACTIONS SENSITIVE_DATA_MODIFICATION COMMUNICATION_TOOL ACCOUNT_CREATION
    DATA_MODIFICATION USER_CONSENT_MANAGEMENT LEGAL_TERMS_AND_AGREEMENTS""",
)
_COMPUTER = sent(
    environment=need(enum(*words_of("ENVIRONMENT_", "UNSPECIFIED BROWSER MOBILE DESKTOP"))),
    excludedPredefinedFunctions=may(array(text(1))),
    enablePromptInjectionDetection=may(boolean),
    disabledSafetyPolicies=may(array(enum(*_POLICIES))),
)
_TRANSPORT = sent(
    url=need(text(1)),
    headers=may(mapping(text())),
    timeout=may(text()),
    sseReadTimeout=may(text()),
    terminateOnClose=may(boolean),
)
_PARALLEL_AI_SEARCH = sent(
    apiKey=may(text(1)),
    customConfigs=may(mapping()),
    enableDataRetention=may(boolean, deprecated=cite("GEM-Q-032")),
    enableZeroDataRetention=may(boolean),
)
_BUILT_IN = {
    "googleSearch": may(_SEARCH),
    "googleSearchRetrieval": may(sent(dynamicRetrievalConfig=may(_DYNAMIC))),
    "codeExecution": _NOTHING,
    "urlContext": _NOTHING,
    "fileSearch": on_google(_FILES),
    "googleMaps": may(_MAPS),
    "computerUse": may(_COMPUTER),
    "mcpServers": may(many(sent(name=on_google(text(1)), streamableHttpTransport=on_google(_TRANSPORT)))),
    "enterpriseWebSearch": on_vertex(sent(blockingConfidence=may(_CONFIDENCE), excludeDomains=may(_DOMAINS))),
    "retrieval": on_vertex(RETRIEVAL),
    "parallelAiSearch": on_vertex(_PARALLEL_AI_SEARCH),
    "exaAiSearch": on_vertex(sent(apiKey=need(text(1)), customConfigs=may(mapping()))),
}
BUILT_IN = tuple(_BUILT_IN)
"""The built-in tools, which the service runs itself."""
_TOOL = sent(
    some_of("functionDeclarations", *_BUILT_IN, cite=_MALFORMED),
    at_most_one_of("functionDeclarations", *_BUILT_IN, cite=cite("GEM-Q-038"), only=VERTEX),
    _BUILT_IN,
    functionDeclarations=may(many(DECLARATION, 0, 512), type=_MALFORMED, count=_TOO_MANY),
)


def _foreign(name: str) -> tuple[str, Object]:
    """A tool of another dialect, identified by this field."""
    return name, obj({name: may(Foreign("`functionDeclarations`"), _MALFORMED)})


TOOL = cases(*map(_foreign, ("function", "name", "parameters", "input_schema", "inputSchema")), otherwise=_TOOL)
TOOLS = may(many(TOOL), type=_MALFORMED)

_FUNCTION_CALLING_CONFIG = sent(
    mode=may(folded(*MODES) | integer(0, len(MODES) - 1), _MODE),
    allowedFunctionNames=may(array(text(1))),
    streamFunctionCallArguments=on_vertex(boolean),
)
_LAT_LNG = sent(
    latitude=may(real(-90, 90), cite("GEM-Q-022")),
    longitude=may(real(-180, 180), cite("GEM-Q-022")),
)
_RETRIEVAL_CONFIG = sent(latLng=may(_LAT_LNG), languageCode=may(text()))
TOOL_CONFIG = sent(
    functionCallingConfig=may(_FUNCTION_CALLING_CONFIG),
    retrievalConfig=may(_RETRIEVAL_CONFIG),
    includeServerSideToolInvocations=on_google(boolean),
)
