"""Each cause is reported once: what changed in the very same recordings, in one cell, in equal ones, or in all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from conformance.diff.changes import general
from conformance.diff.difference import Grade
from conformance.diff.drift.grading import TYPES, grade_of
from conformance.diff.drift.hypotheses import Hypothesis, Member, NumberHypothesis, Varying, share
from conformance.diff.drift.observed import Key
from conformance.diff.drift.sets import CellSet
from conformance.diff.drift.shift import Numbers, Shift, best
from conformance.diff.drift.significance import Share
from conformance.model.finding import Severity

_ALSO = 6


@dataclass(frozen=True, slots=True)
class Cause:
    """A hypothesis with a shift for each of its observations. `head` is the most informative one."""

    hypothesis: Hypothesis | NumberHypothesis
    candidates: Sequence[Shift]
    head: Shift

    @property
    def is_plain(self) -> bool:
        """Whether something of one cell never varied before, and is otherwise in every recording since."""
        return not self.hypothesis.pooled and self.head.is_plain

    def unsure(self) -> Cause:
        """The same for review at most, and with the reason."""
        candidates = [each.for_review() for each in self.candidates]
        return Cause(self.hypothesis, candidates, self.head.for_review())

    @property
    def members(self) -> list[Member]:
        """The observations, as counted."""
        if isinstance(self.hypothesis, NumberHypothesis):
            return [(self.hypothesis.key, "")]
        return [*self.hypothesis.members, *self.hypothesis.inverse]


def cause_of(
    hypothesis: Hypothesis, cells: Sequence[CellSet], found: Sequence[Varying], severities: dict[str, Severity]
) -> Cause:
    """The shifts of a yes-or-no hypothesis, graded."""
    shares = [share(cells[number], bits) for number, bits in hypothesis.strata]
    inverse = [
        Share(each.old_total - each.old, each.old_total, each.new_total - each.new, each.new_total) for each in shares
    ]
    names = tuple(cells[number].name for number, _ in hypothesis.strata)
    candidates = []
    for members, seen in ((hypothesis.members, _total(shares)), (hypothesis.inverse, _total(inverse))):
        appears = seen.new * seen.old_total > seen.old * seen.new_total
        for key, outcome in members:
            before = _before(key, outcome, hypothesis, cells, found)
            grade = grade_of(key, outcome, appears=appears, before=before, severities=severities)
            candidates.append(Shift(key, outcome, grade, names, seen, hypothesis.p, pooled=hypothesis.pooled))
    return Cause(hypothesis, candidates, _with_others(candidates))


def number_cause(hypothesis: NumberHypothesis, cells: Sequence[CellSet]) -> Cause:
    """The shift of a number."""
    old = tuple(number for pair in hypothesis.strata.values() for number in pair[0])
    new = tuple(number for pair in hypothesis.strata.values() for number in pair[1])
    names = tuple(cells[number].name for number in hypothesis.strata)
    head = Shift(hypothesis.key, "", Grade.REVIEW, names, Numbers(old, new), hypothesis.p, pooled=hypothesis.pooled)
    return Cause(hypothesis, [head], head)


def _with_others(candidates: Sequence[Shift]) -> Shift:
    """The most informative shift, with the others after it."""
    head = best(candidates)
    others: dict[tuple[str, str], Shift] = {}
    for each in sorted(
        candidates, key=lambda each: not each.rose
    ):  # what is there now is more informative than what is gone
        if each.grade > Grade.NOISE:
            others.setdefault((each.key.topic, each.key.name), each)
    for name in head.names:
        others.pop(name, None)
    return replace(head, also=tuple(dict.fromkeys(each.subject for each in others.values()))[:_ALSO])


def _before(key: Key, outcome: str, hypothesis: Hypothesis, cells: Sequence[CellSet], found: Sequence[Varying]) -> bool:
    """Whether the old recordings without the outcome have the field in another type."""
    for number, _ in hypothesis.strata:
        for (other, name), bits in found[number].bits.items():
            same = other.pooled == key if hypothesis.pooled else other == key
            if same and name != outcome and name in TYPES and share(cells[number], bits).old:
                return True
    return False


def _total(shares: Sequence[Share]) -> Share:
    columns = zip(*((each.old, each.old_total, each.new, each.new_total) for each in shares), strict=True)
    return Share(*map(sum, columns))


def reported_once(significant: Sequence[Cause], tested: Sequence[Cause]) -> list[Shift]:
    """One shift for each cause, worst first: what all cells show together is not repeated for each.

    Of a cell, what belongs to its scenario is still reported, and then not that its calls or arguments are unusual.
    That all cells together have unusual ones is reported with what is unusual, of the causes that were `tested`.
    """
    reported = {member for each in significant if each.hypothesis.pooled for member in each.members}
    alike: dict[tuple[object, str, Grade], list[Shift]] = {}
    for cause in significant:
        if cause.hypothesis.pooled:
            continue
        shift = cause.head
        if any((key.pooled or key, outcome) in reported for key, outcome in cause.members):
            own = [each for each in cause.candidates if each.key.pooled is None and each.grade > Grade.NOISE]
            if not own:
                continue
            shift = _with_others(own)
        alike.setdefault((shift.key.pooled or shift.key, shift.outcome, shift.grade), []).append(shift)
    single = list(map(_joined, alike.values()))
    explained = {(each.key.topic, name) for each in single for name in each.cells}
    alone: dict[object, Cause] = {
        each.hypothesis.strata: each for each in tested if isinstance(each.hypothesis, Hypothesis)
    }
    together = []
    for cause in significant:
        topic, cells = cause.head.key.name, cause.head.cells
        if not cause.hypothesis.pooled:
            continue
        if cause.head.key.topic != "unusual":
            together.append(cause.head)
        elif any((topic, cell) not in explained for cell in cells):
            together.append(replace(cause.head, also=_unusual(cause, alone)))
    return _once([*together, *single])


def _unusual(cause: Cause, alone: Mapping[object, Cause]) -> tuple[str, ...]:
    """What the unusual recordings of each cell have: the observations that changed in the very same ones."""
    subjects: dict[str, None] = {}
    assert isinstance(cause.hypothesis, Hypothesis)  # noqa: S101 - numbers are never unusual
    for cell, (there, shown) in cause.hypothesis.strata:
        for bits in (shown, there ^ shown):
            same = alone.get(((cell, (there, bits)),))
            for each in same.candidates if same is not None else ():
                if each.key.topic == cause.head.key.name and each.grade > Grade.NOISE:
                    subjects[each.subject] = None
    return tuple(subjects)[:_ALSO]


def _once(shifts: Sequence[Shift]) -> list[Shift]:
    """Of several outcomes or places of the same observation, the most informative one."""
    places: dict[tuple[object, ...], list[Shift]] = {}
    for each in shifts:
        key = each.key
        rest = (key.topic, key.name, each.outcome) if each.pooled else (key, each.outcome)
        places.setdefault((key.scope, each.pooled, *rest), []).append(each)
    kept = [min(some, key=lambda each: (-each.grade, each.p)) for some in places.values()]
    return sorted(_across(kept), key=lambda each: (-each.grade, each.p, each.key.scope, each.key.name, each.outcome))


def _across(shifts: Sequence[Shift]) -> Iterator[Shift]:
    """The same shift of a stream and of a whole answer as one."""
    alike: dict[tuple[object, ...], list[Shift]] = {}
    for each in shifts:
        alike.setdefault((each.pooled, each.grade, general(each.what)), []).append(each)
    for some in alike.values():
        scopes = ", ".join(dict.fromkeys(each.key.scope for each in some))
        head = max(some, key=lambda each: (len(each.cells), -each.p))
        cells = tuple(dict.fromkeys(cell for each in some for cell in each.cells))
        also = tuple(dict.fromkeys(other for each in some for other in each.also))
        key = head.key if len(some) == 1 else head.key._replace(scope=scopes, place="")
        yield replace(head, key=key, cells=cells, also=also)


def _joined(some: Sequence[Shift]) -> Shift:
    """Equal shifts of several cells as one."""
    if len(some) == 1:
        return some[0]
    cells = tuple(dict.fromkeys(name for each in some for name in each.cells))
    shares = [each.seen for each in some if isinstance(each.seen, Share)]
    p = min(each.p for each in some)
    if shares and len(shares) == len(some):
        return replace(some[0], cells=cells, seen=_total(shares), p=p)
    return replace(min(some, key=lambda each: each.p), cells=cells)
