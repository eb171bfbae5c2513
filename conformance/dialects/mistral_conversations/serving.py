"""What the reference server keeps for conversations: their entries, and how they began."""

from __future__ import annotations

from typing import Any

from conformance.dialects.mistral_conversations.claims import PATH
from conformance.dialects.mistral_conversations.stream import STARTED, gather
from conformance.model import sse
from conformance.model.document import Document
from conformance.model.exchange import Request
from conformance.model.kept import Kept, Stored
from conformance.model.rendered import Rendered
from conformance.model.values import list_of

REFUSALS = {"credential-missing": (401, "Unauthorized")}
"""With which status and words the provider refuses what breaks a rule, if not with a 400."""
_SETTINGS = ("model", "agent_id", "instructions", "tools", "completion_args")
"""What a conversation has of the request that started it."""

Json = dict[str, Any]


def restored(request: Request, kept: Kept) -> Json | tuple[int, str] | None:
    """The body with the settings and the entries that the server keeps; None if it continues no conversation.

    Status and message if the server does not have what it refers to.
    """
    path, body = PATH.search(request.path), request.body.json
    if path is None or path["id"] is None:
        return None
    stored = kept.response(path["id"])
    if stored is None:
        return 404, f"Conversation {path['id']} not found."
    entries = [*stored.given, *stored.made]
    if path["restart"]:
        places = [number for number, entry in enumerate(entries) if entry.get("id") == body.get("from_entry_id")]
        if not places:
            return 404, f"Entry {body.get('from_entry_id')} not found."
        entries = entries[: places[0] + 1]
    arguments = {**stored.value.get("completion_args", {}), **(body.get("completion_args") or {})}
    return {**body, **stored.value, "completion_args": arguments, "inputs": [*entries, *_entries(body.get("inputs"))]}


def remember(body: Any, rendered: Rendered, kept: Kept) -> None:
    """Keeps the conversation of a request that does not forbid it; `body` has what was kept put in."""
    values = [part.value for part in rendered.documents if isinstance(part, Document)]
    whole = next((each for each in values if "outputs" in each or each.get("type") == STARTED), None)
    if not isinstance(body, dict) or body.get("store") is False or whole is None:
        return
    made = whole.get("outputs") or [each.whole for each in gather(tuple(sse.from_values(values)))]
    settings = {key: body[key] for key in _SETTINGS if body.get(key) is not None}
    kept.add(whole["conversation_id"], Stored(settings, tuple(_entries(body.get("inputs"))), tuple(made)))


def _entries(given: Any) -> list[Any]:
    """The inputs as entries."""
    plain = [{"type": "message.input", "role": "user", "content": given}]
    return plain if isinstance(given, str) else [each for each in list_of(given) if isinstance(each, dict)]
