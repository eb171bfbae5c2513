"""How many choices a reply has, for the dialects in which a request asks for several."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.view import View


def miscounted(view: View, prompts: int = 1) -> Iterator[tuple[str | None, int, int]]:
    """Where the number of choices is not `n` for each prompt, by default one: the place, the number, the wanted one."""
    asked = view.request.get("n") if isinstance(view.request, dict) else None
    asked = 1 if asked is None else asked
    if isinstance(asked, bool) or not isinstance(asked, int) or not view.replies:
        return
    found = len(view.replies)
    if found != asked * prompts:
        yield None if view.streamed else "/choices", found, asked * prompts
