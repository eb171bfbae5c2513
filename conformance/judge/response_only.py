"""A view of an exchange of which the source has only the response."""

from __future__ import annotations

from typing import NoReturn

from conformance.judge.view import View


class NotRecordedError(Exception):
    """A rule asked for the request, which the source does not contain: it cannot be judged."""


class ResponseOnly(View):
    """What a rule is given where there is no request: asking for anything of that ends the rule."""

    @property
    def request(self) -> NoReturn:
        raise NotRecordedError

    @property
    def ask(self) -> NoReturn:
        raise NotRecordedError


def as_recorded(view: View) -> View:
    """The view that rules are given: the view itself, or where the source has no request, one without it."""
    if "request" not in view.exchange.lacks:
        return view
    profile = view._profile  # noqa: SLF001 - a view of the same exchange
    return ResponseOnly(view.exchange, view.dialect, number=view.number, profile=profile)
