"""Whether a fault is caught: by the contract, or else by all that judges the exchange."""

from __future__ import annotations

import dataclasses
import importlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conformance.contract import Contract, Situation
from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.view import View
from conformance.model.exchange import UNANSWERED, Body, Exchange, Response
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects, claimants
from devtools.contract_silence import bodies, recordings_of
from devtools.documents.planting import Fault

_FEWEST = 5
"""From so many bodies of the owner on, the others are left out."""
_SPARE = 3
"""How many bodies are kept for each that is wanted, since some are not silent."""
_Reported = frozenset[tuple[str, str | None, Severity]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded body that the contract says nothing about, with the exchange that it is from."""

    dialect: str
    contract: Contract
    value: Any
    situation: Situation
    exchange: Exchange

    @property
    def is_silent(self) -> bool:
        """Whether the contract has nothing to say."""
        return not any(self._violations(self.value))

    def severity(self, fault: Fault) -> Severity | None:
        """How severe the worst is that is reported of a fault and not without it; None where nothing is."""
        twins = set() if fault.twin(self.value) is self.value else set(self._violations(fault.twin(self.value)))
        reported = [each for each in self._violations(fault.put(self.value)) if each not in twins]
        worst = max((each.severity for each in reported), default=None)
        if worst is Severity.ERROR or (found := self._with(fault.put(self.value))) is None:
            return worst
        without = self._with(fault.twin(self.value))
        new = _reported(found, self.dialect) - (frozenset() if without is None else _reported(without, self.dialect))
        return max((*([] if worst is None else [worst]), *(severity for _, _, severity in new)), default=None)

    def refuses_sample(self, fault: Fault) -> bool:
        """Whether the field is refused there as a whole, whatever is in it."""
        twin = fault.twin(self.value)
        return twin is not self.value and any(
            each.kind == "unknown" and each.pointer == fault.pointer for each in self._violations(twin)
        )

    def _violations(self, value: Any) -> Iterator[Any]:
        return self.contract.violations(value, self.situation)

    def _with(self, value: Any) -> Exchange | None:
        """The exchange with another body; a request is not answered yet, so that no answer speaks for it."""
        exchange = self.exchange
        if self.value is exchange.request.body.json:
            request = dataclasses.replace(exchange.request, body=Body(value))
            return dataclasses.replace(exchange, request=request, response=Response(UNANSWERED))
        if self.value is exchange.response.body.json:
            return dataclasses.replace(exchange, response=dataclasses.replace(exchange.response, body=Body(value)))
        text, event = exchange.response.body.text, next(iter(self._events()), None)
        if text is None or event is None or event.data not in text:
            return None
        body = Body(text.replace(event.data, json.dumps(value), 1))
        return dataclasses.replace(exchange, response=dataclasses.replace(exchange.response, body=body))

    def _events(self) -> Iterator[Any]:
        return (each for each in self.exchange.response.events if each.json is self.value)


def _reported(exchange: Exchange, dialect: str) -> _Reported:
    found = Checker(dialect).feed(exchange)
    return frozenset((each.rule, each.pointer, each.severity) for each in found)


def recorded(dialect: str, most: int) -> dict[Contract, list[Recorded]]:
    """By contract, some recorded bodies of which it has nothing to say, at most so many; the same ones in every run.

    They are from the hosts of the format's owner where there are enough: its documents bind nobody else. Where there
    are no recordings of others, our own cassettes are read.
    """
    candidates: dict[tuple[Contract, bool], list[Recorded]] = {}
    counts: Counter[tuple[Contract, bool]] = Counter()
    draw = random.Random(0)
    for one in _all(dialect):
        key = one.contract, one.situation.provider in one.contract.official
        pool = candidates.setdefault(key, [])
        counts[key] += 1
        if len(pool) < most * _SPARE:
            pool.append(one)
        elif (place := draw.randrange(counts[key])) < len(pool):
            pool[place] = one
    silent = {key: [each for each in pool if each.is_silent][:most] for key, pool in candidates.items()}
    found = {}
    for contract, _ in silent:
        owners, others = silent.get((contract, True), []), silent.get((contract, False), [])
        found[contract] = owners if len(owners) >= _FEWEST else [*owners, *others][:most]
    return found


def _all(dialect: str) -> Iterator[Recorded]:
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    for path in recordings_of(dialect):
        for exchange in read([str(path)]):
            if all_dialects()[dialect] not in claimants(exchange.request):
                continue
            for contract, value, situation in bodies(View(exchange, all_dialects()[dialect]), contracts):
                asked = dataclasses.replace(situation, ok=False) if contract.side == "request" else situation
                yield Recorded(dialect, contract, value, asked, exchange)
