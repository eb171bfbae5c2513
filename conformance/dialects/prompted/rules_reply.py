"""The model's blocks: closed, with JSON of an accepted shape, and without text around them."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.prompted.parse import Block, Reading, read_block, scan
from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.dialects.text.host_texts import reply_texts
from conformance.dialects.text.reading import CUT
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed

_PROMPT = "ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts"
_PROTOCOL = "ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts"
_ADAPTER = "ThinkInAIxyz/deepchat src/main/provider/aiSdk/streamAdapter.ts"
_WRAPPERS = (None, "function_call", "function")


def _blocks(view: View) -> Iterator[tuple[Block, Reading, str]]:
    """The blocks of a reply, each parsed and with its pointer, without the incomplete one of a truncated reply."""
    for turn, part in reply_texts(view):
        for piece in scan(part.text):
            if not isinstance(piece, str) and (piece.closed or turn.stop not in CUT):
                yield piece, read_block(piece), part.pointer


def _first_in_each(hits: Iterator[Hit]) -> Iterator[Hit]:
    """One hit for each text: the same fault in several blocks is one fault of the reply."""
    seen: set[str | None] = set()
    for hit in hits:
        if hit.pointer not in seen:
            seen.add(hit.pointer)
            yield hit


@rule(
    "prompted-tags-unclosed",
    scope="reply",
    cites=["PFC-R-001", "PFC-S-004"],
)
def prompted_tags_unclosed(view: View) -> Iterator[Hit]:
    """Every opening tag must have a closing tag, and blocks must not be nested.

    Parsers that look for pairs of tags read two calls as one, or find no call.
    """
    yield from _first_in_each(_unbalanced(view))


def _unbalanced(view: View) -> Iterator[Hit]:
    for turn, part in reply_texts(view):
        pieces = scan(part.text)
        for number, piece in enumerate(pieces):
            if isinstance(piece, str):
                if CLOSE in piece:
                    yield Hit(part.pointer, "a closing tag has no opening tag", "tags in pairs", CLOSE)
            elif piece.nested:
                yield Hit(part.pointer, "a block begins inside another block", "tags in pairs", OPEN)
            elif not piece.closed:
                last = number == len(pieces) - 1
                if last and turn.stop in CUT:
                    continue
                severity = Severity.WARNING if last else None
                yield Hit(part.pointer, "a block is not closed", CLOSE, brief(piece.body), severity=severity)


@rule(
    "prompted-block-malformed",
    scope="reply",
    cites="PFC-R-002",
)
def prompted_block_malformed(view: View) -> Iterator[Hit]:
    """The text between the tags must be JSON, optionally in a code fence.

    Clients show the block to the user as text, or a repair library guesses its meaning.
    """
    yield from _first_in_each(
        Hit(pointer, f"a block is not valid JSON: {reading.fault}", "a JSON object", brief(block.body))
        for block, reading, pointer in _blocks(view)
        if reading.fault and isinstance(reading.json, Malformed)
    )


@rule(
    "prompted-json-invalid",
    scope="reply",
    cites="PFC-R-003",
)
def prompted_json_invalid(view: View) -> Iterator[Hit]:
    """The JSON of a block must be valid without repair.

    A parser without a repair library loses the call.
    """
    yield from _first_in_each(
        Hit(pointer, "a block is JSON only without its trailing commas", "valid JSON", brief(block.body))
        for block, reading, pointer in _blocks(view)
        if reading.repaired
    )


@rule(
    "prompted-call-invalid",
    scope="reply",
    cites="PFC-R-004",
)
def prompted_call_invalid(view: View) -> Iterator[Hit]:
    """A block must have name and arguments, flat or wrapped in `function_call` or `function`.

    Most parsers read no call in another shape; only some accept a wrapper with another name.
    """
    yield from _first_in_each(_misshapen(view))


def _misshapen(view: View) -> Iterator[Hit]:
    wanted = "name and arguments, flat or in function_call"
    for block, reading, pointer in _blocks(view):
        if reading.fault and not isinstance(reading.json, Malformed):
            yield Hit(pointer, f"a block has {reading.fault}", wanted, brief(block.body.strip()))
        elif reading.call is not None and reading.wrapper not in _WRAPPERS:
            message = f"a call is wrapped in {reading.wrapper!r}"
            yield Hit(pointer, message, wanted, brief(reading.wrapper), severity=Severity.WARNING)


@rule(
    "prompted-arguments-wrong-type",
    scope="reply",
    cites="PFC-R-005",
)
def prompted_arguments_wrong_type(view: View) -> Iterator[Hit]:
    """The arguments of a call must be an object, or a string that contains one.

    Tools need named arguments; the values of a list or a sentence have no names.
    """
    yield from _first_in_each(
        Hit(
            pointer,
            f"arguments of {reading.call.name} are not a JSON object",
            "an object",
            brief(reading.call.arguments),
        )
        for _, reading, pointer in _blocks(view)
        if reading.call is not None and not isinstance(reading.call.arguments, dict)
    )


@rule(
    "prompted-reply-record-unexpected",
    scope="reply",
    cites="PFC-R-006",
)
def prompted_reply_record_unexpected(view: View) -> Iterator[Hit]:
    """The model must write only calls; the client writes the records of results.

    A record from the model is an invented result; a parser that accepts any wrapper as a call runs it again.
    """
    yield from _first_in_each(
        Hit(pointer, "the model wrote the record of a result", "calls only", brief(block.body))
        for block, reading, pointer in _blocks(view)
        if reading.record is not None
    )


@rule(
    "prompted-text-around-call-unexpected",
    scope="reply",
    cites="PFC-R-007",
)
def prompted_text_around_call_unexpected(view: View) -> Iterator[Hit]:
    """A reply with calls must have no other content.

    Text after a call is written before its result: the model guessed it, and clients show it anyway.
    """
    for _, part in reply_texts(view):
        pieces = scan(part.text)
        prose = [piece.strip() for piece in pieces if isinstance(piece, str) and piece.replace(CLOSE, "").strip()]
        if prose and any(not isinstance(piece, str) for piece in pieces):
            yield Hit(part.pointer, "the reply has text beside a call", "calls only", brief(prose[0]))


@rule(
    "prompted-argument-tag-unexpected",
    scope="reply",
    cites="PFC-R-001",
)
def prompted_argument_tag_unexpected(view: View) -> Iterator[Hit]:
    r"""A string in a block must not contain one of the tags; write `\u003c` for `<`.

    Parsers search for tags as plain text: a closing one ends the block in the middle of the string, and DeepChat
    removes an opening one from the argument.
    """
    yield from _first_in_each(
        Hit(pointer, "a string in a block contains a tag", "an escaped <", CLOSE if CLOSE in block.body else OPEN)
        for block, _, pointer in _blocks(view)
        if OPEN in block.body or CLOSE in block.body
    )
