"""The conversations of one script that a session has open, by what a client sends back of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from conformance.model.transcript import Turn
from conformance.reference.played import Played, Sent

_LATEST = 512
"""How many conversations of one scenario may be in progress at once."""


class Open:
    """The latest conversations of one script, by what a client sends back of them."""

    def __init__(self) -> None:
        self._all: OrderedDict[Played, None] = OrderedDict()
        self._begun: dict[Played, None] = {}
        self._by_call: dict[str, list[Played]] = {}

    def add(self, played: Played) -> None:
        """A new conversation."""
        self._all[played] = None
        self._begun[played] = None
        if len(self._all) > _LATEST:
            oldest, _ = self._all.popitem(last=False)
            self._begun.pop(oldest, None)
            for sent in oldest.sent.values():
                self._forget(oldest, sent)

    def sent(self, played: Played, position: int, sent: Sent) -> None:
        """A turn of a conversation went out, possibly again."""
        before = played.sent.get(position)
        if before is not None:
            self._forget(played, before)
        played.sent[position] = sent
        if played in self._all:
            for call in _ids(sent):
                self._by_call.setdefault(call, []).append(played)

    def again(self, *, retried: bool) -> Played | None:
        """The conversation whose first request is sent again: it got no good answer, or the client names it a retry."""
        for each in [each for each in self._begun if each.reached > 1]:
            del self._begun[each]
        for each in reversed(self._begun):
            first = each.sent.get(0)
            if first is None or retried or first.cut or first.status >= 400:
                return each
        return None

    def continued(self, position: int, history: tuple[Turn, ...], connection: str) -> Played | None:
        """The conversation whose turn before `position` a request answers.

        The ids of its calls decide; without them, it is the latest one that is not finished, of the same connection if
        there is one.
        """
        known = {call.id for turn in history for call in turn.calls if call.id}
        named = {each for call in known for each in self._by_call.get(call, ()) if position - 1 in each.sent}
        if named:
            named = {each for each in named if known.intersection(_ids(each.sent[position - 1]))}
        if named:
            likely: Iterable[Played] = sorted(named, key=lambda each: each.number, reverse=True)
        else:
            likely = (each for each in reversed(self._all) if position - 1 in each.sent)
        found, best = None, (False, False)
        for each in likely:
            fit = not each.finished, each.connection == connection
            if found is None or fit > best:
                found, best = each, fit
            if all(best):
                break
        return found

    def _forget(self, played: Played, sent: Sent) -> None:
        for call in _ids(sent):
            known = self._by_call.get(call, [])
            if played in known:
                known.remove(played)
            if not known:
                self._by_call.pop(call, None)


def _ids(sent: Sent) -> list[str]:
    return [call.id for call in sent.turn.calls if call.id] if sent.turn is not None else []
