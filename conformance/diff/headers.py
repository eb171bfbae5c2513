"""Headers and addresses in two recordings: which there are, and the values of those that are part of a contract."""

from __future__ import annotations

from conformance.diff.notes import Notes
from conformance.diff.places import Differing, how
from conformance.model.exchange import Headers, Request
from conformance.model.finding import Side
from conformance.model.pointer import MISSING, join

_TYPED = ("content-type", "accept")
"""Headers whose parameters (a charset) do not matter."""


def compare_headers(notes: Notes, side: Side, old: Headers, new: Headers, *, complete: bool, ok: bool = True) -> None:
    """Notes the headers that are gone, new, or have another value.

    In what others recorded (not `complete`) a header that is not there is no evidence.
    """
    for name in sorted({key.lower() for key, _ in old} | {key.lower() for key, _ in new}):
        one, other = (_value(headers, name) for headers in (old, new))
        if one != other and (complete or not (one is None or other is None)):
            before, after = (MISSING if each is None else each for each in (one, other))
            pointer = join("", name)
            notes.place(side, Differing(how(before, after), pointer, pointer, before, after), part="header", ok=ok)


def _value(headers: Headers, name: str) -> str | None:
    value = headers.get(name)
    return value.partition(";")[0].strip().lower() if value is not None and name in _TYPED else value


def compare_addresses(notes: Notes, old: Request, new: Request, models: tuple[str | None, str | None]) -> None:
    """Notes another method, path or query. `models` are those of the requests: some dialects name them in the path."""
    asked = [f"{request.method} {_path(request, model)}" for request, model in zip((old, new), models, strict=True)]
    if asked[0] != asked[1]:
        notes.fact("path", "request", old=asked[0], new=asked[1])
    one, other = old.query, new.query
    for name in sorted(one.keys() | other.keys()):
        if one.get(name) != other.get(name):
            before, after = one.get(name, MISSING), other.get(name, MISSING)
            pointer = join("", name)
            found = Differing(how(before, after), pointer, pointer, before, after)
            notes.place("request", found, part="query")


def _path(request: Request, model: str | None) -> str:
    return request.path.replace(f"/{model}:", "/MODEL:") if model else request.path
