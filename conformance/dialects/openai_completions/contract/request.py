"""A request with a raw prompt, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Field, Foreign, Node
from conformance.contract.notation import *
from conformance.dialects.openai_completions.contract.places import BASE_MODELS, HELD, MODEL_IN_PATH, OFFICIAL
from conformance.model.finding import Severity

_WARNED = cite("OAT-Q-001", Severity.WARNING, because="inference servers have the field; no refusal by OpenAI is known")
_ORPHANED = cite("OAT-Q-003", rule="completions-stream-options-orphaned", refused=400)
_CUT_OFF = cite("OAT-Q-002", rule="completions-max-tokens-missing")
_INT64 = integer(-(2**63), 2**63 - 1)

PROMPT = text() | array(text(), 1) | array(integer(0), 1) | array(array(integer(0), 1), 1)
"""One text, several texts, or their token numbers."""


def _others(node: Node) -> Field:
    """A field that inference servers have and OpenAI does not."""
    return first(may(Foreign("a server that has this field"), _WARNED, only=OFFICIAL), may(node))


_RESPONSE_FORMAT = by_known(
    text=obj(),
    json_object=obj(),
    json_schema=obj(json_schema=need(obj())),
    structural_tag=obj(),
)
SERVERS = {
    # vLLM, entrypoints/openai/completion/protocol.py; SGLang, TensorRT-LLM and others have most of them too.
    "skip_special_tokens": _others(boolean),
    "spaces_between_special_tokens": _others(boolean),
    "add_special_tokens": _others(boolean),
    "include_stop_str_in_output": _others(boolean),
    "stop_token_ids": _others(array(integer(0))),
    "bad_words": _others(array(text())),
    "allowed_token_ids": _others(array(integer(0))),
    "min_tokens": _others(integer(0)),
    "ignore_eos": _others(boolean),
    "top_k": _others(integer(-1)),
    "min_p": _others(number(0, 1)),
    "repetition_penalty": _others(number(0)),
    "length_penalty": _others(number()),
    "use_beam_search": _others(boolean),
    "truncate_prompt_tokens": _others(integer(-1)),
    "truncation_side": _others(word("left", "right")),
    "prompt_logprobs": _others(integer(-1)),
    "prompt_embeds": _others(text(1) | array(text(1))),
    "logprob_token_ids": _others(array(integer(0), 1)),
    "return_token_ids": _others(boolean),
    "return_tokens_as_token_ids": _others(boolean),
    "response_format": _others(_RESPONSE_FORMAT),
    "structured_outputs": _others(
        obj(excludes("json", "regex"), excludes("json", "choice"), excludes("regex", "choice"))
    ),
    "guided_json": _others(text() | mapping()),
    "guided_regex": _others(text()),
    "guided_choice": _others(array(text())),
    "guided_grammar": _others(text()),
    "priority": _others(_INT64),
    "request_id": _others(text(1)),
    "cache_salt": _others(text(1, 1024)),
    "kv_transfer_params": _others(mapping()),
    "vllm_xargs": _others(mapping()),
    # llama.cpp, tools/server.
    "n_predict": _others(integer(-1)),
    "grammar": _others(text()),
    "json_schema": _others(mapping()),
    "repeat_penalty": _others(number(0)),
    "cache_prompt": _others(boolean),
    "id_slot": _others(integer(-1)),
}
"""Fields that inference servers add, each with its type."""

REQUEST = obj(
    closed_at(OFFICIAL),
    {"unknown": _WARNED},
    some_of("prompt", "prompt_embeds"),
    some_of("max_tokens", "n_predict", cite=_CUT_OFF),
    needs("stream_options", is_("stream", True), cite=_ORPHANED),
    excludes(is_("stream", True), over("best_of", 1)),
    excludes("guided_json", "guided_regex"),
    excludes("guided_json", "guided_choice"),
    excludes("guided_regex", "guided_choice"),
    SERVERS,
    foreign(
        _WARNED,
        messages="`prompt`, or the chat endpoint",
        input="`prompt`",
        contents="`prompt`",
        instructions="the beginning of `prompt`",
        system="the beginning of `prompt`",
        tools="the text of `prompt`",
        tool_choice="the text of `prompt`",
        max_completion_tokens="`max_tokens`",
        max_output_tokens="`max_tokens`",
        stop_sequences="`stop`",
        top_logprobs="`logprobs`",
        functions="the text of `prompt`",
        function_call="the text of `prompt`",
        parallel_tool_calls="the text of `prompt`",
        reasoning_effort="a reasoning model, over Chat",
        verbosity="the text of `prompt`",
        modalities="a chat model",
        audio="a chat model",
        prediction="a chat model",
        web_search_options="a chat model with web search",
        moderation="a chat model",
        prompt_cache_key="a chat model",
        prompt_cache_options="a chat model",
        prompt_cache_retention="a chat model",
        metadata="the chat endpoint",
        safety_identifier="the chat endpoint",
        service_tier="the chat endpoint",
        store="the chat endpoint",
    ),
    model=need(text(1), unless=MODEL_IN_PATH),
    prompt=may(PROMPT, empty=_WARNED),
    best_of=may(integer(0, 20)),
    echo=may(boolean),
    frequency_penalty=may(number(-2, 2)),
    logit_bias=first(may(mapping(integer(-100, 100)), only=OFFICIAL), may(mapping(number(-100, 100)))),
    logprobs=first(may(integer(0, 5), only=HELD), may(integer(-1, 5), range=_WARNED)),
    max_tokens=may(integer(0)),
    n=may(integer(1, 128)),
    presence_penalty=may(number(-2, 2)),
    seed=may(_INT64),
    stop=first(
        may(text() | array(text(), 1, 4), only=HELD),
        may(text() | array(text(), 1, 4), empty=_WARNED, count=_WARNED),
    ),
    stream=may(boolean),
    stream_options=may(
        obj(include_usage=may(boolean), include_obfuscation=may(boolean), continuous_usage_stats=may(boolean))
    ),
    suffix=first(may(Foreign("gpt-3.5-turbo-instruct"), _WARNED, only=BASE_MODELS), may(text())),
    temperature=may(number(0, 2)),
    top_p=may(number(0, 1)),
    user=may(text()),
)
