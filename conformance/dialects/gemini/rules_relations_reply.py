"""What relates a Gemini reply to its request, and its parts to each other: docs/contract/gemini.md."""

from conformance.dialects.gemini.schema import to_json_schema
from conformance.dialects.gemini.wire_places import config, received, sent, tool
from conformance.judge.relations import (
    Identity,
    bounded,
    decreases,
    forbids,
    index_into,
    matched,
    never,
    not_less,
    omits,
    part_of,
    quotes,
    range_of,
    refers,
    requires,
    row,
    same_length,
    structured,
    sum_of,
    unique,
    within,
)

_SEARCHES = "googleSearch", "googleSearchRetrieval", "enterpriseWebSearch"
_USAGE = received("/usageMetadata")
_UNCONFIGURED = "request [!generationConfig][!generation_config]"
_CANDIDATES = "/candidates/*"
_PART = "/candidates/*/content/parts/*"

# Usage --------------------------------------------------------------------------------------------------------------
row(
    "gemini-usage-total-wrong",
    "GEM-R-009",
    within(
        _USAGE,
        sum_of(
            "/totalTokenCount",
            "/promptTokenCount",
            optional=("/candidatesTokenCount", "/thoughtsTokenCount", "/toolUsePromptTokenCount"),
        ),
    ),
    why="Cost is computed from the parts and limits from the total, so they must agree. Zero parts are absent.",
)
row(
    "gemini-usage-part-out-of-range",
    "GEM-R-014",
    within(_USAGE, part_of("/cachedContentTokenCount", "/promptTokenCount")),
    bounded("response /candidates/*/tokenCount", by="response /usageMetadata/candidatesTokenCount"),
    why="Clients subtract the cached tokens from the prompt, and get a negative cost.",
)
row(
    "gemini-usage-details-wrong",
    "GEM-R-015",
    # With the service's own tools, what they add to the prompt has no modality.
    within(
        received("/usageMetadata[!toolUsePromptTokenCount]"),
        sum_of("/promptTokenCount", "/promptTokensDetails/*/tokenCount"),
    ),
    within(
        _USAGE,
        sum_of("/candidatesTokenCount", "/candidatesTokensDetails/*/tokenCount"),
        sum_of("/cachedContentTokenCount", "/cacheTokensDetails/*/tokenCount"),
        sum_of("/toolUsePromptTokenCount", "/toolUsePromptTokensDetails/*/tokenCount"),
        unique("/promptTokensDetails/*/modality"),
        unique("/candidatesTokensDetails/*/modality"),
        unique("/cacheTokensDetails/*/modality"),
    ),
    why="Modalities have different prices: the cost is wrong if they do not add up.",
)
row(
    "gemini-usage-output-out-of-range",
    "GEM-R-016",
    bounded(received("/usageMetadata/candidatesTokenCount"), by=config("/maxOutputTokens")),
    bounded(received("/candidates"), by=config("/candidateCount")),
    # Without the setting there is one candidate, whose index is 0 or absent.
    forbids(
        received("/candidates/*/index[!=0]"),
        _UNCONFIGURED + f" | {config('[!candidateCount][!candidate_count]')}",
    ),
    why="The limit is what bounds the cost of a request.",
)
row(
    "gemini-thoughts-unexpected",
    "GEM-R-017",
    forbids(received("/usageMetadata/thoughtsTokenCount[][!=0]"), config("/thinkingConfig/thinkingBudget[=0]")),
    requires(
        received(f"{_CANDIDATES}/content/parts/*[thought=true]"), config("/thinkingConfig/includeThoughts[=true]")
    ),
    why="The client pays for thoughts that it turned off, or shows some that it did not ask for.",
)

