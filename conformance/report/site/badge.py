"""A badge for an implementation: as SVG, and as the JSON that shields.io reads as an endpoint."""

from __future__ import annotations

import json
from html import escape

from conformance.report.site.snapshot import Counts

LABEL = "tool-use conformance"
_COLOURS = {"failed": ("orange", "#b8500f"), "warned": ("yellowgreen", "#5f6f12"), "passed": ("brightgreen", "#2e7d32")}
_NOTHING = ("lightgrey", "#6a6a6a")
_CHARACTER, _PAD = 6.6, 10


def message(counts: Counts) -> str:
    """The right half: how many of the exercised statements hold."""
    if not counts.exercised:
        return "not exercised"
    return f"{counts.passed} of {counts.exercised} statements"


def _colour(counts: Counts) -> tuple[str, str]:
    if not counts.exercised:
        return _NOTHING
    return _COLOURS["failed" if counts.failed else "warned" if counts.warned else "passed"]


def endpoint(label: str, counts: Counts) -> str:
    """The JSON for https://img.shields.io/endpoint."""
    members = {"schemaVersion": 1, "label": label, "message": message(counts), "color": _colour(counts)[0]}
    return f"{json.dumps(members)}\n"


def svg(label: str, counts: Counts) -> str:
    """The badge as an image, without fonts or references to elsewhere."""
    left, right = (round(len(text) * _CHARACTER + 2 * _PAD) for text in (label, message(counts)))
    title = escape(f"{label}: {message(counts)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{_colour(counts)[1]}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{left / 2:g}" y="14">{escape(label)}</text>'
        f'<text x="{left + right / 2:g}" y="14">{escape(message(counts))}</text></g></svg>\n'
    )
