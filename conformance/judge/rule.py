"""Rules: one executable statement each.

A rule is a decorated generator that takes a `View` and yields a `Hit` for each place that violates the
statement. Its docstring is the statement; its examples, which are its tests and its documentation, are data in the
dialects' folders (`conformance.judge.proofs`). Rules are discovered in the modules of `conformance.dialects.neutral`,
and in the `rules*.py` of every dialect's folder.

A rule cites the numbers of the statements that it checks (`conformance.contract.statements`). One in
`conformance.dialects.neutral` is neutral: it cites a statement about every dialect, and the statements of a dialect
name the neutral rules that hold them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

from conformance.contract.brief import Brief, Held
from conformance.contract.briefs import find_brief, own_briefs
from conformance.errors import ConformanceError
from conformance.judge.rule_index import rule_index
from conformance.judge.subjects import Subject
from conformance.model.distributions import packages
from conformance.model.finding import Hit, Severity, Side
from conformance.model.frozen import dataclass
from conformance.model.registry import (
    all_dialects,
    dialect_packages,
    dialects_in,
    has_module,
    home_of,
    import_of,
    is_foreign,
)

if TYPE_CHECKING:
    from conformance.judge.contract_rules import ContractRule
    from conformance.judge.proofs.example import Example
    from conformance.judge.view import View

Scope = Literal["exchange", "request", "conversation", "reply", "response", "stream", "failure"]
"""The scope of a rule: what it reads, and therefore when it runs.

`exchange`: both sides, whatever they contain; the hits of such a rule name their side.
`request`: the body of the request. `conversation`: that body, compared with the run's earlier exchanges.
`reply`: the model's turns, streamed or not. `response`: a successful body that was not streamed.
`stream`: the events of a stream. `failure`: a response with a status of 400 or more.
"""
Judge = Callable[["View"], Iterator[Hit]]
Part = Literal["all", "tools", "turns"]
"""What a rule's hits depend on, and so what it need not judge again in a repeated request.

