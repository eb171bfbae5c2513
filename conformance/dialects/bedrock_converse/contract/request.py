"""A Converse request, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.bedrock_converse.contract.content import *

_TOOL = cite("BRC-Q-005")
_CHOICE = cite("BRC-Q-007")
_SAMPLED = cite("BRC-Q-011")
_GUARDRAIL = cite("BRC-Q-012")
_OPTION = cite("BRC-Q-013")
_BLOCKS = blocks(cite("BRC-Q-009"), cite("BRC-Q-008"), cite("BRC-Q-014"), cite("BRC-Q-010"))
_BLOCK = obj(
    one_of(*_BLOCKS, cite=cite("BRC-Q-004")),
    {name: may(node) for name, node in _BLOCKS.items()},
    text=may(text(1), empty=refusal("BRC-Q-026")),
)
_MESSAGE = obj(
    cite("BRC-Q-003"),
    role=need(word("user", "assistant", "system")),
    content=need(array(_BLOCK, 1), empty=refusal("BRC-Q-026")),
)
_SYSTEM = union(cite("BRC-Q-003"), {"text": text(1), "guardContent": GUARDED, "cachePoint": CACHE_POINT})
_SPEC = obj(
    _TOOL,
    name=need(NAME),
    description=may(text(1)),
    inputSchema=need(union(_TOOL, {"json": mapping()})),
    strict=may(boolean),
)
_TOOLS = union(_TOOL, {"toolSpec": _SPEC, "systemTool": obj(_TOOL, name=need(NAME)), "cachePoint": CACHE_POINT})
_CHOSEN = union(_CHOICE, {"auto": mapping(), "any": mapping(), "tool": obj(_CHOICE, name=need(NAME))})
_PROJECT = "[a-zA-Z0-9_-]+|arn:aws[a-z-]*:bedrock:[0-9a-z-]{1,20}:[0-9]{12}:project/[a-zA-Z0-9_-]+"
_LABEL = r"[a-zA-Z0-9\s:_@$#=/+,-.]*"
_FORMAT = obj(
    type=need(word("json_schema")),
    structure=need(union(_OPTION, {"jsonSchema": obj(schema=need(text()), name=may(text()), description=may(text()))})),
)
_FOREIGN = cite("BRC-Q-016")

_NOVA = cite("BRC-Q-031")
_REASONING = obj(_NOVA, type=need(word("enabled", "disabled")), maxReasoningEffort=may(known("low", "medium", "high")))
_INFERENCE_CONFIG = obj(
    _SAMPLED,
    maxTokens=may(integer(1)),
    max_new_tokens=may(integer(1), only=INVOKED),  # 15 recorded
    topK=may(integer(0), _NOVA, only=INVOKED),
    reasoningConfig=may(_REASONING, only=INVOKED),
    temperature=may(number(0, 1)),
    topP=may(number(0, 1)),
    stopSequences=may(array(text(1), 0, 2500)),
)
_GUARDRAIL_CONFIG = obj(
    _GUARDRAIL,
    guardrailIdentifier=may(text(0, 2048, f"|[a-z0-9]+|{GUARDRAIL}")),
    guardrailVersion=may(text(pattern=VERSION)),
    trace=may(words("enabled disabled enabled_full")),
    streamProcessingMode=may(words("sync async")),
)
_PROMPTED = when(path=r":prompt/")
_IN_PROMPT = may(Foreign("the prompt of Prompt management, which has it"), cite("BRC-Q-032"), only=_PROMPTED)
REQUEST = obj(
    foreign(
        _FOREIGN,
        model="the model in the path",
        modelId="the model in the path",
        stream="the operation `converse-stream`",
        tools="`toolConfig.tools`",
        toolChoice="`toolConfig.toolChoice`",
        tool_choice="`toolConfig.toolChoice`",
        max_tokens="`inferenceConfig.maxTokens`",
        maxTokens="`inferenceConfig.maxTokens`",
        temperature="`inferenceConfig.temperature`",
        topP="`inferenceConfig.topP`",
        stopSequences="`inferenceConfig.stopSequences`",
    ),
    messages=first(
        may(array(_MESSAGE), only=_PROMPTED),  # a prompt has messages of its own
        should(array(_MESSAGE), missing=cite("BRC-Q-001")),
    ),
    system=first(_IN_PROMPT, may(array(_SYSTEM))),
    inferenceConfig=first(_IN_PROMPT, may(_INFERENCE_CONFIG)),
    toolConfig=first(_IN_PROMPT, may(obj(_TOOL, tools=need(array(_TOOLS, 1)), toolChoice=may(_CHOSEN)))),
    guardrailConfig=may(_GUARDRAIL_CONFIG),
    projectIdentifier=may(text(1, 2048, _PROJECT), _OPTION),
    schemaVersion=may(word("messages-v1"), _NOVA, only=INVOKED),
    additionalModelRequestFields=first(
        _IN_PROMPT,
        may(Foreign("the fields themselves, in the body or in `inferenceConfig`"), _NOVA, only=INVOKED),
        may(anything),
    ),
    promptVariables=may(mapping(union(_OPTION, {"text": text()})), _OPTION),
    additionalModelResponseFieldPaths=may(array(text(1, 256, "(/([^~/]|~[01])*)+"), 0, 10), _OPTION),
    requestMetadata=may(mapping(text(0, 256, _LABEL), text(1, 256, _LABEL), 16), _OPTION),
    performanceConfig=may(obj(_OPTION, latency=may(words("standard optimized")))),
    serviceTier=may(obj(_OPTION, type=need(words("priority default flex reserved")))),
    outputConfig=may(obj(_OPTION, textFormat=may(_FORMAT), effort=may(known("low", "medium", "high", "xhigh", "max")))),
)
