"""Statements about a whole run: they need more than one exchange's wire, so they are not rules of a dialect.

They report under ids of their own, which `conformance explain` knows like any rule's: what holds when nothing
is wrong, and what breaks in practice when it does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.model.finding import Finding, Hit, Severity

RUN_RULES: Mapping[str, tuple[str, str]] = {
    "request-drift": (
        "The SDK sends today what it sent when the cassette was recorded.",
        "The recording answers a request that nobody sends any more; the provider may answer the new one otherwise.",
    ),
    "exchange-unused": (
        "Every exchange of the cassette is played.",
        "The client stopped early: it lost a turn, or gave up without saying so.",
    ),
    "exchange-unexpected": (
        "The client asks for nothing that is not in the cassette.",
        "There is no answer to the request; an SDK may hide that, and go on without it.",
    ),
    "exchange-repeated": (
        "The client sends each request once.",
        "A retry hides a fault of the first answer, and costs twice.",
    ),
    "request-unanswered": (
        "Every request gets an answer, whole and in time.",
        "An endpoint that hangs or breaks off leaves the agent waiting, with half an answer or none.",
    ),
    "client-error-unexpected": (
        "The SDK reads every recorded answer without an error.",
        "Whoever uses this SDK gets an exception where the wire carries an answer.",
    ),
    "client-error-missing": (
        "The SDK raises when the provider answers with an error.",
        "An error that passes for an answer is shown to people, or acted upon.",
    ),
    "truncation-ignored": (
        "A tool call that the token limit cut off is not run.",
        "Half the arguments are other arguments: the tool does something that nobody asked for.",
    ),
    "dialect-calls-mismatch": (
        "One scenario gives the same calls, in the same order, in every dialect and through every driver.",
        "What differs is not the scenario but the way it travels: something is lost or changed on one of them.",
    ),
    "client-reading-mismatch": (
        "The SDK hands the program the tool calls and the answer that the wire carries.",
        "Either the SDK misreads the wire, or the wire says something that only we can read.",
    ),
    "baseline-entry-unused": (
        "Every entry of the baseline accepts a finding.",
        "An entry for what has been mended would let the fault come back unseen.",
    ),
    "cassette-missing": (
        "Every cell of the matrix has its cassette.",
        "A cell that is not replayed looks green and proves nothing.",
    ),
    "cassette-unused": (
        "Every cassette belongs to a cell of the matrix.",
        "A cassette that no cell plays is never judged, and rots.",
    ),
    "tool-call-unexpected": (
        "The run calls the tools that the scenario expects, in that order, and no others.",
        "Another call is another action: the agent does something else than it was asked to.",
    ),
    "expected-call-missing": (
        "Every tool call that the scenario expects is made.",
        "An agent that answers without the tool makes the answer up.",
    ),
    "arguments-unexpected": (
        "Each tool call has the arguments that the scenario expects, within their tolerance.",
        "A tool that is asked something else gives the right answer to the wrong question.",
    ),
    "tool-result-changed": (
        "The model is told what the tool returned.",
        "A result that was retyped, cut or taken from elsewhere makes the model answer from something else.",
    ),
    "answer-fact-missing": (
        "The final answer contains what the tools returned.",
        "A result that does not reach the answer did not travel: it was lost, cut or paired with another call.",
    ),
    "final-answer-missing": (
        "The run ends with an answer of the model, within the bound on turns.",
        "A loop that does not end costs money until somebody stops it.",
    ),
    "exercise-missing": (
        "The run does what the scenario is there to exercise.",
        "A recording that never made the call proves nothing about calls, however green it is.",
    ),
}


@dataclass(frozen=True, slots=True)
class RunFinding:
    """A hit of one of the statements; `exchange` is its number, None when it is about the whole run."""

    statement: str
    exchange: int | None
    hit: Hit

    def finding(self, *, dialect: str | None, source: str) -> Finding:
        """The hit as a finding: of severity error unless the hit says otherwise."""
        hit = self.hit
        side = hit.side or ("response" if self.exchange is not None and hit.pointer is not None else None)
        return Finding(
            rule=self.statement,
            severity=hit.severity if hit.severity is not None else Severity.ERROR,
            message=hit.message,
            dialect=dialect,
            source=source,
            exchange=self.exchange,
            side=side,
            pointer=hit.pointer,
            expected=hit.expected,
            actual=hit.actual,
        )