`tools`: whether there are any depends on the tools of the request, on the provider, the model and the day.
`turns`: those at a turn of the history depend on that turn, its neighbours and the settings; the rule reads
`View.history`, `View.answered` or `View.ask`, and its hits are in the turn.
`all`: they may depend on anything; the rule judges every exchange.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """`dialects` is empty for a rule of every dialect.

    `numbers` are those of the statements that the rule checks, the main one first; `home` is the package in whose
    folder they lie. Its severity is that of the main statement, or `graded`, `because` of something. A dialect whose
    statements name a neutral rule has its own statement for it, with its severity.
    `opt_in` is for a neutral rule that judges only the dialects that name it in `Dialect.optional_rules`.
    `part` is what its hits depend on; `about` is what it needs to run. `side` is that of the hits of a rule whose scope
    is the whole exchange, None for both.
    A rule `of_contract` is reported by the contract of its dialects, and has no code of its own.
    """

    id: str
    scope: Scope
    numbers: tuple[str, ...]
    home: str
    dialects: tuple[str, ...]
    needs_complete: bool
    judge: Judge
    graded: Severity | None = None
    because: str = ""
    opt_in: bool = False
    of_contract: bool = False
    part: Part = "all"
    side: Side | None = None
    about: Subject | None = None

    @property
    def violating(self) -> tuple[Example, ...]:
        """The violating examples, read from files."""
        from conformance.judge.proofs.examples import examples_of

        return examples_of(self.id).violating

    @property
    def conforming(self) -> tuple[Example, ...]:
        """The conforming examples, read from files."""
        from conformance.judge.proofs.examples import examples_of

        return examples_of(self.id).conforming

    @property
    def statement(self) -> str:
        """The first line of the docstring: the requirement."""
        return (self.judge.__doc__ or "").strip().split("\n")[0]

    @property
    def why(self) -> str:
        """The rest of the docstring: what breaks in practice."""
        lines = (self.judge.__doc__ or "").strip().split("\n")[1:]
        return " ".join(line.strip() for line in lines).strip()

    @property
    def cites(self) -> tuple[str, ...]:
        """The numbers of all its statements: its own, then those of the dialects."""
        held = (brief.id for found in self.held.values() for brief, _ in found)
        return tuple(dict.fromkeys((*self.numbers, *held)))

    @property
    def held(self) -> Mapping[str, Sequence[Holding]]:
        """The statements of dialects that a neutral rule holds, by the names of the dialects."""
        if self.home != NEUTRAL_RULES:
            return {}
        found = {dialect.name: holdings(dialect.package).get(self.id, ()) for dialect in all_dialects().values()}
        return {name: each for name, each in found.items() if each}

    @property
    def bugs(self) -> tuple[str, ...]:
        """The public threads about software that broke its main statement, or one of a dialect that it holds."""
        from conformance.contract.statements import own_statements

        homes = [self.home, *(all_dialects()[name].package for name in self.held)]
        known = {number: each for home in homes for number, each in own_statements(home).items()}
        numbers = [self.numbers[0], *(brief.id for found in self.held.values() for brief, _ in found)]
        return tuple(dict.fromkeys(bug for number in numbers if number in known for bug in known[number].bugs))

    @property
    def main(self) -> Brief | None:
        """The main statement; None if it is written nowhere."""
        return find_brief(self.numbers[0], self.home)

    @property
    def severity(self) -> Mapping[str, Severity]:
        """The severity in the dialects that differ, and that of the others under `""`."""
        usual = self._usual
        return {"": usual} | {name: each for name in self.held if (each := self.severity_in(name)) is not usual}

    @property
    def _usual(self) -> Severity:
        if self.graded is not None:
            return self.graded
        return Severity.ERROR if self.main is None else self.main.graded

    def severity_in(self, dialect: str) -> Severity:
        """The severity of a finding: that of the dialect's own statement, or else the rule's."""
        own = self._held_in(dialect)
        if not own:
            return self._usual
        statement, held = own[0]
        return statement.graded if held.severity is None else held.severity

    def cite_in(self, dialect: str) -> str:
        """The citation of a finding: of the dialect's own statement, or else that of the rule's; with its source."""
        own = self._held_in(dialect)
        if own:
            return own[0][0].cited
        prefix = f"{all_dialects()[dialect].prefix}-"
        number = next((each for each in self.numbers if each.startswith(prefix)), self.numbers[0])
        homes = (self.home, all_dialects()[dialect].package)
        statement = next((each for home in homes if (each := find_brief(number, home))), None)
        return number if statement is None else statement.cited

    def _held_in(self, dialect: str) -> Sequence[Holding]:
        return holdings(all_dialects()[dialect].package).get(self.id, ()) if self.home == NEUTRAL_RULES else ()

    def judges(self, dialect: str) -> bool:
        """Whether the rule judges a dialect. The host's rules judge how a hosted dialect's text is transported."""
        if self.opt_in:
            return self.id in all_dialects()[dialect].optional_rules
        if self.dialects:
            return dialect in self.dialects
        return self.scope in _SPOKEN or all_dialects()[dialect].host is None


Holding = tuple[Brief, Held]
"""A statement of a dialect, and how a neutral rule holds it."""


@cache
def holdings(package: str) -> Mapping[str, Sequence[Holding]]:
    """The statements of a package that neutral rules hold, by the ids of the rules."""
    found: dict[str, list[Holding]] = {}
    for statement in own_briefs(package).values():
        for rule, held in statement.rules.items():
            found.setdefault(rule, []).append((statement, held))
    return found


_SPOKEN: frozenset[Scope] = frozenset({"request", "conversation", "reply"})
"""The scopes about content, not transport."""

NEUTRAL_RULES = "conformance.dialects.neutral"
EVERY_DIALECT: tuple[str, ...] = ()
"""For a rule in a dialect's folder that judges all dialects."""
_SHARED = "rules_shared"
"""The module in a dialect's folder whose rules also judge dialects of other folders: imported for every dialect."""
_REGISTRY: dict[str, Rule] = {}


