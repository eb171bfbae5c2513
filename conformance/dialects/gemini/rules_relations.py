"""What relates several places of a Gemini request: docs/contract/gemini.md."""

from conformance.contract.situation import When, when
from conformance.dialects.gemini.schema import to_json_schema
from conformance.dialects.gemini.wire_places import DECLARED, both, config, received, sent
from conformance.judge.relations import (
    Identity,
    answered,
    at_most,
    constant,
    contains,
    encodes,
    equal,
    forbids,
    instance_of,
    matched,
    matches,
    mentions,
    never,
    not_less,
    refers,
    requires,
    resolves,
    returned,
    row,
    unique,
    within,
)
from conformance.model.finding import Severity

_INNER = "", "/items", "/properties/*", "/properties/*/items"
_OUTPUT = "/that/response", both("/that/responseJsonSchema")

# Tools --------------------------------------------------------------------------------------------------------------
_MEDIA = "inlineData|inline_data|fileData|file_data"
_ALLOWED = "/toolConfig/functionCallingConfig/allowedFunctionNames"
row(
    "gemini-allowed-names-misplaced",
    "GEM-Q-011",
    requires(
        sent(f"{_ALLOWED}/first"),
        sent("/toolConfig/functionCallingConfig/mode[=ANY|any|Any|2|VALIDATED|validated|Validated|4]"),
    ),
    refers(
        sent(f"{_ALLOWED}/*"),
        Identity("name of a function", f"{DECLARED}/name", within="exchange"),
        unless=f"request [!tools] | {sent('/cachedContent')} | {sent('/tools/functionDeclarations')}",
    ),
    why="With another mode or an undeclared name, the server refuses the request.",
)
row(
    "gemini-result-reference-orphaned",
    "GEM-Q-024",
    within(
        sent("/contents/*/parts/*/functionResponse"),
        unique(both("/parts/*/inlineData/displayName")),
        contains(both("/parts/*/inlineData|fileData/displayName"), "/response/*/$ref", blamed="/response"),
    ),
    why="The model does not see the picture that the response refers to.",
)
row(
    "gemini-server-result-mismatch",
    "GEM-C-012",
    matched(
        f"{sent('/contents/*/parts/*/toolResponse')} | {received('/candidates/*/content/parts/*/toolResponse')}",
        "/id",
        f"{sent('/contents/*/parts/*/toolCall')} | {received('/candidates/*/content/parts/*/toolCall')}",
        "/id",
        equal(both("/that/toolType"), both("/this/toolType")),
    ),
    why="A client reads the result by its type, and shows the output of another tool.",
)