# What was asked for -------------------------------------------------------------------------------------------------
row(
    "gemini-structured-output-invalid",
    "GEM-R-018",
    structured(
        " | ".join(
            f"request /generationConfig|generation_config[{kind}=application/json]/{schema}"
            for schema in (
                "responseSchema|response_schema",
                "responseJsonSchema|response_json_schema",
                "responseMimeType|response_mime_type",
            )
            for kind in ("responseMimeType", "response_mime_type")
        )
        + f" | {config('/responseFormat/*/text/schema')} | {config('/responseFormat/text/schema')}",
        read=to_json_schema,
        any_json=True,
    ),
    why="Programs read the fields that the schema promises.",
)
row(
    "gemini-enum-reply-unknown",
    "GEM-R-034",
    refers(
        "response /candidates/*[finishReason=STOP]/content/parts/*[!thought=true]/text",
        Identity("word of the enumeration", config("/responseSchema/enum/*"), within="exchange"),
        given=config("/responseMimeType[=text/x.enum]"),
    ),
    why="Programs look the word up among those that they sent.",
)
row(
    "gemini-announced-call-missing",
    "GEM-R-013",
    requires(
        received(f"{_CANDIDATES}/finishMessage[=Model generated function call(s).]"), received(f"{_PART}/functionCall")
    ),
    requirement="A reply whose `finishMessage` announces function calls must hold at least one.",
    why="The call was lost on its way: the client takes the rest for the final answer, and no tool runs.",
)
row(
    "gemini-stop-sequence-leaked",
    "GEM-R-019",
    omits(config("/stopSequences/*")),
    why="Clients that use the sequence as a delimiter read past the end.",
)
row(
    "gemini-server-tool-unexpected",
    "GEM-R-020",
    requires(
        received(f"{_PART}/executableCode"),
        tool("codeExecution", "fileSearch"),
        unless="request [!tools]",
    ),
    requires(
        received(f"{_CANDIDATES}/groundingMetadata/groundingChunks/*"),
        tool(
            "googleSearch",
            "googleSearchRetrieval",
            "googleMaps",
            "enterpriseWebSearch",
            "retrieval",
            "fileSearch",
            "urlContext",
            "parallelAiSearch",
            "exaAiSearch",
        ),
        unless="request [!tools]",
    ),
    requires(
        received(f"{_CANDIDATES}/urlContextMetadata/urlMetadata/*"), tool("urlContext"), unless="request [!tools]"
    ),
    requires(
        received(f"{_PART}/toolCall"),
        sent("/toolConfig/includeServerSideToolInvocations[=true]"),
    ),
    requires(
        received(f"{_CANDIDATES}/groundingMetadata/imageSearchQueries/*"),
        tool("googleSearch/searchTypes/imageSearch"),
    ),
    requires(
        received(f"{_CANDIDATES}/groundingMetadata/googleMapsWidgetContextToken[]"), tool("googleMaps/enableWidget")
    ),
    *(
        requires(received(f"{_CANDIDATES}/groundingMetadata/{what}"), tool(*tools), unless="request [!tools]")
        for what, tools in {
            "webSearchQueries/*": (*_SEARCHES, "googleMaps"),  # Maps may look its places up in the web
            "searchEntryPoint": _SEARCHES,
            "retrievalMetadata/googleSearchDynamicRetrievalScore": ("googleSearch", "googleSearchRetrieval"),
            "retrievalQueries/*": ("retrieval", "fileSearch"),
            "groundingChunks/*/retrievedContext/ragChunk": ("retrieval",),
            "sourceFlaggingUris/*": ("googleMaps",),
        }.items()
    ),
    why="The client did not offer the tool, and does not read what it found.",
)

