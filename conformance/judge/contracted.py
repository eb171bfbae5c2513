"""Checks an exchange by its dialect's contract: the request, the reply, each event of a stream, the error.

A dialect has a contract if its package has a module `contract` with `REQUEST`, `REPLY`, `CHUNK` and `ERROR`, any of
which may be missing. If one body can have several messages, or does not identify itself, the module has a function
`asked` that splits it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from conformance.contract import Contract, Situation, Violation
from conformance.contract.citation import Kind
from conformance.contract.growing import grown
from conformance.contract.unlisted import unlisted
from conformance.judge.providers import behind_gateway
from conformance.judge.refused_places import is_named
from conformance.judge.situations import situation_of
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity, Side
from conformance.model.frozen import dataclass
from conformance.model.registry import optional_part
from conformance.model.transcript import Malformed
from conformance.profiles import profiles
from conformance.profiles.profiles import all_profiles

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A value to check by a contract. `pointer` is its place in the body or the stream, `""` for all of it."""

    contract: Contract
    value: Any
    side: Side
    pointer: str
    situation: Situation


@dataclass(frozen=True, slots=True, eq=False)
class Contracts:
    """The contracts of a dialect.

    `asked` splits an exchange; None if its body, or each of its events, is checked as a whole.
    """

    request: Contract | None
    reply: Contract | None
    chunk: Contract | None
    error: Contract | None
    asked: Callable[[View], Iterator[Asked]] | None = None

    @property
    def every(self) -> tuple[Contract, ...]:
        """The contracts that the dialect has."""
        return tuple(each for each in (self.request, self.reply, self.chunk, self.error) if each is not None)


@cache
def contracts_of(dialect: str) -> Contracts | None:
    """The contracts of a dialect; None if it has none yet."""
    module = optional_part(dialect, "contract")
    if module is None:
        return None
    request, reply, chunk, error = (getattr(module, name, None) for name in ("REQUEST", "REPLY", "CHUNK", "ERROR"))
    return Contracts(request, reply, chunk, error, getattr(module, "asked", None))


@cache
def endpoints_of(dialect: str) -> Mapping[str, Contracts]:
    """The contracts of the endpoints beside the main one, by name: of a request that has a body, of the reply, and, if
    it streams, of its events.
    """
    module, main = optional_part(dialect, "contract.endpoints"), contracts_of(dialect)
    if module is None or main is None:
        return {}
    return {
        name: Contracts(request, reply, chunk[0] if chunk else None, main.error)
        for name, (request, reply, *chunk) in module.CONTRACTS.items()
    }


def contract_hits(view: View, *, requests_only: bool = False) -> Iterator[tuple[str, Hit]]:
    """The violations of a dialect's contract in an exchange, or only in its request, each with its rule.

    Other rules report bodies that could not be parsed.
    """
    name = view.dialect.name
    contracts = contracts_of(name) if view.endpoint is None else endpoints_of(name).get(view.endpoint)
    if contracts is None or view.exchange.request.body.note is not None:
        return
    if contracts.asked is not None:
        yield from _apart(contracts.asked(view))
        return
    situation = situation_of(view, dated=_dated(contracts, view.provider, profiles.version()))
    if contracts.request is not None and not isinstance(view.request, Malformed):
        for each in _known(
            _asked(view, contracts.request, situation), view, contracts.request, view.request, situation
        ):
            yield _hit(each, contracts.request, "request", each.pointer or None)
        for each in (*_of_upstream(view, contracts.request, situation), *_unlisted(view, contracts.request, situation)):
            yield _hit(each, contracts.request, "request", each.pointer or None)
        yield from _absent(view, contracts.request, situation)
    if view.exchange.response.body.note is None and not requests_only:
        yield from _answered(view, contracts, situation)


_OF_ABSENCE: frozenset[Kind] = frozenset({"missing", "dependency"})
"""The kinds of violations that need the absence of a member, of which a source without the bodies is no evidence."""


