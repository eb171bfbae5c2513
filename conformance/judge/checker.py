"""The judge: exchanges in, findings out. Pure: no network, no clock, no SDK."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, lru_cache, partial
from typing import Any

from conformance.judge import quirks
from conformance.judge.alone import Alone
from conformance.judge.blame import Blame
from conformance.judge.contracted import contract_hits
from conformance.judge.exercised import count_shape
from conformance.judge.folding import Folding
from conformance.judge.known_tools import hits_of_tools
from conformance.judge.nested import nested_in
from conformance.judge.placeholders import is_about_placeholder, is_redacted
from conformance.judge.recorded import NotRecordedError, as_recorded, freeze
from conformance.judge.refused_places import is_named
from conformance.judge.relations.places import Node
from conformance.judge.relations.rows import begins_of, judge_of, walk_of
from conformance.judge.relations.scan import scan_of
from conformance.judge.relations.walk import Index
from conformance.judge.rule import Part, Rule, Scope, rules_for
from conformance.judge.rule_ids import defect_of
from conformance.judge.subjects import SUBJECTS
from conformance.judge.summary import Summary
from conformance.judge.view import REMEMBERED, View
from conformance.model.dialect import Dialect
from conformance.model.exchange import SWITCHED, UNANSWERED, Body, Exchange, Lack, Request, Response
from conformance.model.finding import Finding, Hit, NotExercised, Severity
from conformance.model.frozen import dataclass
from conformance.model.limits import limits
from conformance.model.pointer import item_of
from conformance.model.registry import beside, claimants, layers_of
from conformance.model.transcript import Malformed
from conformance.profiles.profiles import Profile

_Planned = tuple[Rule, Scope, "Callable[[View], object] | None", "Callable[[View], Iterable[Hit]]"]
"""A rule, the scope in which it runs, its subject, and the function of its hits."""
_SHORTEST = 3
"""The characters of the shortest event, `{}` and the end of its line."""
_ENDS, _LINE_ENDS = ("\n\n", "\r\n\r\n"), ("\n",)
TOO_DEEP = "values are nested too deeply"

_OPEN_RUNS = 1024
_OPEN_BYTES = 16 << 20
"""How many runs are kept at once, and how many bytes of traffic in them: so memory use stays constant. The least
recently used is dropped first; an exchange that continues it begins a run.
"""


@dataclass(slots=True)
class _Run:
    """One run in progress: its findings, each dialect's latest views, and the number of its exchanges."""

    folding: Folding = field(default_factory=Folding)
    blame: Blame = field(default_factory=Blame)
    views: dict[str, list[View]] = field(default_factory=dict)
    count: int = 0
    weight: int = 0


