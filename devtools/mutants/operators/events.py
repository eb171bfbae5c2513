"""Faults of a stream: events missing, doubled, reordered, cut or misnamed; deltas of two calls swapped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from conformance.model.exchange import Exchange
from devtools.mutants.operator import Fault, operator
from devtools.mutants.subject import Block, Subject
from devtools.mutants.tree import Node

_NAME = re.compile(r"^event:[^\r\n]*(\r\n|\n|\r)", re.MULTILINE)


def _events(subject: Subject) -> Iterator[tuple[int, Block, str]]:
    """The blocks that are events: their index and their label."""
    for place, block in enumerate(subject.blocks):
        if block.event is not None:
            yield place, block, f"event/{subject.labels[block.event.number]}"


def _texts(subject: Subject) -> list[str]:
    return [block.text for block in subject.blocks]


def _fault(subject: Subject, block: Block, label: str, texts: Sequence[str]) -> Fault:
    place = block.event.pointer if block.event else "body"
    return Fault("stream", place, label, partial(subject.with_blocks, texts))


@operator("drop-event")
def drop_event(subject: Subject) -> Iterator[Fault]:
    """An event is missing."""
    for place, block, label in _events(subject):
        texts = _texts(subject)
        del texts[place]
        yield _fault(subject, block, label, texts)


@operator("duplicate-event")
def duplicate_event(subject: Subject) -> Iterator[Fault]:
    """An event occurs twice."""
    for place, block, label in _events(subject):
        texts = _texts(subject)
        texts.insert(place, block.text)
        yield _fault(subject, block, label, texts)


@operator("swap-events")
def swap_events(subject: Subject) -> Iterator[Fault]:
    """Two neighbouring events are swapped."""
    for (place, block, label), (after, other, next_label) in pairwise(_events(subject)):
        if block.text != other.text:
            texts = _texts(subject)
            texts[place], texts[after] = other.text, block.text
            yield _fault(subject, block, f"{label} {next_label}", texts)


@operator("cut-stream")
def cut_stream(subject: Subject) -> Iterator[Fault]:
    """The stream ends before an event."""
    for place, block, label in _events(subject):
        if place:
            yield _fault(subject, block, label, _texts(subject)[:place])


@operator("cut-event")
def cut_event(subject: Subject) -> Iterator[Fault]:
    """The stream ends within an event."""
    for place, block, label in _events(subject):
        yield _fault(subject, block, label, [*_texts(subject)[:place], block.text[: len(block.text) // 2]])


@operator("break-event")
def break_event(subject: Subject) -> Iterator[Fault]:
    """The last character of an event's data is missing."""
    for place, block, label in _events(subject):
        assert block.event is not None
        data = block.event.data[:-1]
        yield Fault("stream", block.event.pointer, label, partial(subject.with_data, place, data))


@operator("early-end")
def early_end(subject: Subject) -> Iterator[Fault]:
    """The last event is moved before another one."""
    events = list(_events(subject))
    for place, block, label in events[1:-1]:
        texts = _texts(subject)
        texts.insert(place, texts.pop(events[-1][0]))
        yield _fault(subject, block, label, texts)


@operator("late-start")
def late_start(subject: Subject) -> Iterator[Fault]:
    """The first event is moved after another one."""
    events = list(_events(subject))
    for place, block, label in events[1:-1]:
        texts = _texts(subject)
        texts.insert(place, texts.pop(events[0][0]))
        yield _fault(subject, block, label, texts)


@operator("rename-event")
def rename_event(subject: Subject) -> Iterator[Fault]:
    """An event has another name, or a name where it should have none."""
    for place, block, label in _events(subject):
        texts = _texts(subject)
        texts[place] = f"event: message_update\n{_NAME.sub('', block.text)}"
        yield _fault(subject, block, label, texts)


@operator("unname-event")
def unname_event(subject: Subject) -> Iterator[Fault]:
    """The name of an event is missing."""
    for place, block, label in _events(subject):
        if block.event is not None and block.event.name is not None:
            texts = _texts(subject)
            texts[place] = subject.nameless(block) or _NAME.sub("", block.text)
            yield _fault(subject, block, label, texts)


@operator("foreign-end")
def foreign_end(subject: Subject) -> Iterator[Fault]:
    """The stream ends with the terminator of another dialect, or with a second one."""
    for place, block, label in list(_events(subject))[-1:]:
        yield _fault(subject, block, label, [*_texts(subject)[: place + 1], "data: [DONE]\n\n"])


@operator("swap-deltas")
def swap_deltas(subject: Subject) -> Iterator[Fault]:
    """Pieces of the arguments of two calls are swapped."""
    nodes = list(_argument_chunks(subject))
    for call, node in nodes:
        for other_call, other in nodes:
            if call < other_call and node.value != other.value and node.tree is not other.tree:
                yield Fault("stream", node.place, node.pattern, partial(_exchanged, subject, node, other))
                break


def _argument_chunks(subject: Subject) -> Iterator[tuple[int, Node]]:
    nodes: dict[str, list[Node]] = {}
    for node in subject.nodes:
        nodes.setdefault(node.tree.place, []).append(node)
    for moment in subject.layers[0].readers.stream_events(subject.view.events or ()):
        if moment.kind == "tool_call_chunk" and moment.call is not None and moment.arguments_chunk:
            event = "/".join(moment.pointer.split("/")[:2])
            wanted = moment.arguments_chunk
            found = next((node for node in nodes.get(event, ()) if node.value == wanted), None)
            if found is not None:
                yield moment.call, found


def _exchanged(subject: Subject, node: Node, other: Node) -> Exchange:
    first, second = Subject(node.put(other.value)).blocks, Subject(other.put(node.value)).blocks
    return subject.with_blocks(
        [
            one.text if one.text != old.text else two.text
            for one, two, old in zip(first, second, subject.blocks, strict=True)
        ]
    )
