"""The answer to one request: the scenario's next turn in the request's dialect, or the provider's error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Protocol

from conformance.judge.checker import UNANSWERED, Checker
from conformance.judge.contracted import refused
from conformance.judge.rule import coded_rules
from conformance.judge.view import View
from conformance.model.behaviour import Behaviour
from conformance.model.dialect import Dialect
from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Body, Exchange, Request, Response
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects, claim, has_part, layers_of, part_of
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.model.transcript import Ask, Malformed, Turn
from conformance.reference.behaviours import AppliedBehaviours
from conformance.reference.behaviours.calls import parallel_to_sequential
from conformance.reference.choosing import Script, script_of
from conformance.reference.model import Allowed, turn_of
from conformance.reference.plans import planned
from conformance.reference.variation import Variation, Varied
from conformance.scenario.model import Conversation, ProviderError, Scenario

_UNKNOWN_PATH = Style(separators=(", ", ": "), after="\n")


@dataclass(slots=True)
class Answer:
    """The answer to a request, and how it came about.

    Attributes:
        delivery: What is sent, as the behaviours make it.
        rendered: The response before the behaviours that change its bytes, so that one can say what was meant.
        dialect: The dialect of the request; None for a path that no dialect has.
        script: The script that it plays; None if the request was refused, or belongs to no scenario.
        position: The number of the turn in the script, from 0.
        turns: How many turns the script has for this request.
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
    dialect: Dialect | None = None
    script: Script | None = None
    position: int = 0
    turns: int = 0
    turn: Turn | None = None
    scripted_error: bool = False
    refusal: str | None = None
    notes: list[str] = field(default_factory=list)
    changed: bool = False
    withheld: bool = False
    ends: bool = False

    @property
    def final(self) -> bool:
        """Whether the script ends with this answer, and nothing of it was left out."""
        return self.script is not None and (self.ends or self.position + 1 >= self.turns) and self.refusal is None


class Placing(Protocol):
    """Finds the conversation that a request belongs to."""

    def place(self, dialect: Dialect, ask: Ask, script: Script, position: int) -> tuple[str, int]:
        """What distinguishes the ids of its conversation, and how often the same turn was asked for before."""

    def refused(self, dialect: Dialect) -> None:
        """Tells that the request is refused, and has no script."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What an answer depends on besides the request.

    `wanted` is the scenario that the client asked for by other means than its words. `body` is the request's body with
    what the server keeps put in, `refusal` the status and the reason if the server does not have it. `vary` varies what
    providers vary.
    """

    wanted: str | None = None
    body: Any = None
    refusal: tuple[int, str] | None = None
    placing: Placing | None = None
    vary: Variation | None = None


def answer(
    request: Request,
    scenarios: Mapping[str, Scenario],
    behaviours: Sequence[Behaviour] = (),
    vary: Variation | None = None,
) -> Rendered:
    """The response to a request, in its dialect: the scenario's next turn, or an error.

    `behaviours` change the scripted turns and errors, `vary` what providers vary; a refusal of a wrong request is not
    changed.
    """
    return answer_to(request, scenarios, behaviours, Circumstances(vary=vary)).delivery.rendered