class Checker:
    """Judges a sequence of exchanges one by one and counts what it saw.

    `dialect` forces every exchange to be judged as that dialect; by default, dialects claim exchanges. If one
    dialect is hosted in another, both judge the exchange. `profile` is the provider whose profile applies;
    by default the host decides. `asks_all` runs every rule in full, to prove that the shortcuts lose no finding:
    rules without their subject find nothing, and repeated parts of a request have the same findings.
    With `requests_only`, responses are read, but not judged.
    """

    def __init__(
        self,
        dialect: str | None = None,
        *,
        profile: Profile | None = None,
        asks_all: bool = False,
        requests_only: bool = False,
    ) -> None:
        self.summary = Summary()
        self._profile = profile
        self._asks_all = asks_all
        self._requests_only = requests_only
        self._forced = dialect
        self._runs: OrderedDict[str, _Run] = OrderedDict()
        self._weight = 0

    def feed(self, exchange: Exchange, alone: Sequence[Alone] = ()) -> list[Finding]:
        """The findings of one exchange, judged with the earlier ones of its run.

        A fault of an earlier reply that the request repeats is reported at that reply: such findings have the number of
        the earlier exchange, and its side `response`. With `requests_only`, `alone` may have the views of the request,
        one for each layer of its dialect, that `judge_alone` has judged: it is then only compared with the run.
        """
        exchange = self._within_limits(exchange)
        run = self._run_of(exchange)
        number, run.count = run.count, run.count + 1
        self.summary.exchanges += 1
        for lack in exchange.lacks:
            self.summary.not_recorded[lack] = self.summary.not_recorded.get(lack, 0) + 1
        layers = (
            layers_of(self._forced, exchange.request)
            if self._forced
            else tuple(view.dialect for view in alone) or claimants(exchange.request)
        )
        known = {view.dialect.name: view for view in alone}
        if not layers and (found := beside(exchange.request)) is not None:
            layers = (found,)
        judged = False
        if not layers:
            self.summary.unclaimed += 1
            self.summary.omit_unclaimed(exchange)
        elif is_redacted(exchange):
            self.summary.omit_exchange(exchange, "its content is redacted")
            layers = ()
        elif (unjudged := _not_judged(exchange)) is not None:
            self.summary.count_not_exercised(unjudged)
            if _has_no_bodies(exchange):
                self.summary.omit_exchange(exchange, "it has neither body")
                layers = ()
        findings = []
        for dialect in layers:
            views = run.views.setdefault(dialect.name, [])
            view = View(
                exchange,
                dialect,
                tuple(views),
                number,
                run.views,
                profile=self._profile,
                reuses=not self._asks_all,
                alone=known.get(dialect.name),
            )
            try:
                scopes = _scopes(view)
                own, earlier = run.blame.sort(self._judge(view, scopes), view)
                own = run.folding.fold(own, view)
                for finding in (*own, *self._nested(view, own), *earlier):
                    self.summary.count(finding)
                    findings.append(finding)
                judged = judged or bool(scopes)
                freeze(view)
            except RecursionError:
                self.summary.count_not_exercised(TOO_DEEP)
                continue
            views.append(view)
            self._weigh(run, view.weight - sum(each.weight for each in views[:-REMEMBERED]))
            del views[:-REMEMBERED]
        if judged:
            self.summary.judged += 1
        elif layers:
            notes = (exchange.request.body.note, exchange.response.body.note)
            self.summary.omit_exchange(exchange, next(filter(None, notes), TOO_DEEP))
        return findings

    def judge_alone(self, view: Alone) -> Iterator[Finding]:
        """What the rules in Python find in a request by itself.

        For `feed`, the view keeps the hits of rules that read neither the run nor the answer. Those of the scope
        `conversation` do by definition.
        """
        present: dict[Callable[[View], object], bool] = {}
        for rule, scope, subject, _ in _plan(view.dialect.name, _scopes(view), view.complete):
            try:
                if subject is not None:
                    if subject not in present:
                        present[subject] = bool(subject(view))
                    if not present[subject]:
                        continue
                view.reads_more = False
                found = list(rule.judge(view))
                if scope != "conversation" and not view.reads_more:
                    view.found[rule.id] = found
            except Exception:  # noqa: BLE001, S112 - our own fault, which `feed` counts
                continue
            for hit in found:
                if not isinstance(hit, NotExercised):
                    finding = self._of_rule(rule, hit, view, scope)
                    if not is_about_placeholder(finding, view):
                        yield finding

    def _within_limits(self, exchange: Exchange) -> Exchange:
        """The exchange; without the body of its response if that has too many events."""
        content = exchange.response.body.content
        most = limits().events
        if not isinstance(content, (str, bytes)) or len(content) < _SHORTEST * most:
            return exchange
        found: Any = _ENDS if exchange.response.is_event_stream else _LINE_ENDS if exchange.response.is_lines else ()
        ends: Any = found if isinstance(content, str) else [each.encode() for each in found]
        if max(map(content.count, ends), default=0) <= most:
            return exchange
        reason = f"a stream has more than {most} events (--max-events)"
        return replace(exchange, response=replace(exchange.response, body=Body(note=reason)))

    def forget(self) -> None:
        """Drops what is kept of all runs: after a file, of which no other has a part."""
        self._runs.clear()
        self._weight = 0

    def views(self, group: str, dialect: str) -> tuple[View, ...]:
        """The latest exchanges of one group, as read by the dialect."""
        run = self._runs.get(group)
        return tuple(run.views.get(dialect, ())) if run else ()

    def _run_of(self, exchange: Exchange) -> _Run:
        if exchange.group or exchange.conversation is not None:
            key = exchange.group or f"{exchange.source.rpartition(':')[0]}#{exchange.conversation}"
        else:  # nothing can continue it
            self.summary.conversations += 1
            return _Run()
        run = self._runs.get(key)
        if run is None:
            self.summary.conversations += 1
            run = self._runs[key] = _Run()
            if len(self._runs) > _OPEN_RUNS:
                self._drop()
        self._runs.move_to_end(key)
        return run

    def _weigh(self, run: _Run, more: int) -> None:
        """Notes what a run weighs more; drops others that were not used for the longest time, if all are too heavy."""
        if next(reversed(self._runs.values()), None) is not run:
            return  # nothing can continue it: it is not kept
        run.weight += more
        self._weight += more
        while self._weight > _OPEN_BYTES and len(self._runs) > 1:
            self._drop()

    def _drop(self) -> None:
        _, run = self._runs.popitem(last=False)
        self._weight -= run.weight

    def _judge(self, view: View, scopes: tuple[Scope, ...]) -> Iterator[Finding]:
        try:
            for name, hit in contract_hits(view, requests_only=self._requests_only):
                finding = _finding(name, hit, view)
                if not is_about_placeholder(finding, view):
                    yield finding
        except RecursionError:
            self.summary.count_not_exercised(TOO_DEEP)
        except Exception as error:  # noqa: BLE001 - as below
            self._failed(f"the contract of {view.dialect.name}", view, error)
        shown = as_recorded(view)
        present: dict[Callable[[View], object], bool] = {}
        unread: list[str] = []
        if self._requests_only:
            scopes = tuple(scope for scope in scopes if scope in _OF_REQUESTS)
        planned = self._planned(view, scopes)
        asking = view.asking()  # not kept: it holds the whole request again
        if asking is not None:
            planned = [*planned, *_asked(asking)]
        for rule, scope, subject, hits in planned:
            try:
                if subject is not None and not self._asks_all:
                    if subject not in present:
                        present[subject] = bool(subject(view))
                    if not present[subject]:
                        continue
                known = view.found_alone(rule.id)
                if known is not None and rule.part == "turns":
                    view.found[rule.id] = known
                for hit in hits(shown) if known is None else known:
                    if isinstance(hit, NotExercised):
                        self.summary.count_not_exercised(hit.message)
                        continue
                    finding = self._of_rule(rule, hit, view, scope)
                    if not is_about_placeholder(finding, view):
                        yield finding
            except NotRecordedError:
                unread.append(rule.id)
            except RecursionError:
                self.summary.count_not_exercised(TOO_DEEP)
            except Exception as error:  # noqa: BLE001 - our own fault: counted apart, never against the target
                self._failed(f"rule {rule.id}", view, error)
        count_shape(self.summary.exercised, view, scopes[:1] if view.endpoint else scopes, present, unread)

    def _nested(self, view: View, own: Iterable[Finding]) -> Iterator[Finding]:
        """The findings of the exchanges inside of one, at their places in it, but for those that its own rules have."""
        known = {(each.rule, each.side, each.pointer) for each in own}
        for inner in nested_in(view):
            if self._requests_only and inner.side != "request":
                continue
            checker = Checker(profile=self._profile, requests_only=inner.side == "request")
            for each in checker.feed(inner.exchange):
                finding = replace(
                    each,
                    source=view.exchange.source,
                    id=view.exchange.id,
                    conversation=view.exchange.conversation,
                    exchange=view.number,
                    pointer=f"{inner.at}{each.pointer or ''}",
                    traffic=view.exchange,
                )
                if each.side == inner.side and (each.rule, each.side, finding.pointer) not in known:
                    yield finding
            self.summary.harness_errors += checker.summary.harness_errors

    def _planned(self, view: View, scopes: tuple[Scope, ...]) -> Sequence[_Planned]:
        """The rules to run, without the rows of relations about what the exchange does not have."""
        if view.exchange.lacks or not view.reuses:  # what is not recorded, or asks everything anew
            plan = _plan(view.dialect.name, scopes, view.complete)
            if "request" not in view.exchange.lacks:
                return plan
            return [each for each in plan if each[1] != "exchange" or begins_of(each[0].id) is not None]
        reached = scan_of(view).walk(walk_of(view.dialect.name))
        found = _possible(view.dialect.name, scopes, view.complete, reached)
        if view.endpoint is None:
            return found
        return [each for each in found if each[1] == "exchange" or begins_of(each[0].id) is not None]

    def _failed(self, what: str, view: View, error: Exception) -> None:
        source = view.exchange.source or "an exchange"
        message = f"{what} failed on {source} (exchange {view.number}): {type(error).__name__}: {error}"
        self.summary.harness_errors.append(message)

    def _of_rule(self, rule: Rule, hit: Hit, view: View, scope: Scope) -> Finding:
        whole = replace(
            hit,
            severity=hit.severity if hit.severity is not None else rule.severity_in(view.dialect.name),
            side=hit.side or ("request" if scope in ("request", "conversation") else "response"),
            cite=hit.cite or rule.cite_in(view.dialect.name),
        )
        return _finding(rule.id, whole, view)


