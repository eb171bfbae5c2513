"""Rules: one executable statement each, with its evidence and its examples.

A rule is a decorated generator that takes a `View` and yields a `Hit` for each place that violates the
statement. Its docstring is the statement; the examples are its tests and its documentation. Rules are
discovered in the modules of `conformance.rules`, and in the `rules*.py` of every dialect's folder.

A rule in a dialect's folder has its own citations and examples. One in `conformance.rules` is neutral: it cites a
statement about every dialect, and each dialect adds its own evidence (`conformance.judge.evidence`).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from conformance.errors import ConformanceError
from conformance.judge.contract_rules import ContractRule, contract_rules, find_contract_rule
from conformance.judge.contracted import contract_hits
from conformance.judge.evidence import Basis, Evidence, all_evidence
from conformance.judge.example import Example
from conformance.model.finding import Hit, Severity
from conformance.model.registry import all_dialects, dialect_packages, dialects_in, import_of

if TYPE_CHECKING:
    from conformance.judge.view import View

Scope = Literal["exchange", "request", "conversation", "reply", "response", "stream", "failure"]
"""The scope of a rule: what it reads, and therefore when it runs.

`exchange`: both sides, whatever they contain; the hits of such a rule name their side.
`request`: the body of the request. `conversation`: that body, compared with the run's earlier exchanges.
`reply`: the model's turns, streamed or not. `response`: a successful body that was not streamed.
`stream`: the events of a stream. `failure`: a response with a status of 400 or more.
"""
Judge = Callable[["View"], Iterator[Hit]]
Part = Literal["all", "settings", "turns"]
"""What a rule's hits depend on, and so what it need not judge again in a repeated request.

`settings`: whether there are any depends on the request without its history: tools, tool choice, model.
`turns`: those at a turn of the history depend on that turn, its neighbours and the settings; the rule reads
`View.history`, `View.answered` or `View.ask`, and its hits are in the turn.
`all`: they may depend on anything; the rule judges every exchange.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """`dialects` is empty for a rule of every dialect; `severity` has the dialects that differ, and the others under
    `""`.

    `cites` has at least one citation, `ID source`: the numbered statement that the rule checks and its
    source. Those of the rule itself come first, then those of the dialects' evidence, as do the examples and
    `bugs`, the known bugs that broke the statement (owner/repo#thread). `basis` is None if the rule itself cites
    only what applies to every dialect; each dialect's evidence then has one.
    `opt_in` is for a neutral rule that applies only to the dialects that have evidence for it.
    `part` is what its hits depend on.
    A rule `of_contract` is reported by the contract of its dialects, and has no code of its own.
    """

    id: str
    severity: Mapping[str, Severity]
    scope: Scope
    basis: Basis | None
    cites: tuple[str, ...]
    dialects: tuple[str, ...]
    conforming: Sequence[Example]
    violating: Sequence[Example]
    bugs: tuple[str, ...]
    needs_complete: bool
    judge: Judge
    opt_in: bool = False
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    of_contract: bool = False
    part: Part = "all"

    @property
    def statement(self) -> str:
        """The first line of the docstring: the statement."""
        return (self.judge.__doc__ or "").strip().split("\n")[0]

    @property
    def why(self) -> str:
        """The rest of the docstring: what breaks in practice."""
        lines = (self.judge.__doc__ or "").strip().split("\n")[1:]
        return " ".join(line.strip() for line in lines).strip()

    @property
    def requirements(self) -> tuple[str, ...]:
        """The numbered requirements that the rule checks: the first word of each citation."""
        return tuple(cite.split(" ", 1)[0] for cite in self.cites)

    @property
    def sources(self) -> tuple[str, ...]:
        """The citations as they are printed: each from a dialect's evidence with its basis."""
        told = {cite: each.basis for each in self.evidence.values() for cite in each.cites}
        return tuple(f"{cite} ({told[cite]})" if cite in told else cite for cite in self.cites)

    def severity_in(self, dialect: str) -> Severity:
        return self.severity.get(dialect, self.severity[""])

    def evidence_in(self, dialect: str) -> Evidence | None:
        """The dialect's own evidence for a neutral rule; None if it has none, or the rule is not neutral."""
        return self.evidence.get(dialect)

    def cite_in(self, dialect: str) -> str:
        """The citation of a finding: the dialect's own, or else that of the neutral statement."""
        prefix = f"{all_dialects()[dialect].prefix}-"
        own = self.evidence.get(dialect)
        cites = (own.cites if own else ()) or self.cites
        return next((cite for cite in cites if cite.startswith(prefix)), cites[0])

    def judges(self, dialect: str) -> bool:
        """Whether the rule judges a dialect. The host's rules judge how a hosted dialect's text is transported."""
        if self.dialects or self.opt_in:
            return dialect in self.dialects
        return self.scope in _SPOKEN or all_dialects()[dialect].host is None


_SPOKEN: frozenset[Scope] = frozenset({"request", "conversation", "reply"})
"""The scopes about content, not transport."""

NEUTRAL_RULES = "conformance.rules"
EVERY_DIALECT: tuple[str, ...] = ()
"""For a rule in a dialect's folder that judges all dialects."""
_REGISTRY: dict[str, Rule] = {}