def answer_to(
    request: Request,
    scenarios: Mapping[str, Scenario],
    behaviours: Sequence[Behaviour] = (),
    circumstances: Circumstances = Circumstances(),
) -> Answer:
    """The answer to a request, and how it came about."""
    dialect = claim(request)
    if dialect is None:
        return _plain(unanswerable(f"unknown path; send POST to a path with one of {', '.join(_paths())}"))
    if not has_part(dialect.name, "render"):
        return _plain(unanswerable(f"this server cannot answer in dialect {dialect.name}: it has no render module"))
    placing = circumstances.placing
    views = _views(dialect, request)
    refusal = _refusal(views, request) or circumstances.refusal
    ask = views[-1].ask
    if circumstances.body is not None:
        request = replace(request, body=Body(circumstances.body))
        ask = dialect.read_request(request, request.body.json)
    ids = IdFactory(f"{dialect.name} {'stream' if ask.stream else 'sync'} {len(ask.history)}")
    script = script_of(ask, scenarios, circumstances.wanted)
    if script is None:
        if placing is not None and refusal is not None:
            placing.refused(dialect)
        refusal = refusal or (404, _unmatched(circumstances.wanted, scenarios))
        return _refused(dialect, *refusal, request, ids)
    position = script.position(ask.history)
    salt, attempt = placing.place(dialect, ask, script, position) if placing is not None else ("", 0)
    if refusal is not None:
        return _refused(dialect, *refusal, request, ids)
    ids.seed = f"{script.scenario.id} {ids.seed}{salt}"
    varied = circumstances.vary.of(request) if circumstances.vary is not None else None
    applied = AppliedBehaviours(behaviours, dialect, attempt)
    ids = applied.ids(varied.ids(ids) if varied is not None else ids)
    conversation = applied.script(script.conversation)
    if dialect.plans_ahead:
        conversation = planned(conversation, script.scenario)
    elif ask.parallel is False and script.scenario.options.parallel_tool_calls is not True:
        conversation = replace(conversation, model=parallel_to_sequential(conversation.model))
    made = Answer(Delivery.of(_NOTHING), _NOTHING, dialect, script, position, len(conversation.model))
    _play(made, conversation, applied, request, ask, ids=ids, varied=varied)
    if behaviours:
        made.changed = applied.changed_turn or made.delivery != Delivery.of(made.rendered)
    return made


def _play(
    made: Answer,
    conversation: Conversation,
    applied: AppliedBehaviours,
    request: Request,
    ask: Ask,
    *,
    ids: IdFactory,
    varied: Varied | None,
) -> None:
    """Fills in the answer of a request that is part of a script."""
    assert made.dialect is not None  # noqa: S101
    assert made.script is not None  # noqa: S101
    dialect, body = made.dialect, request.body.json
    scripted = conversation.model[made.position] if made.position < made.turns else None
    if scripted is None:
        made.notes.append(f"the script of {made.script.scenario.id} had ended; the answer is plain text")
    render = part_of(dialect.name, "render")
    error = scripted.error if scripted is not None else None
    made.scripted_error = error is not None
    if error is not None and not (scripted is not None and scripted.text and ask.stream):
        made.rendered = failure_of(dialect, error.status, error.message, request, ids)
        made.delivery = applied.delivery(made.rendered, request, streamed=False)
        return
    reads_tools = dialect.host is None or ask.tools is not None
    allowed = Allowed.of(made.script.scenario, ask, body, reads_tools=reads_tools)
    turn, notes = turn_of(scripted, allowed, ask.history)
    made.notes += notes
    made.withheld = scripted is not None and len(turn.calls) < len(scripted.calls)
    if turn.calls and not set(allowed.names.values()).intersection(call.name for call in turn.calls):
        made.ends = allowed.forced is not None  # the client asked for this call alone
    made.turn = applied.turn(varied.turn(turn) if varied is not None else turn)
    rendered: Rendered = render.answer(made.turn, ask, request, ids)
    if varied is not None:
        rendered = varied.answer(rendered, dialect.name, streamed=ask.stream)
    if error is not None:
        rendered = _broken_off(render, rendered, error)
    made.rendered = rendered
    made.delivery = applied.delivery(rendered, request, streamed=ask.stream, calls=bool(made.turn.calls))


_NOTHING = Rendered(204, (), ())


def _plain(rendered: Rendered) -> Answer:
    body = rendered.documents[0]
    refusal = str(body.value["error"]) if isinstance(body, Document) else "unknown path"
    return Answer(Delivery.of(rendered), rendered, refusal=refusal)


