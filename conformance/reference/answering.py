"""The answer to one request: the scenario's next turn in the request's dialect, or the provider's error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import ClassVar

from conformance.judge.checker import Checker
from conformance.model.behaviour import Behaviour
from conformance.model.dialect import Dialect
from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Request
from conformance.model.kept import Kept
from conformance.model.registry import all_dialects, has_part, part_of
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.model.transcript import Ask, Turn
from conformance.reference.address import Address
from conformance.reference.behaviours import AppliedBehaviours
from conformance.reference.behaviours.calls import parallel_to_sequential
from conformance.reference.choosing import Script, script_of
from conformance.reference.judging import judge
from conformance.reference.model import Allowed, turn_of
from conformance.reference.placing import Place, place
from conformance.reference.plans import planned
from conformance.reference.stored import Refusal, remember
from conformance.reference.variation import Variation
from conformance.scenario.model import ProviderError, Scenario, ScriptedTurn

_UNKNOWN_PATH = Style(separators=(", ", ": "), after="\n")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request, and how it came about.

    Attributes:
        delivery: What is sent, as the behaviours make it.
        rendered: The response before the behaviours that change its bytes: what was meant.
        turns: How many turns the script has for this request; 0 if it plays none.
        turn: The model's turn; None for an error.
        scripted_error: Whether the script itself fails here.
        refusal: Why the request was refused; None if it was answered.
        notes: What the client should know: results that were not understood, calls that were not made.
        changed: Whether a behaviour changed the answer.
        withheld: Whether the request did not allow calls that the script has.
        ends: Whether the client forced another call than the scenario's, as for structured output.
    """

    delivery: Delivery
    rendered: Rendered
    turns: int = 0
    turn: Turn | None = None
    scripted_error: bool = False
    refusal: str | None = None
    notes: Sequence[str] = ()
    changed: bool = False
    withheld: bool = False
    ends: bool = False

    @classmethod
    def of(cls, rendered: Rendered, refusal: str) -> Answer:
        """A refusal."""
        return cls(Delivery.of(rendered), rendered, refusal=refusal)

    @property
    def status(self) -> int:
        return self.delivery.rendered.status


@dataclass(frozen=True)
class Scenarios:
    """Scenarios as the source of answers; `vary` varies what providers vary."""

    all: Mapping[str, Scenario]
    vary: Variation | None = None
    keeps: ClassVar[bool] = True

    def answers(self, dialect: Dialect) -> bool:
        """Whether it can answer in a dialect."""
        return has_part(dialect.name, "render")

    def script_of(self, dialect: Dialect, ask: Ask, wanted: str | None) -> Script | None:
        """The script of a request."""
        del dialect
        return script_of(ask, self.all, wanted)

    def unmatched(self, dialect: Dialect | None, wanted: str | None) -> str:
        """Why a request has no script; for None, why it has no dialect."""
        if dialect is None:
            return f"unknown path; send POST to a path with one of {', '.join(_paths())}"
        if not self.answers(dialect):
            return f"this server cannot answer in dialect {dialect.name}: it has no render module"
        if wanted is not None and wanted not in self.all:
            return f"There is no scenario {wanted}; GET /_conformance/scenarios lists them."
        return "No scenario starts with this user message; `conformance serve` prints the messages that do."

    def answer(self, place: Place, refusal: Refusal | None, behaviours: Sequence[Behaviour] = ()) -> Answer:
        """The answer to a request at its place.

        `behaviours` change the scripted turns and errors, not the refusal of a wrong request.
        """
        dialect, ask, script = place.dialect, place.ask, place.script
        if dialect is None:
            return Answer.of(unanswerable(place.reason), place.reason)
        ids = IdFactory(f"{dialect.name} {'stream' if ask.stream else 'sync'} {len(ask.history)}")
        if refusal is not None or script is None:
            status, reason = refusal or (404, place.reason)
            return Answer.of(failure_of(dialect, status, reason, place.whole, ids), reason)
        options = script.scenario.options
        ids.max_tokens, ids.cached_tokens = options.max_tokens, options.cached_tokens
        number = place.played.number if place.played is not None else 1
        ids.seed = f"{script.scenario.id} {ids.seed}{f' {number}' if number > 1 else ''}"
        varied = self.vary.of(place.whole) if self.vary is not None else None
        changes = AppliedBehaviours(behaviours, dialect, place.attempt, varied)
        ids = changes.ids(ids)
        conversation = changes.script(script.conversation)
        if dialect.plans_ahead:
            conversation = planned(conversation, script.scenario)
        elif _is_one_by_one(dialect, ask) and script.scenario.options.parallel_tool_calls is not True:
            conversation = replace(conversation, model=parallel_to_sequential(conversation.model))
        made = _played(place, script.scenario, conversation.model, changes, ids)
        if not behaviours:
            return made
        return replace(made, changed=changes.changed_turn or made.delivery != Delivery.of(made.rendered))