# Sources ------------------------------------------------------------------------------------------------------------
_DATES = "response /candidates/*/citationMetadata/citations/*/publicationDate"
_GROUNDING = f"{_CANDIDATES}/groundingMetadata"
row(
    "gemini-grounding-index-out-of-range",
    "GEM-R-021",
    within(received(_GROUNDING), index_into("/groundingSupports/*/groundingChunkIndices/*", "/groundingChunks")),
    why="The client shows no source, or fails.",
)
row(
    "gemini-page-span-wrong",
    "GEM-R-028",
    within(
        received(f"{_GROUNDING}/groundingChunks/*/retrievedContext/ragChunk/pageSpan"),
        not_less("/lastPage", "/firstPage"),
    ),
    why="A client that opens the document at these pages shows none.",
)
row(
    "gemini-publication-date-wrong",
    "GEM-R-030",
    never(f"{_DATES}[month=2]/day[=30|31]", "a day of the month"),
    never(f"{_DATES}[month=4|6|9|11]/day[=31]", "a day of the month"),
    never(f"{_DATES}[!month]/day[!=0]", "a month as well, or no day"),
    why="A client that makes a date of it fails.",
)
row(
    "gemini-grounding-score-mismatch",
    "GEM-R-021",
    within(
        received(f"{_GROUNDING}/groundingSupports/*[confidenceScores]"),
        same_length("/groundingChunkIndices", "/confidenceScores"),
    ),
    why="The scores belong to the sources one by one.",
)
row(
    "gemini-grounding-segment-mismatch",
    "GEM-R-022",
    matched(
        "response /candidates/first/groundingMetadata/groundingSupports/*/segment",
        "/partIndex",
        "response /candidates/first/content/parts/*[!thought=true]",
        "",
        range_of("/this", "/startIndex", "/endIndex", "/that/text", unit="bytes"),
        quotes("/this/text", "/this/startIndex", "/this/endIndex", "/that/text", unit="bytes"),
        absent="0",
    ),
    why="A client that marks the words of a source marks others.",
)
row(
    "gemini-citation-out-of-range",
    "GEM-R-023",
    within(
        "response /candidates/*",
        range_of(
            "/citationMetadata/citationSources|citations/*",
            "/startIndex",
            "/endIndex",
            "/content/parts/*/text",
            unit="bytes",
        ),
    ),
    why="A client that marks the cited words cuts the text at a wrong place, or fails.",
)

# Probabilities and ratings ------------------------------------------------------------------------------------------
_LOGPROBS = f"{_CANDIDATES}/logprobsResult"
row(
    "gemini-logprobs-mismatch",
    "GEM-R-024",
    within(received(_LOGPROBS), same_length("/chosenCandidates", "/topCandidates")),
    within(received(f"{_LOGPROBS}/topCandidates/*"), decreases("/candidates/*/logProbability")),
    bounded(received(f"{_LOGPROBS}/topCandidates/*/candidates"), by=config("/logprobs")),
    requires(received(_LOGPROBS), config("/responseLogprobs[=true]")),
    requires(config("/responseLogprobs[=true]"), received(_LOGPROBS), unless=received("/promptFeedback")),
    why="A client reads the alternatives of each token by its position.",
)
row(
    "gemini-logprobs-sum-wrong",
    "GEM-R-033",
    within(received(_LOGPROBS), sum_of("/logProbabilitySum", "/chosenCandidates/*/logProbability")),
    why="A client that ranks replies by their probability takes the wrong one.",
)
row(
    "gemini-safety-rating-duplicate",
    "GEM-R-025",
    within(received(_CANDIDATES), unique("/safetyRatings/*/category")),
    within(received("/promptFeedback"), unique("/safetyRatings/*/category")),
    why="Clients keep the ratings by category, and lose one.",
)

row(
    "gemini-block-conflicting",
    "GEM-R-029",
    forbids(received("/candidates/*/content/parts/*"), received("/promptFeedback/blockReason[]")),
    never(received("/candidates/*[finishReason=STOP]/safetyRatings/*[blocked=true]"), "another finish reason"),
    why="Clients that look for the reason first drop the answer; others show what was blocked.",
)

row(
    "gemini-modality-mismatch",
    "GEM-R-032",
    requires(
        config("/responseModalities/*[=IMAGE|AUDIO|Image|Audio]"),
        received(f"{_PART}/inlineData|fileData"),
        unless=f"{received(f'{_PART}/functionCall')} | {received('/candidates/*/finishReason[!=STOP]')}"
        f" | {received('/promptFeedback')}",
    ),
    requires(
        received(f"{_PART}/inlineData"),
        f"{config('/responseModalities/*[=IMAGE|AUDIO|VIDEO|Image|Audio|Video]')} | {tool('codeExecution')}",
        unless=_UNCONFIGURED + f" | {config('[!responseModalities][!response_modalities]')}",
    ),
    why="A client that asked for text does not read what else there is.",
)
