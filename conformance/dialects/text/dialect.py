"""Dialects that are written in the text of another one, their host: tags in a plain chat, a raw prompt.

The host reads the envelope; the text dialect's reader splits the text in it into parts (`text.readers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from conformance.model.dialect import Dialect
from conformance.model.exchange import Request
from conformance.model.registry import all_dialects


def text_dialect(
    *,
    name: str,
    prefix: str,
    package: str,
    host: str,
    other_hosts: tuple[str, ...] = (),
    announced: Callable[[Any], bool],
    lacks: Mapping[str, str],
    reference_model: str,
    plans_ahead: bool = False,
    line_marks: str | None = None,
    line_end: str | None = None,
) -> Dialect:
    """A dialect inside the text of its host.

    `announced`: whether the JSON body of a request of a host asks for this dialect. `other_hosts`, `lacks`,
    `reference_model`, `plans_ahead`, `line_marks` and `line_end` are those of `Dialect`.
    """

    def claims(request: Request) -> bool:
        hosts = (all_dialects()[each] for each in (host, *other_hosts))
        return any(each.claims(request) for each in hosts) and announced(request.body.json)

    return Dialect(
        name=name,
        prefix=prefix,
        package=package,
        host=host,
        other_hosts=other_hosts,
        announced=announced,
        claims=claims,
        answers_last_call=True,
        plans_ahead=plans_ahead,
        line_marks=line_marks,
        line_end=line_end,
        lacks=lacks,
        reference_model=reference_model,
    )
