"""What Gemini's contract asks of platforms and models, and what its fields ask of each other."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.contract import Situation
from conformance.dialects.gemini.contract import CHUNK, ERROR, REPLY, REQUEST
from conformance.model.finding import Severity

BODY: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "How warm is it in Seoul?"}]}]}
CALL = {"functionCall": {"name": "get_weather", "args": {}}}
GOOGLE = Situation(provider="google", model="gemini-2.5-flash")
VERTEX = Situation(provider="vertex", model="gemini-2.5-flash")
LOCAL = Situation(provider="local", model="gemini-2.5-flash")
PRO = Situation(provider="google", model="gemini-2.5-pro")
LITE = Situation(provider="google", model="gemini-2.5-flash-lite")
NEW = Situation(provider="google", model="gemini-3-flash-preview")
OLD = Situation(provider="google", model="gemini-2.0-flash")
SPEAKING = Situation(provider="google", model="gemini-2.5-flash-preview-tts")
ERROR_BODY = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}
REPLY_BODY: dict[str, Any] = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "14.2"}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2},
    "modelVersion": "gemini-2.5-flash",
    "responseId": "a",
}


def reported(more: dict[str, Any], situation: Situation = GOOGLE) -> list[tuple[str, Severity]]:
    return [(each.pointer, each.severity) for each in REQUEST.violations({**BODY, **more}, situation)]


def config(**settings: Any) -> dict[str, Any]:
    return {"generationConfig": settings}


def declared(parameters: Any) -> dict[str, Any]:
    return {"tools": [{"functionDeclarations": [{"name": "f", "parameters": parameters}]}]}


def string(**more: Any) -> dict[str, Any]:
    return declared({"type": "object", "properties": {"a": {"type": "string", **more}}})


@pytest.mark.parametrize(
    ("more", "situation"),
    [
        (config(temperature=2, top_p=1, maxOutputTokens="8", seed=-1), GOOGLE),
        (config(thinkingConfig={"thinkingLevel": "low"}), NEW),
        (config(thinking_config={"thinking_budget": -1, "include_thoughts": True}), PRO),
        (config(thinkingConfig={"thinkingBudget": 0}), LITE),
        (config(responseSchema={"type": 1}, response_mime_type="application/json"), GOOGLE),
        (config(audioTimestamp=True), VERTEX),
        (config(audioTimestamp=None), GOOGLE),
        (config(responseModalities=["AUDIO"]), SPEAKING),
        ({"safetySettings": [{"category": 7, "threshold": "block_none"}]}, GOOGLE),
        ({"tools": {"google_search": {}}}, GOOGLE),
        ({"tools": [{"googleSearch": {"excludeDomains": ["a.example"]}}]}, VERTEX),
        ({"toolConfig": {"includeServerSideToolInvocations": True}}, GOOGLE),
        ({"systemInstruction": {"role": "system", "parts": {"text": "Be brief."}}}, GOOGLE),
        ({"contents": {"parts": [{"text": "Hi"}]}}, GOOGLE),
        ({"contents": [{"role": None, "parts": [{"fileData": {"fileUri": "https://a.example"}}]}]}, GOOGLE),
        ({"contents": [{"role": "model", "parts": [CALL, {"thoughtSignature": "Eg=="}]}]}, GOOGLE),
        ({"unheardOf": True}, LOCAL),
        (declared({"type": 6, "properties": {"a": {"any_of": [{"type": "STRING"}], "nullable": True}}}), GOOGLE),
        (declared({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}), GOOGLE),
        (string(format="email", enum=["a"]), VERTEX),
        (string(maxLength="5", minLength=1), GOOGLE),
        ({"cachedContent": "cachedContents/1"}, GOOGLE),
        ({"cachedContent": "projects/p/locations/l/cachedContents/1"}, VERTEX),
    ],
)
def test_legal_requests(more: dict[str, Any], situation: Situation) -> None:
    assert reported(more, situation) == []


@pytest.mark.parametrize(
    ("more", "situation", "place"),
    [
        (config(temperature=2.1), GOOGLE, "/generationConfig/temperature"),
        (config(temperature=None, topK=0), GOOGLE, "/generationConfig/topK"),
        (config(topK=64), Situation(provider="google", model="gemini-1.5-pro"), "/generationConfig/topK"),
        (config(stop_sequences=["a"] * 6), GOOGLE, "/generationConfig/stop_sequences"),
        (config(logprobs=2), GOOGLE, "/generationConfig/logprobs"),
        (config(responseSchema={}, responseJsonSchema={}), GOOGLE, "/generationConfig/responseJsonSchema"),
        (config(thinkingConfig={"thinkingLevel": "low"}), GOOGLE, "/generationConfig/thinkingConfig/thinkingLevel"),
        (config(thinkingConfig={"thinkingBudget": 0}), PRO, "/generationConfig/thinkingConfig/thinkingBudget"),
        (config(thinkingConfig={"thinkingBudget": 5}), LITE, "/generationConfig/thinkingConfig/thinkingBudget"),
        (config(audioTimestamp=True), GOOGLE, "/generationConfig/audioTimestamp"),
        (config(responseModalities=["TEXT"]), SPEAKING, "/generationConfig/responseModalities/0"),
        (
            config(speechConfig={"voiceConfig": {}, "multiSpeakerVoiceConfig": {}}),
            GOOGLE,
            "/generationConfig/speechConfig",
        ),
        ({"temperature": 1}, LOCAL, "/temperature"),
        ({"max_tokens": 1}, LOCAL, "/max_tokens"),
        ({"unheardOf": True}, GOOGLE, "/unheardOf"),
        ({"tools": [{"fileSearch": {"fileSearchStoreNames": ["a"]}}]}, VERTEX, "/tools/0/fileSearch"),
        ({"tools": [{"retrieval": {}}]}, GOOGLE, "/tools/0/retrieval"),
        ({"tools": [{"type": "function", "function": {}}]}, GOOGLE, "/tools/0/function"),
        ({"contents": [{"role": "user", "parts": [CALL]}]}, GOOGLE, "/contents/0/parts/0/functionCall"),
        ({"contents": [{"role": "developer", "parts": []}]}, GOOGLE, "/contents/0"),
        ({"contents": [{"parts": [{"fileData": {"fileUri": "gs://a"}}]}]}, VERTEX, "/contents/0/parts/0/fileData"),
        ({"safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT"}]}, GOOGLE, "/safetySettings/0"),
        ({"labels": {"a": "B"}}, GOOGLE, "/labels/a"),
        (
            {"cachedContent": "cachedContents/1", "system_instruction": {"parts": [{"text": "x"}]}},
            GOOGLE,
            "/system_instruction",
        ),
        (string(enum=["a", ""]), GOOGLE, "/tools/0/functionDeclarations/0/parameters/properties/a/enum/1"),
        (string(format="email"), GOOGLE, "/tools/0/functionDeclarations/0/parameters/properties/a/format"),
        (string(required=["b"]), GOOGLE, "/tools/0/functionDeclarations/0/parameters/properties/a/required"),
        (string(const=1), VERTEX, "/tools/0/functionDeclarations/0/parameters/properties/a/const"),
        (
            declared({"type": "object", "properties": {"$top": {}}}),
            GOOGLE,
            "/tools/0/functionDeclarations/0/parameters/properties/$top",
        ),
    ],
)
def test_refused_requests(more: dict[str, Any], situation: Situation, place: str) -> None:
    assert any(where.startswith(place) and weight is Severity.ERROR for where, weight in reported(more, situation))


def test_what_an_official_host_took_is_no_error() -> None:
    taken = Situation(provider="google", model="gemini-2.5-flash", ok=True)
    assert reported({"unheardOf": True}, taken) == [("/unheardOf", Severity.WARNING)]
    assert reported(string(const=1), taken)[0][1] is Severity.WARNING


def test_fields_of_schemas_that_older_models_did_not_take() -> None:
    schema = declared({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False})
    assert [weight for _, weight in reported(schema, OLD)] == [Severity.WARNING]
    assert reported(schema, GOOGLE) == []


@pytest.mark.parametrize(
    ("part", "severities"),
    [
        ({"text": ""}, []),
        ({}, [Severity.WARNING]),
        ({"thought": True}, [Severity.ERROR]),
        ({"hologram": {}}, [Severity.WARNING]),
        ({"text": "", "functionCall": {"name": "f"}}, [Severity.ERROR]),
        ({"function_call": {"name": "f"}}, [Severity.ERROR]),
    ],
)
def test_parts_of_a_reply(part: dict[str, Any], severities: list[Severity]) -> None:
    body = {**REPLY_BODY, "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
    assert [each.severity for each in REPLY.violations(body)] == severities


def test_a_blocked_prompt_needs_no_candidates_and_empty_content_no_role() -> None:
    blocked = {**REPLY_BODY, "candidates": [], "promptFeedback": {"blockReason": "SAFETY"}}
    assert list(REPLY.violations(blocked)) == []
    assert list(REPLY.violations({**REPLY_BODY, "candidates": [{"content": {}, "finishReason": "SAFETY"}]})) == []
    assert [each.rule for each in REPLY.violations({**REPLY_BODY, "candidates": []})] == ["gemini-candidates-missing"]


def test_a_chunk_may_be_an_error_also_in_an_array_of_one() -> None:
    assert list(CHUNK.violations(ERROR_BODY)) == list(CHUNK.violations([ERROR_BODY])) == []
    assert list(ERROR.violations([ERROR_BODY])) == []
    assert [each.rule for each in CHUNK.violations({"error": {}})] == ["gemini-error-malformed"]
    assert list(CHUNK.violations({"modelVersion": "m", "responseId": "a"})) == []