def _finding(rule: str, hit: Hit, view: View) -> Finding:
    """A complete hit as a finding, with the severity that it has at the provider."""
    severity, message = Severity.ERROR if hit.severity is None else hit.severity, hit.message
    quirk = quirks.quirk_of(rule, view, message)
    if quirk is not None and quirk.of(severity, view) != severity:
        why = f"{quirk.provider} enforces it" if quirk.stricter else f"known quirk of {quirk.provider}"
        severity, message = quirk.of(severity, view), f"{message} ({why})"
    if severity < Severity.ERROR and hit.side == "request" and is_named(hit, view.refused):
        severity, message = Severity.ERROR, f"{message} (the provider refused it)"
    return Finding(
        rule=rule,
        severity=severity,
        message=message,
        dialect=view.dialect.name,
        source=view.exchange.source,
        id=view.exchange.id,
        conversation=view.exchange.conversation,
        exchange=view.number,
        side=hit.side,
        pointer=hit.pointer,
        expected=hit.expected,
        actual=hit.actual,
        cite=hit.cite,
        fix=hit.fix,
        defect=hit.defect or defect_of(rule),
        traffic=view.exchange,
    )


def _of_turns(rule: Rule, view: View) -> Iterable[Hit]:
    """The hits of a rule about turns; those in repeated turns are taken from the earlier request."""
    tail, history = view.tail, view.dialect.readers.history
    before: list[Hit] | None = tail.earlier.found.get(rule.id) if tail is not None else None
    if tail is None or history is None or before is None:
        found = list(rule.judge(view))
    else:
        found = list(rule.judge(tail.view))
        if before or found:
            found = [hit for hit in found if (item_of(hit.pointer, history.key) or 0) >= tail.first]
            found = [hit for hit in before if (item_of(hit.pointer, history.key) or 0) < tail.first] + found
    view.found[rule.id] = found
    return found


