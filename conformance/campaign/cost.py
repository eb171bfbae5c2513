"""The cost of a run: the tokens that the provider counted, and their price."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from conformance.errors import ConformanceError
from conformance.matrix.endpoint import Price
from conformance.model.exchange import Exchange
from conformance.model.registry import claimants, path_of
from conformance.model.token_counts import counts_of

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Input and output tokens. `unmetered` counts the responses without usage."""

    input: int = 0
    output: int = 0
    unmetered: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input + other.input, self.output + other.output, self.unmetered + other.unmetered)

    @property
    def tokens(self) -> int:
        return self.input + self.output

    def cost(self, price: Price) -> float:
        """The price in US dollars. Cached input counts in full, so this is never less than the bill."""
        return (self.input * price.input + self.output * price.output) / _MILLION


def used(exchanges: Iterable[Exchange]) -> Usage:
    """The sum of the usage in the responses."""
    total = Usage()
    for exchange in exchanges:
        layers = claimants(exchange.request)
        if layers and path_of(layers[0].name) and exchange.response.ok:  # a server of tools counts no tokens
            total += _of(exchange)
    return total


def _of(exchange: Exchange) -> Usage:
    tokens_in, tokens_out, _ = counts_of(exchange)
    return Usage(tokens_in or 0, tokens_out or 0, int(tokens_in is None and tokens_out is None))


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit in US dollars or in tokens; the other one is None."""

    dollars: float | None = None
    tokens: int | None = None

    def __str__(self) -> str:
        if self.tokens is not None or self.dollars is None:
            return f"{self.tokens} tokens"
        return f"${self.dollars:.2f}" if round(self.dollars, 2) == self.dollars else f"${self.dollars:g}"


_BUDGET = re.compile(r"\$?(?P<number>\d+(?:\.\d+)?|\d{1,3}(?:[_,]\d{3})+)\s*(?P<unit>tokens?|usd|\$)?", re.IGNORECASE)


def budget_of(text: str) -> Budget:
    """The budget in an option: `2.50` (US dollars) or `200000tokens`.

    Raises:
        ConformanceError: the text is not a budget.
    """
    found = _BUDGET.fullmatch(text.strip())
    tokens = found is not None and (found["unit"] or "").lower().startswith("token")
    if found is None or (tokens and "." in found["number"]):
        raise ConformanceError(f"{text!r} is not a budget", "use US dollars, e.g. 2.50, or tokens, e.g. 200000tokens")
    number = found["number"].replace("_", "").replace(",", "")
    return Budget(tokens=int(number)) if tokens else Budget(dollars=float(number))


class Account:
    """The amount spent so far over all targets; `dollars` covers only models with a known price."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.usage = Usage()
        self.dollars = 0.0
        self.priced = False
        self.unpriced = False

    def book(self, usage: Usage, price: Price | None) -> None:
        """Adds the cost of one cell."""
        self.usage += usage
        if price is not None:
            self.dollars += usage.cost(price)
            self.priced = True
        elif usage.tokens:
            self.unpriced = True

    @property
    def exhausted(self) -> bool:
        """Whether the budget is spent, so that no task may start."""
        dollars, tokens = self.budget.dollars, self.budget.tokens
        return (dollars is not None and self.dollars >= dollars) or (tokens is not None and self.usage.tokens >= tokens)

    def __str__(self) -> str:
        text = f"{self.usage.input} tokens in, {self.usage.output} out"
        if self.priced:
            text += f", ${self.dollars:.4f}" + (" for models with a known price" if self.unpriced else "")
        if self.usage.unmetered:
            text += f"; {self.usage.unmetered} response{'s' * (self.usage.unmetered != 1)} without usage"
        return text
