"""A view of an exchange whose source has only the response."""

from __future__ import annotations

from typing import NoReturn

from conformance.judge.view import View


class NotRecordedError(Exception):
    """A rule needs the request, which the source does not contain: it cannot run."""


class ResponseOnly(View):
    """The view for an exchange without a request: a rule that reads the request ends."""

    @property
    def request(self) -> NoReturn:
        raise NotRecordedError

    @property
    def ask(self) -> NoReturn:
        raise NotRecordedError


def as_recorded(view: View) -> View:
    """The view that rules get: the view itself, or one without a request if the source has none."""
    if "request" not in view.exchange.lacks:
        return view
    return ResponseOnly(view.exchange, view.dialect, number=view.number, profile=view.profile)
