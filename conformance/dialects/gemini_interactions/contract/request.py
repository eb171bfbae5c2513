"""A request for an interaction, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.gemini_interactions.contract.content import *
from conformance.model.finding import Severity

_INPUT = cite("GIN-Q-002", refused=400)
_STEP = cite("GIN-Q-003")
_INPUTS = {**steps(_STEP, cite("GIN-Q-004"), cite("GIN-Q-005"), cite("GIN-Q-012")), **pieces(_STEP)}
_TOOL = cite("GIN-Q-006")
_CHOICE = cite("GIN-Q-007")
_CLIENTS = cite("GIN-Q-023")
_CONFIG = cite("GIN-Q-008")
_AGENTS_OWN = cite("GIN-Q-001")
_FORMAT = cite("GIN-Q-009")
_OPTION = cite("GIN-Q-010")
_FOREIGN = cite("GIN-Q-011")
_MODE = known("auto", "any", "none", "validated")
_NOTHING = cite("GIN-Q-007", Severity.WARNING, because="it allows nothing and forbids nothing")
_ALLOWED = obj(_CHOICE, some_of("mode", "tools", cite=_NOTHING), mode=may(_MODE), tools=may(array(text(1))))
_COUNT = may(integer(1))


_RAG = obj(
    _TOOL,
    rag_resources=may(array(obj(rag_corpus=may(text()), rag_file_ids=may(array(text()))))),
    rag_retrieval_config=may(mapping()),
    similarity_top_k=_COUNT,
    vector_distance_threshold=may(number()),
)
_SEARCHED = obj(_TOOL, api_key=may(text()), custom_config=may(mapping()))
_TOOLS = by_known(
    _TOOL,
    function=function(_TOOL, need(text(1))),
    code_execution=obj(),
    computer_use=obj(
        _TOOL,
        disabled_safety_policies=may(array(text(1))),
        enable_prompt_injection_detection=may(boolean),
        environment=may(known("browser", "mobile", "desktop")),
        excluded_predefined_functions=may(array(text(1))),
    ),
    file_search=obj(_TOOL, file_search_store_names=may(array(text(1))), metadata_filter=may(text()), top_k=_COUNT),
    google_maps=obj(_TOOL, enable_widget=may(boolean), latitude=may(number(-90, 90)), longitude=may(number(-180, 180))),
    google_search=obj(_TOOL, search_types=may(array(SEARCHES))),
    mcp_server=obj(
        _TOOL,
        name=may(text()),
        url=may(text(1)),
        headers=may(mapping(text())),
        allowed_tools=may(array(_ALLOWED)),
        defer_loading=may(boolean),
    ),
    retrieval=obj(
        _TOOL,
        retrieval_types=may(array(RETRIEVALS)),
        exa_ai_search_config=may(obj(_SEARCHED, api_key=need(text()))),
        parallel_ai_search_config=may(_SEARCHED),
        rag_store_config=may(_RAG),
        vertex_ai_search_config=may(obj(datastores=may(array(text())), engine=may(text()))),
    ),
    tool_search=obj(
        _TOOL,
        *(needs(each, is_("execution", "client"), cite=_CLIENTS) for each in ("name", "description", "parameters")),
        execution=may(known("server", "client")),
        name=may(text(1)),
        description=may(text()),
        parameters=may(obj(type=should(word("object")))),
    ),
    url_context=obj(),
)
_SPEECH = obj(_CONFIG, language=may(text()), speaker=may(text()), voice=may(text()))
_HINTS = cite("GIN-Q-008", Severity.INFO, because="the document only deprecates it", fix="use `language_codes`")
_SUMMARIES = may(known("auto", "none"))
_ASPECTS = known(*["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9", "1:8", "8:1", "1:4", "4:1"])
_SIZES = known("512", "1K", "2K", "4K")
_SAID = {"diarization_mode": may(known("speaker")), "timestamp_granularities": may(array(known("word")))}
_HEARD = by_known(_CONFIG, verbatim=obj(_CONFIG, _SAID), smart=obj(_CONFIG, source_text=may(text())))
_TRANSCRIPTION = obj(
    _CONFIG,
    _SAID,
    adaptation_phrases=may(array(text())),
    custom_vocabulary=may(array(text())),
    language_codes=may(array(text(1))),
    language_hints=may(array(text(1)), deprecated=_HINTS),
    mode=may(known("verbatim", "smart") | _HEARD),
)
_GENERATION = obj(
    _CONFIG,
    foreign(
        _FOREIGN,
        maxOutputTokens="`max_output_tokens`",
        max_tokens="`max_output_tokens`",
        stopSequences="`stop_sequences`",
        topP="`top_p`",
        thinkingConfig="`thinking_level`",
        thinking_config="`thinking_level`",
        response_schema="`response_format`, beside `generation_config`",
    ),
    image_config=may(obj(_CONFIG, aspect_ratio=may(_ASPECTS), image_size=may(_SIZES))),
    max_output_tokens=_COUNT,
    seed=may(integer()),
    speech_config=may(obj(speakers=may(array(_SPEECH))) | array(_SPEECH)),
    stop_sequences=may(array(text(1), 0, 5)),
    temperature=may(number(0, 2)),
    thinking_level=may(known("minimal", "low", "medium", "high", "xhigh")),
    thinking_summaries=_SUMMARIES,
    tool_choice=may(_MODE | obj(_CHOICE, allowed_tools=need(_ALLOWED)), _CHOICE),
    top_p=may(number(0, 1)),
    transcription_config=may(_TRANSCRIPTION),
    video_config=may(
        obj(task=may(known(*["text_to_video", "image_to_video", "reference_to_video", "edit", "extend", "upscale"])))
    ),
)
_IGNORED = cite("GIN-Q-009", Severity.WARNING, because="the server ignores it")
_RAW = ("audio/l16", "audio/wav", "audio/alaw", "audio/mulaw")
_DELIVERED = {"delivery": may(known("inline", "uri"))}
_FORMATS = by_some(
    text=obj(
        _FORMAT,
        needs("schema", is_("mime_type", "application/json"), cite=_IGNORED),
        mime_type=may(known("application/json", "text/plain")),
        schema=may(mapping()),
    ),
    image=obj(_FORMAT, _DELIVERED, aspect_ratio=may(_ASPECTS), image_size=may(_SIZES), mime_type=may(text(1))),
    audio=obj(
        _FORMAT,
        excludes("bit_rate", is_("mime_type", *_RAW), cite=_IGNORED),
        _DELIVERED,
        bit_rate=_COUNT,
        sample_rate=_COUNT,
        mime_type=may(text(1)),
    ),
    video=obj(
        _FORMAT,
        needs(is_("delivery", "uri"), "gcs_uri", only=when("vertex")),
        _DELIVERED,
        aspect_ratio=may(known("16:9", "9:16")),
        duration=may(text()),
        gcs_uri=may(text()),
        resolution=may(known("360p", "720p", "1080p", "4k")),
    ),
)
_HARMS = (
    *("hate_speech", "dangerous_content", "harassment", "sexually_explicit", "civic_integrity", "image_hate"),
    *("image_dangerous_content", "image_harassment", "image_sexually_explicit", "jailbreak"),
)
_SAFETY = obj(
    _OPTION,
    type=need(known(*_HARMS)),
    threshold=need(known("block_low_and_above", "block_medium_and_above", "block_only_high", "block_none", "off")),
    method=may(known("severity", "probability")),
)
_AGENT = by_known(
    {
        "antigravity": obj(_OPTION, max_total_tokens=_COUNT, model=may(text(1))),
        "code-mender": obj(
            _OPTION,
            model=may(text(1)),
            session_id=may(text()),
            session_config=may(obj(max_rounds=_COUNT)),
            find_request=may(mapping()),
            fix_request=may(mapping()),
        ),
        "deep-research": obj(
            _OPTION,
            collaborative_planning=may(boolean),
            enable_bigquery_tool=may(boolean),
            thinking_summaries=_SUMMARIES,
            visualization=may(known("off", "auto")),
        ),
        "dynamic": obj(),
    },
    _OPTION,
)
_SELF_HOSTED = is_("mode", "self_hosted", "SELF_HOSTED")
_ENVIRONMENT = obj(
    _OPTION,
    needs("custom_config", _SELF_HOSTED, cite=cite("GIN-Q-024")),
    type=need(word("remote")),
    custom_config=may(mapping()),
    env=may(mapping()),
    environment_id=may(text(1)),
    mode=may(known("on_demand", "self_hosted")),
    network=may(text() | mapping()),
    sources=may(array(mapping())),
)
_LABEL = r"[^A-Z\s!-,./:-@\[-\^`{-~]*"

REQUEST = obj(
    one_of("model", "agent", cite=cite("GIN-Q-001", refused=400)),
    *(excludes("agent", each, cite=_AGENTS_OWN) for each in ("generation_config", "cached_content")),
    excludes("agent_config", "model", cite=_AGENTS_OWN),
    some_of("input", "continuation_token", cite=_INPUT),
    foreign(
        _FOREIGN,
        contents="`input`",
        messages="`input`",
        prompt="`input`",
        instructions="`system_instruction`",
        system="`system_instruction`",
        systemInstruction="`system_instruction`",
        generationConfig="`generation_config`",
        temperature="`generation_config.temperature`",
        top_p="`generation_config.top_p`",
        max_output_tokens="`generation_config.max_output_tokens`",
        max_tokens="`generation_config.max_output_tokens`",
        stop_sequences="`generation_config.stop_sequences`",
        seed="`generation_config.seed`",
        reasoning="`generation_config.thinking_level`",
        tool_choice="`generation_config.tool_choice`",
        toolConfig="`generation_config.tool_choice`",
        tool_config="`generation_config.tool_choice`",
        parallel_tool_calls="no such field: parallel calls cannot be turned off",
        previous_response_id="`previous_interaction_id`",
        metadata="`labels`",
    ),
    model=may(text(1)),
    agent=may(text(1)),
    agent_config=may(_AGENT),
    input=may(text(1) | content(_STEP) | array(by_known(_INPUTS, _STEP), 1), _INPUT),
    system_instruction=may(text()),
    tools=may(array(_TOOLS), _TOOL),
    generation_config=may(_GENERATION, _CONFIG),
    response_format=may(_FORMATS | array(_FORMATS), _FORMAT),
    response_mime_type=may(text(1), _FORMAT),
    response_modalities=may(array(MODALITIES), _FORMAT),
    previous_interaction_id=may(text(1), _OPTION),
    continuation_token=may(text(1), _OPTION),
    cached_content=may(text(1, pattern=r"(.+/)?cachedContents/[^/]+"), _OPTION),
    stream=may(boolean, _OPTION),
    store=may(boolean, _OPTION),
    background=may(boolean, _OPTION),
    environment=may(text(1) | _ENVIRONMENT, _OPTION),
    labels=may(mapping(text(0, 63, _LABEL), text(1, 63, rf"(?![\d_-]){_LABEL}")), _OPTION),
    safety_settings=may(array(_SAFETY), _OPTION),
    service_tier=TIERS,
    webhook_config=may(obj(_OPTION, uris=may(array(text(1))), user_metadata=may(mapping())), _OPTION),
)
