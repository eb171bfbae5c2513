"""A request by itself, as a provider sees it when it decides whether to answer."""

from __future__ import annotations

from typing import Any

from conformance.judge.view import View
from conformance.model.dialect import Dialect
from conformance.model.exchange import UNANSWERED, Exchange, Request, Response

_UNANSWERED = Response(UNANSWERED)


class _More:
    """A member of a view that comes from the run, or from the answer: a request by itself has none."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __get__(self, view: Alone, owner: type) -> Any:
        view.reads_more = True
        return self._value

    def __set__(self, view: Alone, value: Any) -> None:
        """Keeps it as it is."""


class Alone(View):
    """The view of a request without its run, and before its answer.

    `reads_more` becomes true when either is read: a rule that reads it may find something else there; any other rule
    finds the same.
    """

    earlier: Any = _More(())
    other_dialects: Any = _More(())
    continues: Any = _More(None)
    received: Any = _More({})
    ok: Any = _More(False)
    events: Any = _More(None)
    response: Any = _More(_UNANSWERED.body.json)
    replies: Any = _More(())
    repeated: Any = None
    _kept: Any = None

    def __init__(self, request: Request, dialect: Dialect) -> None:
        super().__init__(Exchange(request, _UNANSWERED, complete=True), dialect)
        self.reads_more = False
