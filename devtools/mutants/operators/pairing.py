"""Faults of the conversation: results and calls missing, doubled, misplaced, mixed up, or renamed on one side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from conformance.model.exchange import Exchange
from conformance.model.transcript import ToolCall, ToolResult
from devtools.mutants.operator import Fault, operator
from devtools.mutants.operators.members import fault, json_in
from devtools.mutants.subject import Subject, text_of
from devtools.mutants.tree import Node, edited

STRANGER = "call_of_nobody"
Piece = ToolCall | ToolResult


def _pieces(subject: Subject, kind: type[Piece]) -> Iterator[tuple[Piece, Node]]:
    """The calls or the results of the history that are items of an array, each with that item."""
    nodes = {node.place: node for node in subject.nodes if node.tree.side == "request"}
    for turn in subject.view.ask.history:
        for part in turn.parts:
            if isinstance(part, kind):
                place = part.pointer
                while place and not (place in nodes and isinstance(nodes[place].key, int)):
                    place = place.rpartition("/")[0]
                if place:
                    yield part, nodes[place]


def _calls(subject: Subject) -> Iterator[tuple[ToolCall, Node]]:
    for part, node in _pieces(subject, ToolCall):
        if isinstance(part, ToolCall):
            yield part, node


def _results(subject: Subject) -> Iterator[tuple[ToolResult, Node]]:
    for part, node in _pieces(subject, ToolResult):
        if isinstance(part, ToolResult):
            yield part, node


def _with(item: Any, old: str, new: str) -> Any:
    """The item with every text `old` replaced by `new`."""
    if isinstance(item, dict):
        return {key: _with(value, old, new) for key, value in item.items()}
    if isinstance(item, list):
        return [_with(value, old, new) for value in item]
    return new if item == old else item


def _spliced(node: Node, *items: Any) -> Callable[[], Exchange]:
    """The exchange with other items in place of one."""
    place = int(node.key)
    return partial(node.holder_as, [*node.holder[:place], *items, *node.holder[place + 1 :]])


@operator("drop-result")
def drop_result(subject: Subject) -> Iterator[Fault]:
    """A call has no result."""
    for _, node in _results(subject):
        yield fault(node, node.drop)


@operator("double-result")
def double_result(subject: Subject) -> Iterator[Fault]:
    """A call has two results."""
    for _, node in _results(subject):
        yield fault(node, _spliced(node, node.value, node.value))


@operator("orphan-result")
def orphan_result(subject: Subject) -> Iterator[Fault]:
    """An additional result, for a call that does not exist."""
    for result, node in _results(subject):
        stray = _with(node.value, result.call_id, STRANGER) if result.call_id else node.value
        yield fault(node, _spliced(node, node.value, stray))


@operator("stray-result")
def stray_result(subject: Subject) -> Iterator[Fault]:
    """A result names another call than the one that was made."""
    for result, node in _results(subject):
        if result.call_id:
            yield fault(node, _spliced(node, _with(node.value, result.call_id, STRANGER)))


@operator("misnamed-result")
def misnamed_result(subject: Subject) -> Iterator[Fault]:
    """A result names another tool than the one that was called."""
    for result, node in _results(subject):
        if result.name:
            yield fault(node, _spliced(node, _with(node.value, result.name, f"{result.name}_other")))


@operator("crossed-results")
def crossed_results(subject: Subject) -> Iterator[Fault]:
    """Two results are in the wrong order, or have each other's ids if they have ids."""
    results = list(_results(subject))
    for (_, node), (_, after) in pairwise(results):
        if node.holder is after.holder and int(after.key) == int(node.key) + 1:
            holder = list(node.holder)
            holder[int(node.key)], holder[int(after.key)] = after.value, node.value
            yield fault(node, partial(node.holder_as, holder))


@operator("same-id")
def same_id(subject: Subject) -> Iterator[Fault]:
    """Two results name the same call."""
    results = list(_results(subject))
    for (one, _), (other, node) in pairwise(results):
        if one.call_id and other.call_id and one.call_id != other.call_id:
            yield fault(node, _spliced(node, _with(node.value, other.call_id, one.call_id)))


@operator("late-result")
def late_result(subject: Subject) -> Iterator[Fault]:
    """There is a user message between a call and its result."""
    for _, node in _results(subject):
        turn = _turn_of(subject, node)
        said = next((each for each in _turns(subject) if _asks(each)), None)
        if turn is not None and said is not None:
            yield fault(turn, _spliced(turn, said.value, turn.value))