def _known(
    violations: Iterable[Violation], view: View, contract: Contract, value: Any, situation: Situation
) -> Iterable[Violation]:
    """The violations of a value that are certain: whatever the source lacks, or whatever is unknown of the exchange."""
    if "members" in view.exchange.lacks:
        violations = (each for each in violations if each.kind not in _OF_ABSENCE)
    if not situation.unknown:
        return violations
    there = {(each.pointer, each.kind) for each in contract.violations(value, situation.possible[-1])}
    return (each for each in violations if (each.pointer, each.kind) in there)


def _of_upstream(view: View, contract: Contract, own: Situation) -> Iterator[Violation]:
    """The violations of the upstream's requirements: of its profile, or for the model. The gateway accepts the rest.

    Parameters that the gateway translates are not checked.
    """
    behind, gateway = behind_gateway(view), all_profiles().get(view.provider or "")
    if behind is None or gateway is None:
        return
    there = dataclasses.replace(own, provider=behind.provider, model=behind.model)
    any_model = dataclasses.replace(there, model=None)
    rows = contract.rows_of(behind.provider)
    refuses = any(each.allows is not None and not each.documented and each.only.holds(there) for each in rows)
    if not refuses and contract.resolved(there) is contract.resolved(any_model):
        return
    _, found = view.found[contract]  # what the gateway's own format forbids, as `_asked` found it
    known = {(each.rule, each.pointer) for each in (contract.completed(each, own) for each in found)}
    known |= {
        (each.rule, each.pointer) for each in contract.violations(view.request, any_model) if each.basis != "profile"
    }
    translated = gateway.translates.get(view.dialect.name, ())
    for each in contract.violations(view.request, there):
        own_document = each.basis == "documented"  # that of the gateway counts
        if (each.rule, each.pointer) not in known and each.pointer not in translated and not own_document:
            message = f"{each.message} (by {behind.provider}, behind {gateway.name})"
            yield dataclasses.replace(each, message=message, severity=min(each.severity, behind.most))


def _unlisted(view: View, contract: Contract, situation: Situation) -> Iterator[Violation]:
    """The members that no document has and that the refusal of the request names."""
    if view.refused:
        made, _ = view.found[contract]
        yield from (contract.completed(each, situation) for each in unlisted(made, view.request, sorted(view.refused)))


def _absent(view: View, contract: Contract, situation: Situation) -> Iterator[tuple[str, Hit]]:
    """What an incomplete recording may have dropped, but the provider has missed: the refusal names the place."""
    if situation.complete or not view.refused or "members" in view.exchange.lacks:
        return
    _, found = view.found[contract]
    known = {(each.pointer, each.kind) for each in found}
    for each in contract.violations(view.request, dataclasses.replace(situation, complete=True)):
        if each.kind in _OF_ABSENCE and (each.pointer, each.kind) not in known:
            rule, hit = _hit(each, contract, "request", each.pointer or None)
            if is_named(hit, view.refused):
                yield rule, hit


def _asked(view: View, contract: Contract, situation: Situation) -> Iterator[Violation]:
    """The violations of a request; of one that repeats an earlier one, only the new items are checked."""
    made = contract.resolved(situation)
    before, known = view.found_alone(contract) or (None, None)
    found: Sequence[Violation] | None = known if before is made else None
    if found is None and view.repeated is not None and view.dialect.readers.history is not None:
        before, earlier = view.repeated.earlier.found.get(contract, (None, ()))
        key = view.dialect.readers.history.key
        found = grown(made, earlier, view.request[key], view.repeated.items, key) if before is made else None
    if found is None:
        found = list(made.violations(view.request))
    view.found[contract] = made, found
    return (contract.completed(each, situation) for each in found)


@cache
def _dated(contracts: Contracts, provider: str | None, _: int) -> bool:
    """Whether the contract depends on the day of the answer; the last argument is `profiles.version()`."""
    return any(when.asks_for_day(provider) for each in contracts.every for when in each.predicates(provider))