def rule(
    id: str,  # noqa: A002 - the field's own word, and a keyword everywhere it is used
    *,
    scope: Scope,
    cites: str | Sequence[str],
    severity: Severity | None = None,
    because: str = "",
    dialects: Iterable[str] | None = None,
    needs_complete: bool = False,
    opt_in: bool = False,
    part: Part = "all",
    side: Side | None = None,
    about: Subject | None = None,
) -> Callable[[Judge], Judge]:
    """Registers the decorated generator as a rule.

    `cites` is the number of the statement that it checks, or several, the main one first. `severity` is another one
    than the main statement's, with the reason in `because`; so is why it is not that of the other statements.
    `dialects` are by default those of the folder of the rule, and every dialect outside such a folder.
    `needs_complete` is for a rule about absence: it judges only live exchanges and recordings of our own.
    With `opt_in`, a neutral rule judges only the dialects that name it.

    Raises:
        ValueError: two rules have the same id; a number is more than a number; or a severity has no reason.
    """
    numbers = (cites,) if isinstance(cites, str) else tuple(cites)
    if any(" " in number for number in numbers):
        raise ValueError(f"{id}: a rule cites numbers and nothing else; a source belongs to the statement")
    if severity is not None and not because:
        raise ValueError(f"{id}: a severity other than the statement's has its reason in `because`")

    def register(judge: Judge) -> Judge:
        if id in _REGISTRY and _REGISTRY[id].judge.__module__ != judge.__module__:
            raise ValueError(f"duplicate rule id {id}")
        home = judge.__module__.rpartition(".")[0]
        _REGISTRY[id] = Rule(
            id=id,
            scope=scope,
            numbers=numbers,
            home=home,
            dialects=dialects_in(judge.__module__) if dialects is None else tuple(dialects),
            needs_complete=needs_complete,
            judge=judge,
            graded=severity,
            because=because,
            opt_in=opt_in,
            part=part,
            side=side,
            about=about,
        )
        return judge

    return register


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its id, sorted by id: those in Python, and those of contracts.

    Raises:
        ConformanceError: as for `coded_rules` and `check_holdings`.
    """
    from conformance.judge.contract_rules import contract_rules

    found = {name: _of_contract(each) for name, each in contract_rules().items()} | dict(coded_rules())
    check_holdings(found)
    return dict(sorted(found.items()))


def find_rule(name: str) -> Rule | None:
    """One rule; None if no rule has this id. Loads the neutral rules, and the code of one dialect."""
    from conformance.judge.contract_rules import contract_rules_in

    import_rules()
    if name not in _REGISTRY and (indexed := rule_index().get(name)) is not None:
        if (entry := indexed.of_contract) is not None:
            return _without_code(name, indexed.cites, **{**entry, "severity": Severity[entry["severity"].upper()]})
        _import_rules_in(indexed.package)
    if name in _REGISTRY:
        return _REGISTRY[name]
    found = (contract_rules_in(package).get(name) for package in dialect_packages() if is_foreign(package))
    return next((_of_contract(each) for each in found if each is not None), None)


def rule_names() -> list[str]:
    """The ids of all rules. Loads the code of no dialect of this distribution."""
    from conformance.judge.contract_rules import contract_rules_in

    import_rules()
    foreign = (contract_rules_in(package) for package in dialect_packages() if is_foreign(package))
    return sorted({*_REGISTRY, *rule_index(), *(name for found in foreign for name in found)})


def rules_citing(number: str) -> tuple[Rule, ...]:
    """The rules that cite a statement, in the order of their ids. Loads the code of no other dialects."""
    from conformance.judge.contract_rules import contract_rules_in

    import_rules()
    found = {name: each for name, each in _REGISTRY.items() if number in each.cites}
    for name, indexed in rule_index().items():
        if number in indexed.cites and name not in found and (rule := find_rule(name)) is not None:
            found[name] = rule
    for each in (each for package in packages() for each in contract_rules_in(package).values()):
        if number in each.numbers:
            found.setdefault(each.id, _of_contract(each))
    return tuple(rule for _, rule in sorted(found.items()))


def requirement_in(dialect: str, name: str) -> str | None:
    """What a rule that judges a dialect demands, in one sentence; None if there is no such rule."""
    from conformance.judge.contract_rules import requirement_of

    if (rule := rules_of(dialect).get(name)) is not None:
        return rule.statement
    requirement = requirement_of(name, dialect)
    return None if requirement is None else requirement.text


@cache
def coded_rules() -> Mapping[str, Rule]:
    """The rules in Python by their ids, sorted by id.

    Raises:
        ConformanceError: a package of another distribution cannot be imported, or has a rule whose id is taken.
    """
    import_rules()
    for name in dialect_packages():
        _import_rules_in(name)
    return dict(sorted(_REGISTRY.items()))


def import_rules() -> None:
    """Imports the rules that may judge any dialect: the neutral ones, the shared ones, all of other distributions.

    Raises:
        ConformanceError: a package of another distribution cannot be imported, or has a rule whose id is taken.
    """
    for module in pkgutil.iter_modules(import_of(NEUTRAL_RULES).__path__, f"{NEUTRAL_RULES}."):
        import_of(NEUTRAL_RULES, module.name)
    for package in dialect_packages():
        if is_foreign(package):
            _import_rules_in(package)
        elif has_module(package, _SHARED):
            import_of(package, f"{package}.{_SHARED}")


@cache
def _import_rules_in(package: str) -> None:
    for module in pkgutil.walk_packages(getattr(import_of(package), "__path__", ()), f"{package}."):
        if module.name.rpartition(".")[2].startswith("rules"):
            import_of(package, module.name)


def check_holdings(rules: Mapping[str, Rule]) -> None:
    """Checks that the statements of every dialect name neutral rules that judge it.

    Raises:
        ConformanceError: a rule does not exist, is not neutral, or does not judge the dialect.
    """
    for dialect in all_dialects().values():
        for name, found in holdings(dialect.package).items():
            number, each = found[0][0].id, rules.get(name)
            if each is None:
                raise ConformanceError(f"{dialect.name}: {number} names unknown rule {name}")
            if each.home != NEUTRAL_RULES or not each.judges(dialect.name):
                raise ConformanceError(f"{dialect.name}: {number} names rule {name}, which does not judge this dialect")


def _of_contract(found: ContractRule) -> Rule:
    """The rule for a rule id of a contract."""
    text = f"{found.requirement.text}\n\n{found.requirement.consequence}"
    return _without_code(
        found.id, found.numbers, scope=found.scope, severity=found.severity, dialects=found.dialects, text=text
    )


def _without_code(
    name: str, numbers: tuple[str, ...], *, scope: Scope, severity: Severity, dialects: Sequence[str], text: str
) -> Rule:
    from conformance.judge.contracted import contract_hits

    def judge(view: View) -> Iterator[Hit]:
        return (hit for rule, hit in contract_hits(view) if rule == name)

    home = f"{all_dialects()[dialects[0]].package}.contract"
    judge.__module__ = home
    judge.__doc__ = text
    return Rule(
        id=name,
        scope=scope,
        numbers=numbers,
        home=home,
        dialects=tuple(dialects),
        needs_complete=False,
        judge=judge,
        graded=severity,
        of_contract=True,
    )


@cache
def rules_of(dialect: str) -> Mapping[str, Rule]:
    """The rules in Python that judge one dialect, by id. Imports no other dialect's."""
    import_rules()
    _import_rules_in(home_of(dialect))
    return {name: each for name, each in sorted(_REGISTRY.items()) if each.judges(dialect)}


@cache
def rules_for(dialect: str) -> Mapping[Scope, tuple[Rule, ...]]:
    """The same by scope."""
    chosen: dict[Scope, list[Rule]] = {}
    for each in rules_of(dialect).values():
        chosen.setdefault(each.scope, []).append(each)
    return {scope: tuple(rules) for scope, rules in chosen.items()}
