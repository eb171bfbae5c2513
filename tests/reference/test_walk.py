"""A request takes the way through `serve` that ARCHITECTURE.md describes."""

from __future__ import annotations

import threading
from types import FrameType
from typing import Any

from conformance.reference import sessions
from tests.talking import WEATHER, talking
from tests.walks import steps

WALK = "A request through `serve`"


def test_a_request_takes_the_steps_of_the_walk_and_no_others() -> None:
    walk = {code: name for name, code in steps(WALK)}
    respond = sessions.Sessions.respond.__code__
    taken: list[str] = []
    others: set[str] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code, caller = frame.f_code, frame.f_back
        if event == "call" and code in walk:
            taken.append(walk[code])
        elif event == "call" and caller is not None and caller.f_code is respond:
            others.add(frame.f_globals["__name__"])

    threading.setprofile(watch)
    try:
        with talking() as talk:
            threading.setprofile(None)
            assert talk.chat([{"role": "user", "content": WEATHER}], "get_weather").status == 200
    finally:
        threading.setprofile(None)
    assert taken == [name for name, _ in steps(WALK)]
    assert others <= {sessions.__name__}