def _is_one_by_one(dialect: Dialect, ask: Ask) -> bool:
    """Whether a turn has one call at most, as the request or the dialect demands."""
    return ask.parallel is False or "parallel-tool-calls" in dialect.lacks


def _played(
    place: Place,
    scenario: Scenario,
    model: Sequence[ScriptedTurn],
    changes: AppliedBehaviours,
    ids: IdFactory,
) -> Answer:
    """The answer of a script whose turns of the model are these."""
    ask, request, dialect = place.ask, place.whole, changes.dialect
    scripted = model[place.position] if place.position < len(model) else None
    error = scripted.error if scripted is not None else None
    if scripted is not None and error is not None and not (scripted.text and ask.stream):
        rendered = failure_of(dialect, error.status, error.message, request, ids)
        delivery = changes.delivery(rendered, request, streamed=False)
        return Answer(delivery, rendered, len(model), scripted_error=True)
    reads_tools = dialect.host is None or ask.tools is not None
    named = place.script is not None and place.script.named
    allowed = Allowed.of(scenario, ask, request.body.json, reads_tools=reads_tools, named=named)
    turn, more = turn_of(scripted, allowed, ask.history)
    withheld = scripted is not None and len(turn.calls) < len(scripted.calls)
    foreign = bool(turn.calls) and not set(allowed.names.values()).intersection(call.name for call in turn.calls)
    if scripted is None:
        forced = "the tool choice forces one more call, and never lets the model answer"
        last = forced if turn.calls and not foreign else "the answer is plain text"
        more = [f"the script of {scenario.id} had ended; {last}", *more]
    turn = changes.turn(turn)
    render = part_of(dialect.name, "render")
    rendered = changes.varied(render.answer(turn, ask, request, ids), streamed=ask.stream)
    if error is not None:
        rendered = _broken_off(render, rendered, error)
    accepted = getattr(render, "accepted", None)
    sent = rendered if accepted is None else accepted(rendered, request)
    return Answer(
        changes.delivery(sent, request, streamed=ask.stream, calls=bool(turn.calls)),
        rendered,
        len(model),
        turn,
        scripted_error=error is not None,
        notes=more,
        withheld=withheld,
        ends=foreign and allowed.forced is not None,
    )


def answer_to(
    request: Request,
    scenarios: Mapping[str, Scenario],
    behaviours: Sequence[Behaviour] = (),
    vary: Variation | None = None,
    kept: Kept | None = None,
) -> Answer:
    """The answer to a request without a session: the turns in the request are its position in the scenario.

    With `kept`, responses are stored, and put into the requests that continue them.
    """
    source = Scenarios(scenarios, vary)
    found = place(Address(request), source, kept=kept)
    made = source.answer(found, judge(found, Checker(requests_only=True)), behaviours)
    if kept is not None and found.dialect is not None and made.turn is not None:
        remember(kept, found.dialect, found.whole.body.json, made.rendered)
    return made


def _paths() -> list[str]:
    """The path of each dialect that this server can answer in."""
    dialects = all_dialects()
    return sorted({each.path for name, each in dialects.items() if each.path and has_part(name, "render")})


def unanswerable(reason: str, status: int = 404) -> Rendered:
    """An error of this server that belongs to no dialect."""
    return Rendered(status, (("content-type", "application/json"),), (Document({"error": reason}, _UNKNOWN_PATH),))


def failure_of(dialect: Dialect, status: int, message: str, request: Request, ids: IdFactory) -> Rendered:
    """An error with the provider's body and headers."""
    rendered: Rendered = part_of(dialect.name, "render").failure(status, message, request, ids)
    return rendered


def _broken_off(render: ModuleType, whole: Rendered, error: ProviderError) -> Rendered:
    """A stream that fails half-way: the first half of the turn, then the dialect's form of a failure."""
    begun = whole.documents[: max(1, len(whole.documents) // 2)]
    end: tuple[Document | Mark, ...] = render.stream_failure(error.status, error.message, len(begun))
    return replace(whole, documents=(*begun, *end))
