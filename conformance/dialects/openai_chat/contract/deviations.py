"""Deviations of single providers from Chat, each with its evidence."""

from __future__ import annotations

from conformance.dialects.openai_chat.contract.places import MISTRAL
from conformance.judge.contract.deviations import accept, assume, ease
from conformance.judge.contract.notation import (
    array,
    by_known,
    integer,
    known,
    may,
    need,
    obj,
    text,
    word,
)
from conformance.judge.contract.situation import when
from conformance.model.finding import Severity

_CEREBRAS, _GROQ, _XAI, _ZAI = when("cerebras"), when("groq"), when("xai"), when("zai")
_OPENROUTER, _AZURE = when("openrouter"), when("azure-openai", "azure-ai")
_PARTS = by_known(
    "type",
    {
        "text": obj(text=need(text())),
        "image_url": obj(image_url=need(text(1) | obj(url=need(text(1)), detail=may(text())))),
        "input_audio": obj(input_audio=need(text(1))),
        "document_url": obj(document_url=need(text(1)), document_name=may(text())),
        "thinking": obj(thinking=need(array(obj()) | text())),
        "reference": obj(reference_ids=need(array(integer() | text()))),
    },
)

REQUEST_DEVIATIONS = (
    accept(MISTRAL, "/messages/*/content/*", _PARTS, "mistral-common's parts; image_url as a string recorded 3 times"),
    accept(MISTRAL, "/tool_choice", word("any"), "Mistral's documented spelling of `required`"),
    assume(MISTRAL, "/tools/*/type", "function", "tools without `type`, 51 recorded with 200"),
    ease(MISTRAL, "/messages/*/tool_calls", "empty", Severity.WARNING, "an empty array in a history, recorded twice"),
    assume(MISTRAL, "/messages/*/tool_calls/*/type", "function", "calls have no `type`, also when sent back"),
    ease(_ZAI, "/messages/*/tool_call_id", "missing", Severity.WARNING, "20 recorded with 200"),
    ease(when("writer"), "/messages/*/tool_call_id", "missing", Severity.WARNING, "1 recorded with 200"),
    ease(when("writer"), "/messages/*/tool_calls/*/id", "missing", Severity.WARNING, "1 recorded with 200"),
    ease(_XAI, "/tool_choice/type", "value", Severity.WARNING, "Anthropic's `tool`, accepted in 32 recorded requests"),
    assume(when("huggingface"), "/tool_choice/type", "function", "huggingface_hub sends no type, 2 recorded"),
    accept(_GROQ, "/service_tier", word("on_demand"), "Groq's documented default"),
    accept(
        _OPENROUTER,
        *("/tools/*", obj(type=need(text(pattern="openrouter:.+"))), "OpenRouter's own tools, 8 recorded with 200"),
    ),
    ease(
        when("openai", since="2026-07-14"),
        *("/messages/*/tool_calls/*/id", "length", Severity.INFO),
        "vercel/ai#17233: an id of 51 characters was accepted on 2026-07-14; openclaw/openclaw#875 was refused before",
    ),
)
REPLY_DEVIATIONS = (
    ease(
        when("azure-openai", model="(?i)deepseek"),
        *("/choices/*/finish_reason", "value", Severity.WARNING, "DeepSeek on Azure: `tool_call` after calls, 6"),
    ),
    accept(
        when("deepseek"),
        *("/choices/*/finish_reason", word("insufficient_system_resource"), "documented by DeepSeek (WIRE 16.1)"),
    ),
    ease(_GROQ, "/choices/*/message/content", "missing", Severity.WARNING, "left out beside calls, 77 of 80 recorded"),
    ease(_CEREBRAS, "/choices/*/message/content", "missing", Severity.WARNING, "left out beside calls, 19 of 19"),
    ease(_ZAI, "/choices/*/message/content", "missing", Severity.WARNING, "left out beside some calls, 12 recorded"),
    ease(_ZAI, "/object", "missing", Severity.WARNING, "left out of 102 replies of 103"),
    accept(_GROQ, "/service_tier", known("on_demand", "flex", "auto", "performance"), "Groq's own tiers, 127 recorded"),
    accept(when("snowflake"), "/service_tier", word(""), "empty in 8 recorded"),
    ease(MISTRAL, "/choices/*/message/tool_calls", "null", Severity.INFO, "null beside plain text, 78 recorded"),
    ease(
        MISTRAL,
        *("/choices/*/message/tool_calls/*/type", "missing", Severity.WARNING),
        "left out where the request's tools left it out, 33 recorded",
    ),
    ease(MISTRAL, "/choices/*/message/content", "type", Severity.WARNING, "an array of parts when it reasons, 9"),
)
STREAM_DEVIATIONS = (
    ease(
        _CEREBRAS, "/choices/*/finish_reason", "missing", Severity.WARNING, "left out until it is set, 8 streams of 8"
    ),
    ease(
        when("azure-ai", model="(?i)grok"),
        *("/choices/*/finish_reason", "missing", Severity.WARNING, "left out until it is set, 5 streams of 5"),
    ),
    ease(_ZAI, "/choices/*/finish_reason", "missing", Severity.WARNING, "left out until it is set, 23 streams of 23"),
    ease(_ZAI, "/object", "missing", Severity.WARNING, "left out of 22 streams of 23"),
    accept(_GROQ, "/service_tier", known("on_demand", "flex", "auto", "performance"), "Groq's own tiers, 16 recorded"),
    accept(when("snowflake"), "/service_tier", word(""), "empty in one recorded stream"),
    ease(MISTRAL, "/choices/*/delta/content", "type", Severity.WARNING, "arrays of parts when it reasons, 4 recorded"),
    ease(
        when("mistral", until="2024-12-31"),
        *("/choices/*/delta/tool_calls/*/index", "missing", Severity.WARNING, "absent on 2024-08-27, 2 recorded"),
    ),
)
ERROR_DEVIATIONS = (
    ease(_AZURE, "/error/type", "missing", Severity.WARNING, "errors of Azure's gateway and hosted models, 4 recorded"),
    ease(_AZURE, "/error/param", "missing", Severity.WARNING, "the same errors as for `type`"),
    ease(_GROQ, "/error/param", "missing", Severity.WARNING, "21 of 21 recorded"),
    ease(_GROQ, "/error/code", "missing", Severity.WARNING, "2 of 21 recorded"),
    ease(
        _OPENROUTER, "/error/type", "missing", Severity.WARNING, "documented as code, message and metadata, 142 of 142"
    ),
    ease(_OPENROUTER, "/error/param", "missing", Severity.WARNING, "the same errors as for `type`"),
    ease(_OPENROUTER, "/error/code", "type", Severity.WARNING, "documented as a number"),
    ease(_XAI, "/error", "type", Severity.WARNING, "a string beside `code`, 5 of 5 recorded"),
    ease(when("mistral", "bedrock"), "/error", "missing", Severity.WARNING, "`message` at the top level, 3 recorded"),
)
