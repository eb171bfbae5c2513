"""A Gemini request, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Foreign
from conformance.contract.notation import *
from conformance.contract.relations import snake_case
from conformance.dialects.gemini.contract.common import *
from conformance.dialects.gemini.contract.generation import CONFIG
from conformance.dialects.gemini.contract.parts import CONTENT, SYSTEM
from conformance.dialects.gemini.contract.places import GOOGLE
from conformance.dialects.gemini.contract.tools import TOOL_CONFIG, TOOLS
from conformance.model.finding import Severity

_CONTENTS = cite("GEM-Q-001", rule="gemini-contents-missing", refused=400)
_CACHED = refusal("GEM-Q-023")
_TWICE = cite(
    "GEM-Q-001",
    Severity.WARNING,
    because="parsers of Protocol Buffers read the last of two spellings",
    rule="gemini-field-spellings-conflicting",
)
_LABEL = r"[^A-Z\s!-,./:-@\[-\^`{-~]*"
"""Letters in lower case, digits, hyphens and underscores; other alphabets are allowed."""
_LABELLED = cite("GEM-Q-022")

SAFETY = sent(
    category=need(enum(*CATEGORIES)),
    threshold=need(enum(*THRESHOLDS)),
    method=on_vertex(enum("HARM_BLOCK_METHOD_UNSPECIFIED", "SEVERITY", "PROBABILITY")),
)
_TEMPLATE = may(text(1, pattern="projects/[^/]+/locations/[^/]+/templates/[^/]+"), _LABELLED)
FIELDS = sent(
    excludes("cachedContent", "systemInstruction", cite=_CACHED),
    excludes("cachedContent", "tools", cite=_CACHED),
    excludes("cachedContent", "toolConfig", cite=_CACHED),
    excludes("modelArmorConfig", "safetySettings", cite=cite("GEM-Q-023")),
    contents=need(many(CONTENT, 1), missing=_CONTENTS, empty=_CONTENTS, type=_CONTENTS),
    systemInstruction=may(SYSTEM),
    tools=TOOLS,
    toolConfig=may(TOOL_CONFIG),
    generationConfig=may(CONFIG),
    safetySettings=may(many(SAFETY)),
    cachedContent=first(
        may(text(pattern="cachedContents/.+"), cite("GEM-Q-022"), only=GOOGLE),
        may(text(1)),
    ),
    labels=may(mapping(text(0, 63, _LABEL), text(1, 63, _LABEL), 64), _LABELLED),
    model=may(text(1)),  # it belongs in the URL, but was accepted here too
    serviceTier=may(known("unspecified", "flex", "standard", "priority")),
    store=on_google(boolean),
    continuationToken=may(text(1)),
    modelArmorConfig=on_vertex(sent(promptTemplateName=_TEMPLATE, responseTemplateName=_TEMPLATE)),
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
_FOREIGN = refusal("GEM-Q-018")

REQUEST = obj(
    sent(FIELDS, {name: may(Foreign(instead), _FOREIGN) for name, instead in _SISTERS.items()}),
    *(
        excludes(row.name, snake_case(row.name), cite=_TWICE)
        for row in FIELDS.fields
        if snake_case(row.name) != row.name
    ),
)
