"""Tools that a program sends with each of its requests: what is silent about them is not asked again.

A provider or an agent has few sets of tools and many requests. A rule that found nothing in a set finds nothing in it
again, for the same provider, version and model, on the same day.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from hashlib import blake2b

from conformance.judge.quirks import answered_on, api_version
from conformance.judge.rule import Rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import get
from conformance.profiles import profiles

_MOST = 1024
"""How many sets are known at once; the least recently used is forgotten first."""
_SILENT: OrderedDict[Hashable, set[str]] = OrderedDict()


def hits_of_tools(rule: Rule, view: View) -> Iterable[Hit]:
    """The hits of a rule about tools; none if the same tools had none before."""
    silent = _silent_about(view)
    if rule.id in silent:
        return ()
    found = list(rule.judge(view))
    if not found:
        silent.add(rule.id)
    return found


def _silent_about(view: View) -> set[str]:
    """The rules that found nothing in these tools, to which more can be added."""
    if _silent_about not in view.found:
        view.found[_silent_about] = _known(view)
    found: set[str] = view.found[_silent_about]
    return found


def _known(view: View) -> set[str]:
    key = _key(view) if view.reuses and not view.exchange.lacks else None
    if key is None:
        return set()
    found = _SILENT.setdefault(key, set())
    _SILENT.move_to_end(key)
    if len(_SILENT) > _MOST:
        _SILENT.popitem(last=False)
    return found


def _key(view: View) -> Hashable | None:
    """The tools of a request, and all that rules about them read besides; None if the tools have no key."""
    tools = _digest(view)
    if tools is None:
        return None
    who = view.dialect.name, view.exchange.request.host, view.provider, view.model, profiles.version()
    return *who, api_version(view), answered_on(view), tools


def _digest(view: View) -> bytes | None:
    """What identifies the tools of a request as they are written; that of the earlier request that it repeats."""
    tools, earlier = view.ask.tools or (), None if view.repeated is None else view.repeated.earlier
    if earlier is not None and earlier.ask.tools is tools and _digest in earlier.found:
        view.found[_digest] = earlier.found[_digest]
    else:
        try:  # version 2 has no references: equal values, equal bytes
            written = marshal.dumps([(each.pointer, each.name, get(view.request, each.pointer)) for each in tools], 2)
        except ValueError:  # nested too deeply, or a value that is not JSON
            return None
        view.found[_digest] = blake2b(written, digest_size=16).digest()
    digest: bytes = view.found[_digest]
    return digest
