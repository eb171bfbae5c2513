"""Ids of tool calls that one provider refuses, or that mean nothing beyond one reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.data_files import load_yaml
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import calls_of

_COUNTER = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class IdPattern:
    """What one provider demands of the ids of calls; `model` matches from its start, empty matches all."""

    pattern: re.Pattern[str]
    says: str
    model: re.Pattern[str]
    severity: Severity


@cache
def id_patterns() -> Mapping[tuple[str, str], tuple[IdPattern, ...]]:
    """The patterns of `specs/tool_call_ids.yaml`, by provider and dialect."""
    found: dict[tuple[str, str], list[IdPattern]] = {}
    for entry in load_yaml("tool_call_ids.yaml")["ids"]:
        pattern = IdPattern(
            pattern=re.compile(entry["pattern"]),
            says=entry["says"],
            model=re.compile(entry.get("model") or ""),
            severity=Severity[entry["severity"].upper()],
        )
        found.setdefault((entry["provider"], entry["dialect"]), []).append(pattern)
    return {key: tuple(patterns) for key, patterns in found.items()}


@rule(
    "tool-call-id-unsupported", severity=Severity.ERROR, scope="request", cites=["0.4 recorded traffic"], part="turns"
)
def tool_call_id_unsupported(view: View) -> Iterator[Hit]:
    """The ids of calls in the history must have the form that the provider accepts.

    A conversation that moves from one provider to another contains foreign ids: the new provider rejects
    the request with a 400, and every later one.
    """
    for each in id_patterns().get((view.provider or "", view.dialect.name), ()):
        if not each.model.match(view.model or ""):
            continue
        for call in calls_of(view.history):
            if call.id and not each.pattern.fullmatch(call.id):
                said = f"{view.provider} rejects this id"
                yield Hit(call.pointer, said, each.says, call.id, severity=each.severity)


@rule(
    "tool-call-id-ambiguous",
    severity=Severity.WARNING,
    scope="reply",
    cites=["ANY-129 property of this suite"],
    opt_in=True,
)
def tool_call_id_ambiguous(view: View) -> Iterator[Hit]:
    """The id of a call must not be a mere counter.

    The next reply starts at 0 again: in a longer history a result then matches two calls, and clients that
    store results by id send the model an old one.
    """
    for call in calls_of(view.replies):
        if call.id and _COUNTER.fullmatch(call.id):
            yield Hit(call.pointer, "the id is a small number", "an id that is unique across replies", call.id)
