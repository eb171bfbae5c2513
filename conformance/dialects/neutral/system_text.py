"""Tools are declared in their own field of the request, not in the system text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "tool-declaration-misplaced",
    scope="reply",
    cites="LCB-Q-001",
    needs_complete=True,
    opt_in=True,
    about="calls",
)
def tool_declaration_misplaced(view: View) -> Iterator[Hit]:
    """A tool that the model calls natively must be declared in the request's tools, not in the system text.

    A tool in prose has no schema to validate against, and most servers do not parse calls of it: the call comes
    back as text, or not at all. No provider package of LangChain writes its bound tools into the system text.
    """
    texts = [(turn.text, turn.pointer) for turn in view.ask.history if turn.role == "system"]
    instructions = view.ask.extra.get("instructions")
    if isinstance(instructions, str):
        texts.append((instructions, "/instructions"))
    seen: set[str] = set()
    for call in (call for turn in view.replies for call in turn.calls):
        if not call.name or call.name in seen or call.kind != "function" or view.ask.tool(call.name) is not None:
            continue
        seen.add(call.name)
        name = re.compile(rf"(?<![\w-]){re.escape(call.name)}(?![\w-])")
        pointer = next((pointer for text, pointer in texts if name.search(text)), None)
        if pointer is not None:
            message = f"{call.name} is described in the system text, but not declared in the request's tools"
            yield Hit(pointer, message, "a declaration in the tools of the request", "prose", side="request")
