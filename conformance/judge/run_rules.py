"""Rules about a whole run: they need more than the exchanges, so they belong to no dialect.

They have ids of their own, which `conformance explain` accepts like those of any rule: the statement,
and what breaks in practice if it is violated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.judge.gateway_rules import GATEWAY_RULES
from conformance.model.finding import Finding, Hit, Severity

RUN_RULES: Mapping[str, tuple[str, str]] = {
    "request-drift": (
        "The SDK must send the same requests as when the cassette was recorded.",
        "The recorded response belongs to an outdated request; the provider may answer the new request differently.",
    ),
    "exchange-unused": (
        "The client must send every request of the cassette.",
        "The client stopped early: it lost a turn, or gave up without an error.",
    ),
    "exchange-unexpected": (
        "The client must not send requests that are not in the cassette.",
        "The cassette has no response for such a request; an SDK may hide that and continue without it.",
    ),
    "exchange-repeated": (
        "The client must send each request only once.",
        "A retry hides a fault in the first response and doubles the cost.",
    ),
    "request-unanswered": (
        "Every request must get a complete response in time.",
        "When an endpoint hangs or closes the connection, the agent waits for nothing or uses half a response.",
    ),
    "client-error-unexpected": (
        "The SDK must read every recorded response without raising an error.",
        "Programs that use this SDK get an exception instead of the response on the wire.",
    ),
    "client-error-missing": (
        "The SDK must raise an error when the provider returns an error.",
        "Programs treat the error as an answer, and show it to users or act on it.",
    ),
    "truncation-ignored": (
        "The client must not run a tool call that was cut off by the token limit.",
        "Truncated arguments are wrong arguments: the tool does something that was not requested.",
    ),
    "dialect-calls-mismatch": (
        "A scenario must lead to the same calls, in the same order, in every dialect and with every driver.",
        "The scenario is the same everywhere, so one dialect or driver loses or changes something.",
    ),
    "client-reading-mismatch": (
        "The SDK must return the tool calls and the answer that are on the wire.",
        "Either the SDK misreads the response, or the response is ambiguous.",
    ),
    "baseline-entry-unused": (
        "Every entry of the baseline must match a finding.",
        "A stale entry would hide the fault if it came back.",
    ),
    "baseline-entry-invalid": (
        "The date of a baseline entry must not have passed while a finding still needs the entry.",
        "A known failure that was accepted for a time would be accepted for good.",
    ),
    "cell-missing": (
        "Every planned cell must be run.",
        "A cell that was not run is not checked, although it has no other error.",
    ),
    "cassette-missing": (
        "Every cell of the matrix must have a cassette.",
        "A cell without a cassette is not checked, although no error is shown for it.",
    ),
    "cassette-unused": (
        "Every cassette must belong to a cell of the matrix.",
        "A cassette without a cell is never checked.",
    ),
    "tool-call-unexpected": (
        "The run must call the tools that the scenario expects, in that order, and no others.",
        "A different call is a different action: the agent does something that was not requested.",
    ),
    "expected-call-missing": (
        "The model must make every tool call that the scenario expects.",
        "An agent that answers without calling the tool makes the answer up.",
    ),
    "arguments-unexpected": (
        "Each tool call must have the arguments that the scenario expects, within their tolerance.",
        "With wrong arguments, the tool gives the right answer to the wrong question.",
    ),
    "tool-result-changed": (
        "The tool result sent to the model must be what the tool returned.",
        "If the result was converted, cut or mixed up, the model answers from wrong data.",
    ),
    "answer-fact-missing": (
        "The final answer must contain what the tools returned.",
        "A result that is missing from the answer was lost, cut, or paired with the wrong call.",
    ),
    "final-answer-missing": (
        "The run must end with an answer of the model, within the limit on turns.",
        "An endless loop costs money until it is stopped.",
    ),
    "tool-keyword-unknown": (
        "It should be known what a provider makes of each keyword in a tool's schema.",
        "The provider may refuse the whole request because of it, or ignore it.",
    ),
    "tool-name-ambiguous": (
        "The names of tools must still differ after they were written with the characters that providers accept.",
        "Clients replace other characters and cut long names; a call of such a name could mean either tool.",
    ),
    "server-revision-unexpected": (
        "A server must answer the offer of a protocol revision with that revision, or with another that it supports.",
        "Client and server follow different revisions, and misread each other.",
    ),
    "server-answer-unexpected": (
        "A server must answer a wrong request with the error that its protocol names, and a right one with a result.",
        "Clients decide by the error whether to try again, to change the request, or to give up.",
    ),
    "server-status-unexpected": (
        "A server must refuse a wrong HTTP request with the status that its protocol names for it.",
        "Clients act on the status: they negotiate again, or open a new session. A page of another site is let in.",
    ),
    "server-cancellation-ignored": (
        "A server should not send the response to a request that was cancelled while it ran.",
        "The work goes on that nobody waits for, and the client gets a response that it does not expect.",
    ),
    "server-output-malformed": (
        "A server on standard streams must write nothing but messages to its standard output.",
        "Clients fail to parse the line, and some close the connection.",
    ),
    "exercise-missing": (
        "The run must do what the scenario exercises.",
        "A recording without a tool call proves nothing about tool calls.",
    ),
    **{name: (loss.statement, loss.why) for name, loss in GATEWAY_RULES.items()},
}


def usual_severity(statement: str) -> Severity:
    """The severity of what violates a statement, if a hit has none of its own."""
    return GATEWAY_RULES[statement].severity if statement in GATEWAY_RULES else Severity.ERROR


@dataclass(frozen=True, slots=True)
class RunFinding:
    """A hit of one of the statements; `exchange` is its number, None if it is about the whole run."""

    statement: str
    exchange: int | None
    hit: Hit

    def finding(self, *, dialect: str | None, source: str) -> Finding:
        """The hit as a finding: of the usual severity of its statement unless the hit has another one."""
        hit = self.hit
        side = hit.side or ("response" if self.exchange is not None and hit.pointer is not None else None)
        return Finding(
            rule=self.statement,
            severity=hit.severity if hit.severity is not None else usual_severity(self.statement),
            message=hit.message,
            dialect=dialect,
            source=source,
            exchange=self.exchange,
            side=side,
            pointer=hit.pointer,
            expected=hit.expected,
            actual=hit.actual,
            fix=hit.fix,
        )