def rule(
    id: str,  # noqa: A002 - the field's own word, and a keyword everywhere it is used
    *,
    scope: Scope,
    cites: Iterable[str],
    violating: Iterable[Example] = (),
    conforming: Iterable[Example] | None = None,
    severity: Severity | Mapping[str, Severity] = Severity.ERROR,
    basis: Basis | None = None,
    dialects: Iterable[str] | None = None,
    bugs: Iterable[str] = (),
    needs_complete: bool = False,
    opt_in: bool = False,
    part: Part = "all",
) -> Callable[[Judge], Judge]:
    """Registers the decorated generator as a rule.

    Missing arguments are derived: `dialects` are those of the folder of the rule (every dialect
    outside such a folder), `conforming` are the unedited bases of the violating examples, and a violating example
    without `at` has its finding at the place of its last edit (`Example.edited_at`).
    `severity` as a mapping has the dialects that differ, and the others under `""`.
    `needs_complete` is for a rule about absence: it judges only live exchanges and recordings of our own.
    A neutral rule has no `basis`, examples or `bugs`: they are in the dialects' evidence. With `opt_in` it judges
    only the dialects that have some.

    Raises:
        ValueError: two rules have the same id.
    """

    def register(judge: Judge) -> Judge:
        if id in _REGISTRY and _REGISTRY[id].judge.__module__ != judge.__module__:
            raise ValueError(f"duplicate rule id {id}")
        faulty = tuple(violating)
        bases = dict.fromkeys(each.base for each in faulty)
        _REGISTRY[id] = Rule(
            id=id,
            severity=severity if isinstance(severity, Mapping) else {"": severity},
            scope=scope,
            basis=basis,
            cites=tuple(cites),
            dialects=dialects_in(judge.__module__) if dialects is None else tuple(dialects),
            conforming=tuple(map(Example, bases)) if conforming is None else tuple(conforming),
            violating=tuple(each if each.at else replace(each, at=each.edited_at) for each in faulty),
            bugs=tuple(bugs),
            needs_complete=needs_complete,
            judge=judge,
            opt_in=opt_in,
            part=part,
        )
        return judge

    return register


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its id, sorted by id: those in Python, and those of contracts.

    Raises:
        ConformanceError: as for `coded_rules`.
    """
    found = {name: _of_contract(each) for name, each in contract_rules().items()}
    return dict(sorted((found | dict(coded_rules())).items()))


def find_rule(name: str) -> Rule | None:
    """One rule; None if no rule has this id. It loads as few contracts as possible."""
    coded = coded_rules().get(name)
    if coded is not None:
        return coded
    told = find_contract_rule(name)
    return None if told is None else _of_contract(told)


@cache
def coded_rules() -> Mapping[str, Rule]:
    """The rules in Python by their ids, sorted by id.

    Raises:
        ConformanceError: a package of another distribution cannot be imported, or has a rule whose id is taken; or a
            dialect has evidence for a rule that does not exist, or that does not apply to it.
    """
    for name in (NEUTRAL_RULES, *dialect_packages()):
        package = import_of(name)
        for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
            if name == NEUTRAL_RULES or module.name.rpartition(".")[2].startswith("rules"):
                import_of(name, module.name)
    told = all_evidence()
    for name, each in told.items():
        if name not in _REGISTRY:
            raise ConformanceError(f"{', '.join(each)}: evidence for unknown rule {name}")
    return {name: _with_evidence(each, told.get(name, {})) for name, each in sorted(_REGISTRY.items())}


def _with_evidence(rule: Rule, told: Mapping[str, Evidence]) -> Rule:
    """The rule with the dialects' evidence: that of a folder counts once, however many dialects the folder defines."""
    distinct = list({id(each): each for each in told.values()}.values())
    whole = replace(
        rule,
        severity={**rule.severity, **{name: each.severity for name, each in told.items() if each.severity is not None}},
        cites=tuple(dict.fromkeys((*rule.cites, *(cite for each in distinct for cite in each.cites)))),
        dialects=tuple(told) if rule.opt_in else rule.dialects,
        conforming=(*rule.conforming, *(example for each in distinct for example in each.conforming)),
        violating=(*rule.violating, *(example for each in distinct for example in each.violating)),
        bugs=tuple(dict.fromkeys((*rule.bugs, *(bug for each in distinct for bug in each.bugs)))),
        evidence=told,
    )
    for name in told:
        if not whole.judges(name):
            raise ConformanceError(f"{name}: evidence for rule {rule.id}, which does not apply to this dialect")
    return whole


def _of_contract(told: ContractRule) -> Rule:
    """The rule for a rule id of a contract."""

    def judge(view: View) -> Iterator[Hit]:
        return (hit for name, hit in contract_hits(view) if name == told.id)

    judge.__module__ = f"{all_dialects()[told.dialects[0]].package}.contract"
    judge.__doc__ = f"{told.statement.says}\n\n{told.statement.why}"
    return Rule(
        id=told.id,
        severity={"": told.severity},
        scope=told.scope,
        basis=told.statement.basis,
        cites=told.cites,
        dialects=told.dialects,
        conforming=told.conforming,
        violating=told.violating,
        bugs=told.statement.bugs,
        needs_complete=False,
        judge=judge,
        of_contract=True,
    )


@cache
def subjects() -> Mapping[str, Callable[[View], object]]:
    """The subject of each rule: in an exchange without it, the rule has nothing to judge.

    Raises:
        ValueError: a rule does not exist.
    """
    told: Mapping[Callable[[View], object], tuple[str, ...]]
    told = importlib.import_module(f"{NEUTRAL_RULES}.subjects").SUBJECTS
    found = {name: subject for subject, names in told.items() for name in names}
    unknown = found.keys() - coded_rules().keys()
    if unknown:
        raise ValueError(f"unknown rules: {', '.join(sorted(unknown))}")
    return found


@cache
def rules_for(dialect: str) -> Mapping[Scope, tuple[Rule, ...]]:
    """The rules in Python that judge one dialect, by scope."""
    chosen: dict[Scope, list[Rule]] = {}
    for each in coded_rules().values():
        if each.judges(dialect):
            chosen.setdefault(each.scope, []).append(each)
    return {scope: tuple(rules) for scope, rules in chosen.items()}