def refused(view: View) -> Iterator[Violation]:
    """The violations of a request that the provider is known to refuse, with the status; only of severity error."""
    contracts = contracts_of(view.dialect.name)
    if contracts is not None and contracts.request is not None and not isinstance(view.request, Malformed):
        for each in _asked(view, contracts.request, situation_of(view)):
            if each.refused is not None and each.severity is Severity.ERROR:
                yield each


def _apart(asked: Iterator[Asked]) -> Iterator[tuple[str, Hit]]:
    """The violations of the messages of an exchange. The same fault in several events is reported at the first."""
    reported: set[tuple[str | None, str, str]] = set()
    for each in asked:
        for violation in each.contract.violations(each.value, each.situation):
            pointer = f"{each.pointer}{violation.pointer}"
            if each.pointer.startswith("event/"):
                kind = violation.rule, _NUMBER.sub("", pointer), violation.message
                if kind in reported:
                    continue
                reported.add(kind)
            yield _hit(violation, each.contract, each.side, pointer or None)


def _answered(view: View, contracts: Contracts, situation: Situation) -> Iterator[tuple[str, Hit]]:
    failed = view.exchange.response.status >= 400
    if view.events is not None:
        if contracts.chunk is not None:
            yield from _streamed(view, contracts.chunk, situation)
        return
    contract = contracts.reply if view.ok else contracts.error if failed else None
    if contract is None:
        return
    if view.exchange.response.body.empty:
        if failed and view.complete:
            yield from _lacking("the failure has no body", "nothing", contract, situation)
    elif isinstance(view.response, Malformed):
        if failed:
            yield from _lacking("the failure's body is not JSON", "text", contract, situation)
    else:
        for each in _of_body(view, contract, situation):
            yield _hit(each, contract, "response", each.pointer or None)


def _of_body(view: View, contract: Contract, situation: Situation) -> list[Violation]:
    """The violations of a body that was not streamed. An error in place of a reply is one violation."""
    found = list(_known(contract.violations(view.response, situation), view, contract, view.response, situation))
    body = view.response
    if not view.ok or not isinstance(body, dict) or body.get("error") is None:
        return found
    lacking = [each for each in found if each.kind == "missing" and not each.pointer]
    instead = (
        dataclasses.replace(
            max(lacking, key=lambda each: each.severity),
            message="the body is an error, but the status is a success",
            expected="a reply, or a status of 400 or more",
            actual="an error",
            fix="send a failure with a status of 400 or more",
        )
        if lacking
        else None
    )
    return found if instead is None else [instead]


def _lacking(message: str, actual: str, contract: Contract, situation: Situation) -> Iterator[tuple[str, Hit]]:
    """A failure without a JSON body lacks every required field."""
    for each in contract.violations({}, situation):
        violation = dataclasses.replace(each, message=message, actual=actual, fix="send the failure as a JSON object")
        yield _hit(violation, contract, "response", None)


def _streamed(view: View, contract: Contract, situation: Situation) -> Iterator[tuple[str, Hit]]:
    """The violations of a stream's events. A server that omits a field omits it in every event: the first is enough."""
    judged = [event for event in view.events or () if isinstance(event.json, (dict, list))]
    if contract.admits_all([event.json for event in judged], situation):
        return
    reported: set[tuple[str | None, str, str]] = set()
    for number in contract.different((event.json for event in judged), situation):
        event = judged[number]
        violations = contract.violations(event.json, situation)
        for each in _known(violations, view, contract, event.json, situation):
            kind = each.rule, _NUMBER.sub("", each.pointer), each.message
            if kind not in reported:
                reported.add(kind)
                yield _hit(each, contract, "response", f"{event.pointer}{each.pointer}")


def _hit(violation: Violation, contract: Contract, side: Side, pointer: str | None) -> tuple[str, Hit]:
    hit = Hit(
        pointer,
        violation.message,
        violation.expected,
        violation.actual,
        violation.severity,
        side,
        violation.fix,
        contract.cited(violation),
        "missing" if violation.kind == "missing" else None,
    )
    return violation.rule or "", hit
