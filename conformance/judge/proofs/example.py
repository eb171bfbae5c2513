"""Examples of rules: a conforming exchange of the dialect, with at most a few edits."""

from __future__ import annotations

from typing import Any

from conformance.errors import ConformanceError
from conformance.judge.proofs.bases import base as base_of
from conformance.judge.proofs.bases import base_names
from conformance.judge.proofs.edit import Edit, apply, change, drop, insert, put, swap, text_of
from conformance.judge.proofs.place import finding_place
from conformance.model.exchange import Exchange
from conformance.model.frozen import dataclass

__all__ = ["Edit", "Example", "base_names", "change", "drop", "example", "insert", "put", "rendered", "swap"]


@dataclass(frozen=True, slots=True)
class Example:
    """`at` is the required place of a violating example's finding: `EXCHANGE SIDE POINTER`, as in `0 response /id`.

    The pointer is omitted if the finding is about the whole message. The default for a violating example is the place
    of its last edit.
    """

    base: str
    edits: tuple[Edit, ...] = ()
    at: str | None = None
    complete: bool = True

    @property
    def edited_at(self) -> str | None:
        """The place of the last edit, in the form of findings: `0 request /x`, `0 response event/2/x`, `0 request`.

        A dropped member is reported at its object.
        """
        if not self.edits:
            return None
        edit = self.edits[-1]
        holder, _, key = edit.pointer.rpartition("/")
        return finding_place(holder if edit.action == "drop" and not key.isdecimal() else edit.pointer)

    def document(self) -> list[dict[str, Any]]:
        """The base with the edits applied; a streamed response still has `events` instead of a body.

        Raises:
            ConformanceError: there is no such base, or an edit does not fit it.
        """
        document = base_of(self.base)
        try:
            for edit in self.edits:
                apply(document, edit)
        except ValueError as error:
            raise ConformanceError(f"an example of {self.base}: {error}") from error
        return document

    def records(self) -> list[dict[str, Any]]:
        """The exchanges as exchange JSONL objects, with the edits applied."""
        return [rendered(record) for record in self.document()]

    def exchanges(self) -> list[Exchange]:
        return [
            Exchange.of(record, source=f"example:{self.base}", complete=self.complete, group="example")
            for record in self.records()
        ]


def example(base: str, *edits: Edit, at: str | None = None, complete: bool = True) -> Example:
    """An example with its edits as arguments: `example("openai-chat/call", drop("/0/response/body/id"), at="…")`."""
    return Example(base, edits, at, complete)


def rendered(record: dict[str, Any]) -> dict[str, Any]:
    """An exchange of an example as an object of exchange JSONL, its events as the text of the body."""
    response = record["response"]
    if "events" in response:
        rest = {key: value for key, value in response.items() if key != "events"}
        record = {**record, "response": {**rest, "body": text_of(response)}}
    return record