_REUSING: Mapping[Part, Callable[[Rule, View], Iterable[Hit]]] = {"tools": hits_of_tools, "turns": _of_turns}
"""The functions for rules whose hits in what was judged before need not be found again."""


def _not_judged(exchange: Exchange) -> str | None:
    """Why a side cannot be judged: unreadable, empty where content is required, or not answered; None if both can."""
    request, response = exchange.request, exchange.response
    if (note := request.body.note or response.body.note) is not None:
        return f"the {'request' if request.body.note is not None else 'response'} could not be read: {note}"
    if _is_unsent(exchange):
        return "a request without a body"
    if response.status in (200, SWITCHED) and response.body.empty:
        return "a response without a body"
    pending = not (response.ok or response.status >= 400) and "response" not in exchange.lacks
    return "no answer yet" if pending else None


def _is_unsent(exchange: Exchange) -> bool:
    """Whether a request lacks the body that it needs: one to an endpoint beside the main one may need none."""
    sent = exchange.request.method == "POST" and "request" not in exchange.lacks
    return sent and exchange.request.body.empty and beside(exchange.request) is None


def _has_no_bodies(exchange: Exchange) -> bool:
    """Whether a recording has the body of neither side, although the provider was asked for something and answered."""
    return _is_unsent(exchange) and exchange.response.ok and exchange.response.body.content is None


_NEEDED: Mapping[Scope, frozenset[Lack]] = {
    "exchange": frozenset({"members"}),
    "request": frozenset({"request"}),
    "conversation": frozenset({"request"}),
    "reply": frozenset(),
    "response": frozenset({"members"}),
    "stream": frozenset({"members"}),
    "failure": frozenset({"members"}),
}
"""What a source must not lack for the rules of a scope: if it has only the messages, those about content remain.

Of an exchange without its request, relations run, because most within a reply are about both kinds of it, streamed and
not; each ends where it reads the request.
"""


