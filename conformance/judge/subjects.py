"""What a rule is about: it does not run on an exchange without its subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal

from conformance.model.transcript import ToolCall

if TYPE_CHECKING:
    from conformance.judge.view import View

Subject = Literal["call-parts", "calls", "earlier-calls", "tools", "continuation", "server-tools", "bridge"]
"""`call-parts`: a reply has a call of any kind. `calls`: a reply calls a tool of the client. `earlier-calls`: the
history has calls or results. `tools`: the request declares some. `continuation`: the request continues an earlier
exchange. `server-tools`: one of the provider's own tools occurs anywhere. `bridge`: the run has another dialect too.
"""


def _server_parts(view: View) -> bool:
    return any(turn.server_parts for turns in (view.history, view.replies) for turn in turns)


SUBJECTS: Final[Mapping[Subject, Callable[[View], object]]] = {
    "call-parts": lambda view: any(isinstance(part, ToolCall) for turn in view.replies for part in turn.parts),
    "calls": lambda view: any(turn.calls for turn in view.replies),
    "earlier-calls": lambda view: any(turn.calls or turn.results for turn in view.history),
    "tools": lambda view: view.ask.tools,
    "continuation": lambda view: view.continues is not None,
    "server-tools": _server_parts,
    "bridge": lambda view: view.other_dialects,
}
