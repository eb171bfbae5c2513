"""Interactions, as replies: wire to neutral."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.dialects.gemini_interactions.steps import RUNNING, STOPS, read_step, role_of
from conformance.model.pointer import join
from conformance.model.transcript import Part, Turn
from conformance.model.values import list_of, text_of


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of an interaction; none while it goes on in the background, or if it is not one."""
    if not isinstance(body, dict) or "status" not in body or (body["status"] in RUNNING and not body.get("steps")):
        return ()
    placed = ((step, join("/steps", number)) for number, step in enumerate(list_of(body.get("steps"))))
    parts = [part for step, at in placed if role_of(step) == "assistant" for part in read_step(step, at)]
    return (turn_of(parts, body, ""),)


def turn_of(parts: Sequence[Part], interaction: Any, pointer: str, at: str = "") -> Turn:
    """The model's turn, with the id and the status of its interaction, which is at `pointer`."""
    status = interaction.get("status") if isinstance(interaction, dict) else None
    if status in RUNNING:
        status = None  # of a stream that broke off, or of work in the background: the turn has not stopped
    stop = None if status is None else STOPS.get(text_of(status) or "", "other")
    name = text_of(interaction.get("id")) if isinstance(interaction, dict) else None
    return Turn("assistant", tuple(parts), at, stop, status, join(pointer, "status"), name or None)
