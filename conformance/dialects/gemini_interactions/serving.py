"""What the reference server keeps for Interactions: the steps of stored ones."""

from __future__ import annotations

from typing import Any

from conformance.dialects.gemini_interactions.steps import kind_of
from conformance.dialects.gemini_interactions.stream import gather
from conformance.model import sse
from conformance.model.document import Document
from conformance.model.exchange import Request
from conformance.model.kept import Kept, Stored
from conformance.model.rendered import Rendered
from conformance.model.values import list_of, text_of

REFUSALS = {"credential-missing": (403, "Method doesn't allow unregistered callers. Use an API key.")}
"""With which status and words the provider refuses what breaks a rule, if not with a 400."""

Json = dict[str, Any]


def restored(request: Request, kept: Kept) -> Json | tuple[int, str] | None:
    """The body with the steps that the server keeps put before its own; None if it refers to nothing.

    Status and message if the server does not have what it refers to.
    """
    body = request.body.json
    previous = text_of(body.get("previous_interaction_id"))
    if previous is None:
        return None
    stored = kept.response(previous)
    if stored is None:
        return 404, f"Interaction with id '{previous}' not found."
    return {**body, "input": [*stored.given, *stored.made, *_steps(body.get("input"))]}


def remember(body: Any, rendered: Rendered, kept: Kept) -> None:
    """Keeps the interaction of a request that does not forbid it."""
    values = [part.value for part in rendered.documents if isinstance(part, Document)]
    found = [each.get("interaction", each) for each in values if isinstance(each, dict)]
    last = next((each for each in reversed(found) if each.get("object") == "interaction" and each.get("id")), None)
    if isinstance(body, dict) and last is not None:
        kept.add(last["id"], Stored(last, tuple(_steps(body.get("input"))), tuple(_made(last, values))))


def _made(interaction: Json, events: list[Any]) -> list[Json]:
    """The steps of the interaction; of a stream, each as it was put together."""
    if "steps" in interaction:
        return list_of(interaction["steps"])
    return [step.whole for step in gather(tuple(sse.from_values(events)))]


def _steps(given: Any) -> list[Any]:
    """The input as steps."""
    content = [{"type": "text", "text": given}] if isinstance(given, str) else given
    content = [content] if isinstance(content, dict) else list_of(content)
    plain = content and all(kind_of(each) in ("text", "image", "audio", "video", "document") for each in content)
    return [{"type": "user_input", "content": content}] if plain else content
