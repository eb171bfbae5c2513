"""A Gemini request, field by field."""

from __future__ import annotations

from conformance.dialects.gemini.contract.common import (
    CATEGORIES,
    THRESHOLDS,
    TYPES,
    enum,
    many,
    on_google,
    on_vertex,
    sent,
)
from conformance.dialects.gemini.contract.generation import CONFIG
from conformance.dialects.gemini.contract.parts import CONTENT, SYSTEM
from conformance.dialects.gemini.contract.places import GOOGLE
from conformance.dialects.gemini.contract.tools import TOOL_CONFIG, TOOLS
from conformance.judge.contract.nodes import Foreign
from conformance.judge.contract.notation import (
    boolean,
    excludes,
    first,
    known,
    mapping,
    may,
    need,
    obj,
    refusal,
    tell,
    text,
)
from conformance.judge.contract.relations import snake_case
from conformance.model.finding import Severity

_CONTENTS = tell("GEM-Q-001", rule="gemini-contents-missing", refused=400)
_CACHED = refusal("GEM-Q-023 langchain-ai/langchain-google#978")
_TWICE = tell(
    "GEM-Q-001 protobuf.dev/programming-guides/json", Severity.WARNING, rule="gemini-field-spellings-conflicting"
)
_LABEL = r"[^A-Z\s!-,./:-@\[-\^`{-~]*"
"""Letters in lower case, digits, hyphens and underscores; other alphabets are allowed."""
_LABELLED = tell("GEM-Q-022")

SAFETY = sent(
    category=need(enum(*CATEGORIES)),
    threshold=need(enum(*THRESHOLDS)),
    method=on_vertex(enum("HARM_BLOCK_METHOD_UNSPECIFIED", "SEVERITY", "PROBABILITY")),
)
FIELDS = sent(
    excludes("cachedContent", "systemInstruction", told=_CACHED),
    excludes("cachedContent", "tools", told=_CACHED),
    excludes("cachedContent", "toolConfig", told=_CACHED),
    excludes("modelArmorConfig", "safetySettings", told=tell(f"GEM-Q-023 {TYPES} ModelArmorConfig")),
    contents=need(many(CONTENT, 1), missing=_CONTENTS, empty=_CONTENTS, type=_CONTENTS),
    systemInstruction=may(SYSTEM),
    tools=TOOLS,
    toolConfig=may(TOOL_CONFIG),
    generationConfig=may(CONFIG),
    safetySettings=may(many(SAFETY)),
    cachedContent=first(
        may(text(pattern="cachedContents/.+"), tell("GEM-Q-022"), only=GOOGLE),
        may(text(1)),
    ),
    labels=may(mapping(text(0, 63, _LABEL), text(1, 63, _LABEL), 64), _LABELLED),
    model=may(text(1)),  # it belongs in the URL, but was accepted here too
    serviceTier=may(known("unspecified", "flex", "standard", "priority")),
    store=on_google(boolean),
    continuationToken=may(text(1)),
    modelArmorConfig=on_vertex(sent(promptTemplateName=may(text(1)), responseTemplateName=may(text(1)))),
    outputConfig=on_vertex(sent(outputUriPrefix=may(text(1)))),
)

_SETTINGS = (
    *("temperature", "topP", "topK", "candidateCount", "maxOutputTokens", "stopSequences", "seed", "responseMimeType"),
    *("responseSchema", "responseJsonSchema", "thinkingConfig", "responseModalities"),
)
_SISTERS = {
    **{name: f"`generationConfig.{name}`" for name in _SETTINGS},
    "messages": "`contents`",
    "input": "`contents`",
    "prompt": "`contents`",
    "system": "`systemInstruction`",
    "instructions": "`systemInstruction`",
    "maxTokens": "`generationConfig.maxOutputTokens`",
    "maxCompletionTokens": "`generationConfig.maxOutputTokens`",
    "n": "`generationConfig.candidateCount`",
    "stop": "`generationConfig.stopSequences`",
    "responseFormat": "`generationConfig.responseSchema`",
    "reasoning": "`generationConfig.thinkingConfig`",
    "reasoningEffort": "`generationConfig.thinkingConfig`",
    "thinking": "`generationConfig.thinkingConfig`",
    "frequencyPenalty": "`generationConfig.frequencyPenalty`",
    "presencePenalty": "`generationConfig.presencePenalty`",
    "stream": "`:streamGenerateContent` in the URL",
    "streamOptions": "`:streamGenerateContent` in the URL",
    "functions": "`tools`",
    "functionCall": "`toolConfig`",
    "toolChoice": "`toolConfig`",
    "parallelToolCalls": "no such field: parallel calls cannot be turned off",
    "metadata": "`labels`",
    "user": "`labels`",
    "previousResponseId": "the earlier turns in `contents`",
}
"""Fields of other APIs, and settings in the wrong place."""
_FOREIGN = refusal("GEM-Q-018 zed-industries/zed#44875")

REQUEST = obj(
    sent(FIELDS, {name: may(Foreign(instead), _FOREIGN) for name, instead in _SISTERS.items()}),
    *(
        excludes(row.name, snake_case(row.name), told=_TWICE)
        for row in FIELDS.fields
        if snake_case(row.name) != row.name
    ),
)
