"""The live page of the reference server: its sessions, on one page that needs nothing else and loads itself again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from conformance.model.printable import short
from conformance.report.html_page import content_hash, environment, inline
from conformance.report.sessions import Record, evidence_lines


def page(
    sessions: Sequence[Record], summary: Mapping[str, Any], verdict: str, faults: Sequence[str] = ()
) -> tuple[str, str]:
    """The page and its content security policy. Every text in it is escaped; there is no script."""
    style = inline("page.css")
    style_hash = content_hash(style)
    text = (
        environment()
        .get_template("sessions.html")
        .render(
            sessions=sessions,
            evidence_lines=partial(evidence_lines, indent=""),
            summary={name: number for name, number in summary.items() if isinstance(number, int)},
            verdict=short(verdict),
            faults=[short(fault) for fault in faults],
            style=style,
            style_hash=style_hash,
        )
    )
    policy = f"default-src 'none'; style-src '{style_hash}'; base-uri 'none'; form-action 'none'"
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii"), policy
