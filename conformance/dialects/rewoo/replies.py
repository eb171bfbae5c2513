"""The replies of a planner and of a solver, for the rules."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.rewoo.claims import Role
from conformance.dialects.rewoo.lines import Piece, scan
from conformance.dialects.rewoo.references import references
from conformance.dialects.rewoo.request import asked
from conformance.dialects.text.host_texts import reply_texts
from conformance.dialects.text.reading import CUT
from conformance.judge.view import View
from conformance.model.frozen import dataclass
from conformance.model.transcript import Text


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a reply and its pieces; a truncated reply (`cut`) is without its last line."""

    part: Text
    pieces: tuple[Piece, ...]
    cut: bool

    @property
    def steps(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.kind == "step"]


def replies_of(role: Role, view: View) -> Iterator[Reply]:
    """The texts of the planner's, or the solver's, replies."""
    if asked(view.request) != role:
        return
    for turn, part in reply_texts(view):
        cut = turn.stop in (*CUT, "error", None)
        text = part.text.rpartition("\n")[0] if cut else part.text
        yield Reply(part, scan(text), cut)


def plan_of(view: View) -> Iterator[Reply]:
    """The planner's replies that hold a step, or that were cut off after a plan."""
    for reply in replies_of("planner", view):
        if reply.steps or (reply.cut and any(piece.kind == "plan" for piece in reply.pieces)):
            yield reply


def links(steps: list[Piece]) -> list[tuple[Piece, list[str]]]:
    """Each step with the ids that its input refers to."""
    return [(step, list(dict.fromkeys(references(step.text)))) for step in steps]