def _scopes(view: View) -> tuple[Scope, ...]:
    """The scopes that this exchange has: none on a side whose body could not be read, or that its source lacks."""
    if view.endpoint is not None:
        return ("exchange", "response") if view.delivers else ("exchange",)
    lacks = view.exchange.lacks
    if view.exchange.request.body.note is not None and lacks.isdisjoint(("request", "members")):
        return ()
    asked: tuple[Scope, ...] = ("exchange",)
    if not isinstance(view.request, Malformed):
        asked = ("exchange", "request", "conversation")
    return tuple(scope for scope in (*asked, *_answered(view)) if lacks.isdisjoint(_NEEDED[scope]))


def _answered(view: View) -> tuple[Scope, ...]:
    """The scopes of the answer."""
    if view.exchange.response.body.note is not None:
        return ()
    if not view.ok:
        return ("failure",) if view.exchange.response.status >= 400 else ()
    answered: Scope = "stream" if view.streamed else "response"
    return ("reply", answered) if view.replies else (answered,)


_OF_REQUESTS: tuple[Scope, ...] = ("exchange", "request", "conversation")
"""The scopes whose rules can find something in a request."""


@cache
def _plan(dialect: str, scopes: tuple[Scope, ...], complete: bool) -> tuple[_Planned, ...]:  # noqa: FBT001 - a cache knows no keywords
    """The rules to run for these scopes, in their order, each with its subject."""
    rules = rules_for(dialect)
    found = [(rule, scope) for scope in scopes for rule in rules.get(scope, ()) if complete or not rule.needs_complete]
    return tuple(
        (
            rule,
            scope,
            SUBJECTS[rule.about] if rule.about else None,
            partial(_REUSING[rule.part], rule) if rule.part in _REUSING else rule.judge,
        )
        for rule, scope in found
    )


def _asked(asking: View) -> Iterator[_Planned]:
    """The rules about turns. They judge the request as one to the main endpoint, whatever view they are given."""
    for rule, scope, subject, _ in _plan(asking.dialect.name, ("request",), asking.complete):
        if rule.part == "turns" and (subject is None or subject(asking)):
            yield rule, scope, None, partial(_at_main, rule, asking)


def _at_main(rule: Rule, asking: View, _: View) -> Iterable[Hit]:
    return rule.judge(asking)


@cache
def _indexed(dialect: str, scopes: tuple[Scope, ...], complete: bool) -> Index:  # noqa: FBT001 - as above
    return Index(begins_of(rule.id) for rule, *_ in _plan(dialect, scopes, complete))


@lru_cache(maxsize=2_000)
def _possible(
    dialect: str,
    scopes: tuple[Scope, ...],
    complete: bool,  # noqa: FBT001 - as above
    reached: frozenset[Node],
) -> Sequence[_Planned]:
    """The part of a plan that can find something in an exchange with something at these places. Few differ in them."""
    plan = _plan(dialect, scopes, complete)
    return [
        (*plan[number][:3], judge_of(plan[number][0].id, relations)) if relations else plan[number]
        for number, relations in _indexed(dialect, scopes, complete).possible(reached)
    ]


def request_findings(request: Request, dialect: Dialect) -> list[Finding]:
    """The findings of a request without a response; the request is complete."""
    checker = Checker(dialect.name, requests_only=True)
    return checker.feed(Exchange(request, Response(UNANSWERED), complete=True))


def check(exchanges: Iterable[Exchange], *, dialect: str | None = None, profile: str | None = None) -> list[Finding]:
    """The findings of all exchanges, in their order. For the counts as well, use `Checker`.

    `profile` names the provider whose profile applies: `NAME`, `NAME/GENERATION`, or a YAML file.

    Raises:
        ConformanceError: there is no such profile.
    """
    chosen = None
    if profile is not None:
        from conformance.judge.chosen_profile import chosen_profile

        chosen = chosen_profile(profile)
    checker = Checker(dialect, profile=chosen)
    return [finding for exchange in exchanges for finding in checker.feed(exchange)]
