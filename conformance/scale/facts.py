"""By what trends are compared: the day, provider, model and client of an exchange."""

from __future__ import annotations

import re
from datetime import date
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.profiles.recognition import recognised

_DAY = re.compile(
    r"(?<!\d)(20\d\d)-?(\d\d)-?(\d\d)(?!\d)"  # 2026-11-22, dt=20261122
    r"|(?<!\d)(?:year=)?(20\d\d)/(?:month=)?(\d\d)/(?:day=)?(\d\d)(?!\d)"  # of object storage: a folder for each part
)
_CLIENT = re.compile(r"[^\s/]+/[^\s;,()]+(?: \d[\w.]*)?")
"""The first product of a `User-Agent`: `OpenAI/Python 2.1.0`, `google-genai-sdk/1.4.0`."""


class Facts(NamedTuple):
    """None where the exchange does not show it."""

    day: str | None
    provider: str | None
    model: str | None
    client: str | None


def facts_of(exchange: Exchange, view: View | None) -> Facts:
    """The facts of an exchange; `view` is how its dialect reads it."""
    request, response = exchange.request, exchange.response
    model = view.ask.model if view is not None else None
    provider = view.provider if view is not None else None
    if view is None:
        known = recognised(request.host, response.headers, lambda: None, request.headers.get("user-agent"))
        provider = known.provider if known is not None else None
    agent = _CLIENT.match(request.headers.get("user-agent") or "")
    return Facts(_day_in(exchange.source) or _day_of(response.headers.get("date")), provider, model, agent and agent[0])


def _day_in(source: str) -> str | None:
    """The last day in the path of a file."""
    for found in reversed(list(_DAY.finditer(source))):
        try:
            return date(*(int(part) for part in found.groups() if part)).isoformat()
        except ValueError:  # a number that looks like a day
            continue
    return None


def _day_of(header: str | None) -> str | None:
    try:
        return parsedate_to_datetime(header).date().isoformat() if header else None
    except ValueError:
        return None