# Settings -----------------------------------------------------------------------------------------------------------
row(
    "gemini-safety-setting-duplicate",
    "GEM-Q-025",
    within("request", unique(both("/safetySettings/*/category"))),
    why="Nobody knows which of the two thresholds holds.",
)
row(
    "gemini-schema-property-undeclared",
    "GEM-Q-026",
    *(
        within(
            config(f"/responseSchema{path}"),
            contains("/properties/@", both("/propertyOrdering/*")),
            contains("/properties/@", "/required/*"),
        )
        for path in _INNER
    ),
    *(
        within(f"{DECLARED}/parameters|response{path}", contains("/properties/@", both("/propertyOrdering/*")))
        for path in _INNER
    ),
    why="The server refuses a schema that orders or requires what it does not have.",
    refused=True,
)
row(
    "gemini-schema-bounds-wrong",
    "GEM-Q-029",
    *(
        within(
            f"{config(f'/responseSchema{path}')} | {DECLARED}{both(f'/parameters{path}')}",
            *(not_less(both(f"/max{what}"), both(f"/min{what}")) for what in ("Items", "Length", "Properties", "imum")),
        )
        for path in _INNER
    ),
    why="No value is valid under such a schema.",
)
row(
    "gemini-schema-reference-orphaned",
    "GEM-Q-034",
    within(f"{config('/responseSchema')} | {DECLARED}/response", resolves("", "ref", "$ref")),
    why="The server does not find the schema, and refuses the request.",
)
row(
    "gemini-enum-reply-missing",
    "GEM-Q-030",
    requires(config("/responseMimeType[=text/x.enum]"), config("/responseSchema/enum/*")),
    why="The server has no words to choose from.",
)
row(
    "gemini-speaker-undeclared",
    "GEM-Q-031",
    within(
        config("/speechConfig/multiSpeakerVoiceConfig"),
        unique(both("/speakerVoiceConfigs/*/speaker")),
    ),
    refers(
        sent("/contents/*/parts/*/speechMetadata/speaker"),
        Identity(
            "name of a speaker",
            config("/speechConfig/multiSpeakerVoiceConfig/speakerVoiceConfigs/*/speaker"),
            within="exchange",
        ),
    ),
    why="Nobody speaks the words of a speaker without a voice.",
)
row(
    "gemini-time-range-wrong",
    "GEM-Q-027",
    within(sent("/tools/*/googleSearch/timeRangeFilter"), not_less(both("/endTime"), both("/startTime"))),
    *(
        within(sent(f"/contents/*/parts/*/{each}"), not_less(both("/endOffset"), both("/startOffset")))
        for each in ("videoMetadata", "audioTranscription", "audioTranscription/words/*")
    ),
    why="The range is empty: the search finds nothing, and the model sees no frame.",
)
row(
    "gemini-base64-malformed",
    "GEM-Q-028",
    within(
        " | ".join(
            f"{sent(f'/contents/*/parts/*{field}')} | {received(f'/candidates/*/content/parts/*{field}')}"
            for field in ("/inlineData/data", "/thoughtSignature")
        )
        + f" | {received('/candidates/*/groundingMetadata/searchEntryPoint/sdkBlob')}",
        encodes("", "base64"),
    ),
    why="The other side cannot decode the bytes.",
)
row(
    "gemini-media-option-misplaced",
    "GEM-Q-035",
    never(
        "request /systemInstruction|system_instruction/parts/*/inlineData|inline_data|fileData|file_data|functionCall"
        "|function_call|functionResponse|function_response|executableCode|executable_code",
        "a part with text",
    ),
    within(
        sent("/contents/*/parts/*[mediaProcessing]"), matches(f"/{_MEDIA}/mimeType|mime_type", r"video/.+", "a video's")
    ),
    within(
        sent("/contents/*/parts/*[mediaResolution.level=MEDIA_RESOLUTION_ULTRA_HIGH]"),
        matches(f"/{_MEDIA}/mimeType|mime_type", r"image/.+", "an image's"),
    ),
    why="The service ignores the part or its option.",
)
row(
    "gemini-nonblocking-field-misplaced",
    "GEM-Q-039",
    never(f"{DECLARED}/behavior"),
    never(sent("/contents/*/parts/*/functionResponse/scheduling")),
    never(sent("/contents/*/parts/*/functionResponse/willContinue")),
    why="The model waits for the result all the same: only the Live API goes on without it.",
)
row(
    "gemini-rag-corpus-conflicting",
    "GEM-Q-037",
    within(sent("/tools/*/retrieval/vertexRagStore/ragResources"), constant(both("/*/ragCorpus"))),
    why="The service searches one corpus alone.",
)
row(
    "gemini-harm-category-deprecated",
    "GEM-Q-032",
    never("request /safetySettings|safety_settings/*/category[=HARM_CATEGORY_CIVIC_INTEGRITY]", "another category"),
    severity=Severity.INFO,
    because="the service accepts the category, and has no filter for it",
    why="The filter that the setting turns on or off is gone.",
)
row(
    "gemini-prompt-speaker-missing",
    "GEM-Q-040",
    mentions(
        config("/speechConfig/multiSpeakerVoiceConfig/speakerVoiceConfigs/*/speaker"),
        "",
        sent("/contents/*/parts/*/text"),
        unless=sent("/contents/*/parts/*/speechMetadata"),
    ),
    why="The model does not know which words are for this voice.",
)
row(
    "gemini-last-role-wrong",
    "GEM-C-009",
    never("request /contents/last[role=model]", "a turn of the user"),
    why="There is nothing to answer: some models refuse the request, others continue their last turn.",
)
row(
    "gemini-result-schema-mismatch",
    "GEM-C-015",
    # A schema of the whole response; SDKs wrap what is no object.
    matched(
        sent("/contents/*/parts/*/functionResponse[!response.output][!response.result][!response.error]"),
        "/name",
        DECLARED,
        "/name",
        *(instance_of("/this/response", each, read=to_json_schema) for each in _OUTPUT),
    ),
    matched(
        sent("/contents/*/parts/*/functionResponse"),
        "/name",
        f"{DECLARED}[response.type=STRING|NUMBER|INTEGER|BOOLEAN|ARRAY]",
        "/name",
        *(instance_of(f"/this/response/{each}", _OUTPUT[0], read=to_json_schema) for each in ("output", "result")),
    ),
    why="The model reads the result as the declaration describes it.",
)
row(
    "gemini-server-call-unanswered",
    "GEM-C-014",
    answered(
        Identity("id of a call", sent("/contents/*/parts/*/toolCall/id"), within="exchange"),
        by=sent("/contents/*/parts/*/toolResponse/id"),
    ),
    answered(
        Identity("id of a call", received("/candidates/*/content/parts/*/toolCall/id"), within="exchange"),
        by=received("/candidates/*/content/parts/*/toolResponse/id"),
    ),
    why="The model does not know what its own search found.",
)
_UP_TO_2_5 = When(no=(when(model=r"gemini-([3-9]|\d\d)"),))
_UNNUMBERED = When(no=(when(model=r"gemini-\d"),))
row(
    "gemini-calling-config-orphaned",
    "GEM-Q-020",
    requires(sent("/toolConfig/functionCallingConfig[]"), f"{DECLARED} | {sent('/tools/functionDeclarations')}"),
    only=_UP_TO_2_5,
    doubtful=_UNNUMBERED,
    needs_complete=True,
    requirement="Up to Gemini 2.5 `functionCallingConfig` must come with function declarations.",
    why='The server refuses it with a 400 ("Function calling config is set without function_declarations"). Clients '
    "that offer built-in tools alone keep the setting by mistake.",
)
row(
    "gemini-response-format-conflicting",
    "GEM-Q-020",
    forbids(config("/responseMimeType[=application/json]"), DECLARED),
    only=_UP_TO_2_5,
    doubtful=_UNNUMBERED,
    requirement="Up to Gemini 2.5 a request with functions must not ask for a JSON reply.",
    why="The server refuses it with a 400: \"Function calling with a response mime type: 'application/json' is "
    'unsupported".',
)
row(
    "gemini-history-call-misplaced",
    ["GEM-C-005", "GEM-Q-020"],
    at_most(0, sent("/contents/first/parts/*/functionCall")),
    only=_UP_TO_2_5,
    doubtful=_UNNUMBERED,
    requirement="Up to Gemini 2.5 a history must not start with a call, which follows a user's turn or results.",
    why="When a client truncates a history just before a call, every later request gets a 400.",
)
_SERVER_IDS = "toolCall/id", "toolResponse/id"
row(
    "gemini-server-call-dropped",
    "GEM-C-014",
    returned(
        Identity(
            "call of the server",
            " | ".join(received(f"/candidates/*/content/parts/*/{each}") for each in _SERVER_IDS),
        ),
        by=" | ".join(sent(f"/contents/*/parts/*/{each}") for each in _SERVER_IDS),
    ),
    why="The model searches again for what it had found.",
)
row(
    "gemini-continuation-orphaned",
    "GEM-C-013",
    refers(
        sent("/continuationToken"),
        Identity("continuation token", received("/candidates/*/continuationToken")),
    ),
    why="The server does not find the reply that it should continue.",
)
