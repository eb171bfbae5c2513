"""Gemini replies, streamed or not: usage, identity, and the types of all fields. docs/contract/gemini.md, GEM-R."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.chunks import chunks, is_error
from conformance.dialects.gemini.content import DATA_FIELDS
from conformance.dialects.gemini.fields import REPLY, mistakes
from conformance.dialects.gemini.wire import candidate_parts, candidates, whole
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING, join

_BODY = "/0/response/body"
_CANDIDATE = f"{_BODY}/candidates/0"
_EVENTS = "/0/response/events"
_TYPES = "google-genai 2.34 google/genai/types.py"
_SUMMANDS = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")


@rule(
    "gemini-usage-total-wrong",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=[f"GEM-R-009 {_TYPES} GenerateContentResponseUsageMetadata"],
    conforming=[example("gemini/call"), example("gemini/stream-call"), example("gemini/answer")],
    violating=[
        example("gemini/call", put(f"{_BODY}/usageMetadata/totalTokenCount", 104)),
        example(
            "gemini/call",
            drop(f"{_BODY}/usageMetadata/thoughtsTokenCount"),
            at="0 response /usageMetadata/totalTokenCount",
        ),
        example(
            "gemini/stream-call",
            put(f"{_EVENTS}/2/data/usageMetadata/candidatesTokenCount", 34),
            at="0 response event/2/usageMetadata/totalTokenCount",
        ),
    ],
)
def usage_total_wrong(view: View) -> Iterator[Hit]:
    """The total token count must be the sum of prompt, candidates, thoughts and tool-use prompt.

    Cost is computed from the parts and limits from the total, so they must agree. Zero parts are absent.
    """
    for body, pointer in chunks(view):
        usage = body.get("usageMetadata")
        total = whole(usage.get("totalTokenCount")) if isinstance(usage, dict) else None
        if not isinstance(usage, dict) or total is None:
            continue
        summands = [whole(usage.get(name, 0)) for name in _SUMMANDS]
        if None not in summands and sum(filter(None, summands)) != total:
            where = join(pointer, "usageMetadata", "totalTokenCount")
            yield Hit(where, "the total is not the sum of its parts", str(sum(filter(None, summands))), str(total))


@rule(
    "gemini-identity-missing",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["GEM-R-010 recorded traffic 242/245"],
    violating=[
        example("gemini/call", drop(f"{_BODY}/modelVersion")),
        example("gemini/stream-call", drop(f"{_EVENTS}/1/data/responseId")),
        example("gemini/call", put(f"{_BODY}/responseId", "")),
    ],
)
def identity_missing(view: View) -> Iterator[Hit]:
    """Every reply and every chunk should have `modelVersion` and `responseId`.

    An alias in the URL hides the model that replied, and support asks for the id.
    """
    for body, pointer in chunks(view):
        if is_error(body):
            continue
        for name in ("modelVersion", "responseId"):
            if not body.get(name, ""):
                where = join(pointer, name) if name in body else pointer or None
                yield Hit(where, f"the reply has no {name}", f"a {name}", "none")


@rule(
    "gemini-usage-missing",
    severity=Severity.WARNING,
    scope="response",
    basis="observed",
    cites=["GEM-R-009 recorded traffic 673/673"],
    conforming=[example("gemini/call"), example("gemini/blocked")],
    violating=[
        example("gemini/call", drop(f"{_BODY}/usageMetadata")),
        example("gemini/call", drop(f"{_BODY}/usageMetadata/totalTokenCount")),
        example("gemini/call", drop(f"{_BODY}/usageMetadata/promptTokenCount")),
    ],
)
def usage_missing(view: View) -> Iterator[Hit]:
    """A reply must have its prompt and total token counts.

    Clients with a budget count nothing if the usage is missing.
    """
    body = view.response
    if not isinstance(body, dict) or is_error(body):
        return
    usage = body.get("usageMetadata")
    if usage is None:
        yield Hit(None, "the reply has no usage", "usageMetadata", "none")
    elif isinstance(usage, dict):
        gone = [name for name in ("promptTokenCount", "totalTokenCount") if usage.get(name) is None]
        if gone:
            yield Hit("/usageMetadata", f"the usage has no {' and no '.join(gone)}", "prompt and total", "missing")


@rule(
    "gemini-reply-field-wrong-type",
    scope="reply",
    basis="sdk-type",
    cites=[f"GEM-R-003 {_TYPES} FunctionCall", f"GEM-R-001 {_TYPES} GenerateContentResponse"],
    conforming=[example("gemini/call"), example("gemini/stream-call"), example("gemini/thinking-run")],
    violating=[
        example("gemini/call", put(f"{_CANDIDATE}/content/parts/0/functionCall/id", 7)),
        example("gemini/answer", put(f"{_CANDIDATE}/content/parts/0/text", None)),
        example("gemini/call", put(f"{_BODY}/usageMetadata/totalTokenCount", "197")),
        example("gemini/stream-call", put(f"{_EVENTS}/0/data/candidates/0/content/parts/0", "get_weather")),
        example("gemini/call", put(f"{_CANDIDATE}/finishReason", None)),
    ],
)
def reply_field_wrong_type(view: View) -> Iterator[Hit]:
    """Every field of a reply must have the JSON type that the API defines for it.

    Typed clients (Go, Java, Swift) fail on the whole reply for one wrong type; null is never sent.
    """
    for body, pointer in chunks(view):
        for where, wanted, found in mistakes(body, REPLY, pointer, nulls=False):
            yield Hit(where or None, f"the value is not {wanted}", wanted, brief(found))


@rule(
    "gemini-reply-part-ambiguous",
    scope="reply",
    basis="sdk-type",
    cites=[f"GEM-Q-015 {_TYPES} Part", "GEM-R-003 recorded traffic 1219/1219"],
    violating=[
        example(
            "gemini/call",
            put(f"{_CANDIDATE}/content/parts/1/text", "and"),
            at="0 response /candidates/0/content/parts/1",
        ),
        example(
            "gemini/call",
            put(
                f"{_CANDIDATE}/content/parts/0/function_call",
                {"name": "get_weather", "args": {"latitude": 37.57, "longitude": 126.98}},
            ),
            drop(f"{_CANDIDATE}/content/parts/0/functionCall"),
        ),
        example("gemini/stream-answer", drop(f"{_EVENTS}/1/data/candidates/0/content/parts/0/text")),
    ],
)
def reply_part_ambiguous(view: View) -> Iterator[Hit]:
    """Every part of a reply must be exactly one of text, call, file or code.

    A client reads the first field that it knows and loses the other, and ignores a part without any.
    """
    for body, pointer in chunks(view):
        for candidate, where in candidates(body, pointer):
            for part, place in candidate_parts(candidate, where):
                things = [name for name in DATA_FIELDS if part.get(name, MISSING) is not MISSING]
                if len(things) != 1:
                    # A part of a kind that is not known may be new: only an empty one is surely wrong.
                    new = not things and set(part) - {"thought", "thoughtSignature"}
                    text = f"the part has {len(things)} known kinds of content"
                    yield Hit(place, text, "exactly one", _shown(part), Severity.WARNING if new else None)


def _shown(part: dict[str, Any]) -> str:
    return ", ".join(part) or "nothing"
