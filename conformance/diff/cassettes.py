"""Two cassettes of one scenario against each other: exchange by exchange, then the run as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from conformance.cassette.load import Cassette
from conformance.diff.difference import Difference, Grade
from conformance.diff.exchanges import Before, Layers, compare_exchanges
from conformance.diff.ids import Renaming
from conformance.diff.notes import Notes
from conformance.errors import ConformanceError
from conformance.judge.checker import Checker
from conformance.judge.pairing import matched
from conformance.judge.view import View
from conformance.model.finding import Finding, Severity, Side
from conformance.model.printable import count
from conformance.model.registry import claimants
from conformance.model.transcript import ToolCall

AXES = ("dialect", "scenario", "driver")
CONTEXT = ("target", "model", "driver_version", "provenance", "conformance_version", "recorded_at")
"""The metadata of a recording besides its axes, which can explain differences."""


@dataclass(frozen=True)
class Comparison:
    """The result for one pair of cassettes; the path of a missing one is None.

    `context` has the metadata of both. `faults` are internal errors, never a difference.
    """

    dialect: str
    scenario: str
    driver: str
    mode: str
    old: str | None
    new: str | None
    context: Mapping[str, tuple[Any, Any]]
    differences: Sequence[Difference]
    faults: Sequence[str] = field(default=())

    @property
    def name(self) -> str:
        """The cell, in one line."""
        return " / ".join(filter(None, (self.dialect, self.scenario, self.driver, self.mode)))

    @property
    def grade(self) -> Grade | None:
        """The worst difference; None if there are no differences."""
        return max((each.grade for each in self.differences), default=None)

    @property
    def drifted(self) -> tuple[Side, ...]:
        """Who drifted: the sides that have more than noise.

        If answers drifted, a request that only breaks a new rule does so because it sends them back.
        """
        worth = [each for each in self.differences if each.grade > Grade.NOISE]
        answered = any(each.side == "response" for each in worth)
        asked = any(each.side == "request" and not (answered and each.row.startswith("rule-")) for each in worth)
        return (*(("request",) if asked else ()), *(("response",) if answered else ()))

    def shown(self, clean: Callable[[str], str]) -> Comparison:
        """The comparison with every recorded value passed through `clean`, so that it may be shown."""

        def text(value: Any) -> Any:
            return clean(value) if isinstance(value, str) else value

        return replace(
            self,
            **{axis: clean(getattr(self, axis)) for axis in AXES},
            context={key: (text(old), text(new)) for key, (old, new) in self.context.items()},
            differences=[each.shown(clean) for each in self.differences],
            faults=[clean(fault) for fault in self.faults],
        )


def compare_cassettes(old: Cassette, new: Cassette) -> Comparison:
    """The differences between two recordings of one scenario.

    Raises:
        ConformanceError: there is nothing in them that a dialect could read.
    """
    differences: list[Difference] = []
    faults: list[str] = []
    before, after = layers_in(old), layers_in(new)
    if not before and not after:
        raise ConformanceError(
            f"{old.path} and {new.path}: no exchange of a dialect in either", "`conformance list` names the dialects"
        )
    if not _same(old, new):
        ids = Renaming()
        pairs = _pairs(before, after)
        resplit = _same_calls_in_other_turns(before, after)
        differences += _run(before, after, resplit)
        first = Before()
        for one, other in pairs:
            calls_reported = resplit is not None and _call_count(one) != _call_count(other)
            notes = compare_exchanges(
                one, other, ids, Before(first.worst, first.first or (one, other)), with_calls=not calls_reported
            )
            differences += notes.differences
            grades = [each.grade for each in notes.differences if each.side == "response"]
            worst = max([*grades, *([first.worst] if first.worst is not None else [])], default=None)
            first = Before(Grade.CHANGE if resplit is not None else worst, first.first or (one, other))
        found, faults = _findings(old, new, pairs)
        differences += found
    axes = {axis: str(new.metadata.get(axis) or old.metadata.get(axis) or "") for axis in AXES}
    streamed = any(layers.carried.streamed for layers in after) or new.path.endswith("--stream.yaml")
    return Comparison(
        **axes,
        mode="stream" if streamed else "sync",
        old=old.path,
        new=new.path,
        context={
            key: (old.metadata.get(key), new.metadata.get(key))
            for key in CONTEXT
            if key in old.metadata or key in new.metadata
        },
        differences=sorted(_explained(differences, old, new), key=_order),
        faults=faults,
    )


def _order(difference: Difference) -> tuple[int, int]:
    number = difference.after.exchange if difference.after.exchange is not None else difference.before.exchange
    return -int(difference.grade), -1 if number is None else number


def _same(old: Cassette, new: Cassette) -> bool:
    """Whether the exchanges are identical, so that there is nothing to compare."""
    return len(old.exchanges) == len(new.exchanges) and all(
        one.request.method == other.request.method
        and one.request.url == other.request.url
        and one.response.status == other.response.status
        and one.request.body.content == other.request.body.content
        and one.response.body.content == other.response.body.content
        and list(one.request.headers) == list(other.request.headers)
        and list(one.response.headers) == list(other.response.headers)
        for one, other in zip(old.exchanges, new.exchanges, strict=True)
    )


def layers_in(cassette: Cassette) -> list[Layers]:
    """Each exchange that a dialect claims."""
    found: list[Layers] = []
    for number, exchange in enumerate(cassette.exchanges):
        dialects = claimants(exchange.request)
        if dialects:
            carried = View(exchange, dialects[0], number=number)
            inner = View(exchange, dialects[-1], number=number) if len(dialects) > 1 else carried
            found.append(Layers(carried, inner, number))
    return found


def _pairs(old: Sequence[Layers], new: Sequence[Layers]) -> list[tuple[Layers, Layers]]:
    """The exchanges of each dialect in their order; those of a tool server are counted separately."""
    pairs = []
    for name in dict.fromkeys(layers.inner.dialect.name for layers in (*old, *new)):
        sides = [[layers for layers in side if layers.inner.dialect.name == name] for side in (old, new)]
        pairs += list(zip(*sides, strict=False))
    return sorted(pairs, key=lambda pair: pair[1].number)


def _run(old: Sequence[Layers], new: Sequence[Layers], resplit: tuple[list[int], list[int]] | None) -> list[Difference]:
    """What is true of the whole run."""
    notes = Notes(Renaming())
    if resplit is not None:
        shown = [" + ".join(map(str, counts)) for counts in resplit]
        notes.fact("calls-of-turns", "response", count=sum(resplit[0]), old=shown[0], new=shown[1])
    counts = [Counter(layers.inner.dialect.name for layers in side) for side in (old, new)]
    for name in sorted(counts[0].keys() | counts[1].keys()):
        if counts[0][name] != counts[1][name]:
            notes.fact("exchange-gone", what=name, old=counts[0][name], new=counts[1][name])
    return notes.differences


def _calls(layers: Layers) -> list[ToolCall]:
    return [call for turn in layers.inner.replies[:1] for call in turn.calls]


def _call_count(layers: Layers) -> int:
    return len(_calls(layers))


def _same_calls_in_other_turns(old: Sequence[Layers], new: Sequence[Layers]) -> tuple[list[int], list[int]] | None:
    """The number of calls in the turns of each side, if the same calls are in a different number of turns."""
    counts = [[_call_count(layers) for layers in side if _calls(layers)] for side in (old, new)]
    if counts[0] == counts[1] or sum(counts[0]) != sum(counts[1]):
        return None
    calls = [[call for layers in side for call in _calls(layers)] for side in (old, new)]
    pairs, gone, added = matched(*calls)
    same_tools = not gone and not added and all(one.name == other.name for one, other in pairs)
    return (counts[0], counts[1]) if same_tools else None


def _explained(differences: Sequence[Difference], old: Cassette, new: Cassette) -> list[Difference]:
    """The differences without those that the recordings announce themselves: another model was asked for."""
    models = old.metadata.get("model"), new.metadata.get("model")
    if None in models or models[0] == models[1]:
        return list(differences)
    rows = {"request-model", "model"}
    return [replace(each, grade=Grade.NOISE) if each.row in rows else each for each in differences]


def _findings(
    old: Cassette, new: Cassette, pairs: Sequence[tuple[Layers, Layers]]
) -> tuple[list[Difference], list[str]]:
    """The rules that find something on one side only (step 2 of docs/contract/diff.md), and failures to judge."""
    partner = {one.number: other.number for one, other in pairs}
    back = {other.number: one.number for one, other in pairs}
    (before, first), (after, second) = judged(old), judged(new)
    differences: list[Difference] = []
    for (number, side, rule), finding in sorted(after.items(), key=lambda item: str(item[0])):
        if number in back and (back[number], side, rule) not in before:
            notes = Notes(Renaming(), back[number], number)
            severity = "error" if finding.severity is Severity.ERROR else str(finding.severity)
            notes.fact(f"rule-{severity}", side, None, finding.pointer, what=rule, message=finding.message)
            differences += notes.differences
    for (number, side, rule), finding in sorted(before.items(), key=lambda item: str(item[0])):
        if number in partner and (partner[number], side, rule) not in after:
            notes = Notes(Renaming(), number, partner[number])
            notes.fact("rule-mended", side, finding.pointer, None, what=rule)
            differences += notes.differences
    return differences, [*first, *second]


def judged(cassette: Cassette) -> tuple[dict[tuple[int, Side, str], Finding], list[str]]:
    """The first finding of each exchange, side and rule, and failures to judge."""
    checker = Checker()
    found: dict[tuple[int, Side, str], Finding] = {}
    for exchange in cassette.exchanges:
        for finding in checker.feed(exchange):
            if finding.exchange is not None and finding.side is not None:
                found.setdefault((finding.exchange, finding.side, finding.rule), finding)
    return found, checker.summary.harness_errors


def only_one(cassette: Cassette, axes: Mapping[str, str], *, old: bool) -> Comparison:
    """The comparison of a cassette that has no partner."""
    notes = Notes(Renaming())
    notes.fact("cassette-gone" if old else "cassette-new")
    sides = (lambda value: (value, None)) if old else (lambda value: (None, value))
    return Comparison(
        axes["dialect"],
        axes["scenario"],
        axes["driver"],
        axes["mode"],
        cassette.path if old else None,
        None if old else cassette.path,
        {key: sides(cassette.metadata[key]) for key in CONTEXT if key in cassette.metadata},
        notes.differences,
    )


def explain(comparison: Comparison) -> list[str]:
    """The sides that drifted, with their metadata, in one sentence for each side."""
    if comparison.old is None or comparison.new is None:
        return []
    drivers, models, targets = (
        _pair_text(comparison.context.get(key)) for key in ("driver_version", "model", "target")
    )
    sentences = []
    for side in comparison.drifted:
        if side == "request":
            sentences.append(f"request drift: the client's requests changed ({drivers})")
        else:
            facts = [f"{name} {values}" for name, values in (("target", targets), ("model", models)) if "→" in values]
            cause = "; ".join(facts) or "same target and model, according to the recordings"
            sentences.append(f"response drift: the provider's responses changed ({cause})")
    number = sum(each.grade > Grade.NOISE for each in comparison.differences)
    if not sentences and number:
        sentences.append(f"the run changed ({count(number, 'difference')})")
    return sentences


def _pair_text(pair: tuple[Any, Any] | None) -> str:
    if pair is None:
        return "version unknown"
    return f"{pair[0]} on both sides" if pair[0] == pair[1] else f"{pair[0]} → {pair[1]}"
