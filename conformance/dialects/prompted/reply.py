"""Prompted replies: the carrier's turns, their text taken apart."""

from __future__ import annotations

from typing import Any

from conformance.dialects import all_dialects
from conformance.dialects.prompted.parse import parse
from conformance.dialects.prompted.request import CARRIER
from conformance.dialects.riding import reread
from conformance.transcript import Turn


def read_reply(body: Any) -> tuple[Turn, ...]:
    """One turn for each choice."""
    return tuple(reread(turn, parse) for turn in all_dialects()[CARRIER].read_reply(body))