@operator("early-result")
def early_result(subject: Subject) -> Iterator[Fault]:
    """A result is before its call."""
    for _, node in _results(subject):
        turn = _turn_of(subject, node)
        place = None if turn is None else int(turn.key)
        if turn is not None and place:
            holder = [*turn.holder[: place - 1], turn.value, turn.holder[place - 1], *turn.holder[place + 1 :]]
            yield fault(turn, partial(turn.holder_as, holder))


def _turns(subject: Subject) -> Iterator[Node]:
    """The items of the array that contains the conversation."""
    for node in subject.nodes:
        if node.tree.side == "request" and isinstance(node.key, int) and len(node.tokens) == 2:
            yield node


def _turn_of(subject: Subject, inner: Node) -> Node | None:
    return next((node for node in _turns(subject) if node.tokens == inner.tokens[:2]), None)


def _asks(node: Node) -> bool:
    return isinstance(node.value, dict) and node.value.get("role") == "user" and "tool_result" not in str(node.value)


@operator("drop-call")
def drop_call(subject: Subject) -> Iterator[Fault]:
    """A result has no call."""
    for _, node in _calls(subject):
        yield fault(node, node.drop)


@operator("double-call")
def double_call(subject: Subject) -> Iterator[Fault]:
    """A call occurs twice."""
    for _, node in _calls(subject):
        yield fault(node, _spliced(node, node.value, node.value))


@operator("new-call-id")
def new_call_id(subject: Subject) -> Iterator[Fault]:
    """A call that is sent back has another id than its result."""
    for call, node in _calls(subject):
        if call.id:
            yield fault(node, _spliced(node, _with(node.value, call.id, STRANGER)))


@operator("new-ids")
def new_ids(subject: Subject) -> Iterator[Fault]:
    """A call and its result are sent back with another id than the model's."""
    for call, node in _calls(subject):
        if call.id and subject.earlier:
            changed = _with(node.tree.document, call.id, STRANGER)
            yield fault(node, partial(node.tree.rebuilt, changed))


@operator("renamed-call")
def renamed_call(subject: Subject) -> Iterator[Fault]:
    """A call that is sent back names another tool."""
    for call, node in _calls(subject):
        if call.name:
            yield fault(node, _spliced(node, _with(node.value, call.name, f"{call.name}_other")))


@operator("changed-arguments")
def changed_arguments(subject: Subject) -> Iterator[Fault]:
    """A call is sent back with other arguments than the model's."""
    for call, node in _calls(subject):
        if isinstance(call.arguments, dict) and call.arguments and subject.earlier:
            key = next(iter(call.arguments))
            yield fault(node, _spliced(node, _rewritten(node.value, call.arguments, {**call.arguments, key: None})))


def _rewritten(item: Any, old: Any, new: Any) -> Any:
    """The item with other arguments, as an object or as text."""
    if isinstance(item, str) and json_in(item) == old:
        return text_of(new)
    if item == old:
        return new
    if isinstance(item, dict):
        return {key: _rewritten(value, old, new) for key, value in item.items()}
    return item


@operator("unsaid-call")
def unsaid_call(subject: Subject) -> Iterator[Fault]:
    """A call that the model did not make is sent back with a result."""
    calls, results = list(_calls(subject)), list(_results(subject))
    for (call, node), (result, answer) in zip(calls, results, strict=False):
        if call.id and result.call_id == call.id and subject.earlier:
            item, reported = (_with(each.value, call.id, STRANGER) for each in (node, answer))
            yield fault(node, partial(_both, node, item, answer, reported))


def _both(node: Node, item: Any, answer: Node, reported: Any) -> Exchange:
    def behind(place: int, new: Any) -> Callable[[list[Any]], list[Any]]:
        return lambda holder: [*holder[: place + 1], new, *holder[place + 1 :]]

    document = edited(node.tree.document, answer.tokens[:-1], behind(int(answer.key), reported))
    return node.tree.rebuilt(edited(document, node.tokens[:-1], behind(int(node.key), item)))


@operator("other-id", two_sided=True)
def other_id(subject: Subject) -> Iterator[Fault]:
    """The model's call has another id than the one that the next request sends back."""
    for call in (call for turn in subject.view.replies for call in turn.calls):
        if call.id is None:
            continue
        if subject.blocks:
            texts = [subject.changed(block, f'"{call.id}"', f'"{STRANGER}"') for block in subject.blocks]
            yield Fault("stream", call.pointer, "call/id", partial(subject.with_blocks, texts))
        elif subject.response_json is not None:
            changed = _with(subject.response_json, call.id, STRANGER)
            yield Fault("response", call.pointer, "call/id", partial(subject.with_response, changed))