def _refused(dialect: Dialect, status: int, message: str, request: Request, ids: IdFactory) -> Answer:
    rendered = failure_of(dialect, status, message, request, ids)
    return Answer(Delivery.of(rendered), rendered, dialect, refusal=message)


def _unmatched(wanted: str | None, scenarios: Mapping[str, Scenario]) -> str:
    if wanted is not None and wanted not in scenarios:
        return f"There is no scenario {wanted}; GET /_conformance/scenarios lists them."
    return "No scenario starts with this user message; `conformance serve` prints the messages that do."


def _paths() -> list[str]:
    """The path of each dialect that this server can answer in."""
    dialects = all_dialects()
    return sorted({each.path for name, each in dialects.items() if each.path and has_part(name, "render")})


def unanswerable(reason: str, status: int = 404) -> Rendered:
    """An error of this server that belongs to no dialect."""
    return Rendered(status, (("content-type", "application/json"),), (Document({"error": reason}, _UNKNOWN_PATH),))


def _broken_off(render: ModuleType, whole: Rendered, error: ProviderError) -> Rendered:
    """A stream that fails half-way: the first half of the turn, then the dialect's form of a failure."""
    begun = whole.documents[: max(1, len(whole.documents) // 2)]
    end: tuple[Document | Mark, ...] = render.stream_failure(error.status, error.message, len(begun))
    return replace(whole, documents=(*begun, *end))


def refusal_of(dialect: Dialect, request: Request) -> tuple[int, str] | None:
    """With which status a provider would refuse the request, and why.

    It is not JSON; it violates a row of the contract that is known to be refused; or it breaks a rule in Python of
    severity error. A dialect's module `serving` has the statuses other than 400.
    """
    return _refusal(_views(dialect, request), request)


def _views(dialect: Dialect, request: Request) -> list[View]:
    sent = Exchange(request, Response(UNANSWERED), complete=True)
    return [View(sent, layer) for layer in layers_of(dialect.name)]


def _refusal(views: Sequence[View], request: Request) -> tuple[int, str] | None:
    if isinstance(request.body.json, Malformed):
        return 400, f"The body is not valid JSON: {request.body.json.reason}."
    found: tuple[int, str] | None = None
    for view in views:
        for each in refused(view):
            found = found or (each.refused or 400, f"{each.message} ({each.rule} at {each.pointer or 'the request'})")
        found = found or _refused_besides(view.dialect, request)
    checker = Checker(requests_only=True, contracts=False)
    for finding in (finding for view in views for finding in checker.judged(view)):
        if finding.severity is Severity.ERROR and finding.rule in coded_rules():
            place = f"({finding.rule} at {finding.pointer or 'the request'})"
            status, words = _own_words(finding.rule, [view.dialect for view in views]) or (400, finding.message)
            if status != 400:
                return status, f"{words} {place}"
            found = found or (status, f"{words} {place}")
    return found


def _refused_besides(layer: Dialect, request: Request) -> tuple[int, str] | None:
    """What the provider itself refuses although the rules have no error for it."""
    refuses = getattr(part_of(layer.name, "serving"), "refuses", None) if has_part(layer.name, "serving") else None
    refusal: tuple[int, str] | None = refuses(request.body.json) if refuses is not None else None
    return refusal


def _own_words(rule: str, layers: Sequence[Dialect]) -> tuple[int, str] | None:
    """The status and the words of a provider for what breaks a rule; None for a 400 in our words."""
    for layer in layers:
        if has_part(layer.name, "serving"):
            told: Mapping[str, tuple[int, str]] = getattr(part_of(layer.name, "serving"), "REFUSALS", {})
            if rule in told:
                return told[rule]
    return None


def failure_of(dialect: Dialect, status: int, message: str, request: Request, ids: IdFactory) -> Rendered:
    """An error with the provider's body and headers."""
    rendered: Rendered = part_of(dialect.name, "render").failure(status, message, request, ids)
    return rendered
