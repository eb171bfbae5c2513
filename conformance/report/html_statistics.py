"""The statistics of samples in the form of the page's template: bars with intervals, and targets in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.campaign.differences import CALLS, rates_of
from conformance.campaign.statistics import CHECKS, MEANINGS
from conformance.model.printable import count, visible

_WIDTH = 160
"""The width of a bar, in its own units."""
_CELLS = 1_000
"""How many rates of single cells are shown, of all targets together."""
_UNKNOWN = "not measured"


def statistics_of(statistics: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `html_statistics.html`."""
    targets = statistics["targets"]
    keys = list(dict.fromkeys(key_of(cell) for each in targets for cell in each["cells"]))
    by_target = [{key_of(cell): cell for cell in each["cells"]} for each in targets]
    most = max(1, _CELLS // max(1, len(targets)))
    return {
        "samples": statistics["samples"],
        "targets": [_target(each) for each in targets],
        "rows": [
            {"name": name, "meaning": MEANINGS[name], "rates": [_rate(rates_of(each)[name]) for each in targets]}
            for name in (*CHECKS, *CALLS)
        ],
        "pairs": [_pair(each) for each in statistics.get("differences", ())],
        "missed": [_missed(each) for each in statistics.get("missed", ())],
        "cells": [
            {
                "name": visible(" ".join(key)),
                "rates": [_rate(cells[key]["checks"]["success"]) if key in cells else None for cells in by_target],
            }
            for key in keys[:most]
        ],
        "cells_left": max(0, len(keys) - most),
    }


def _target(each: Mapping[str, Any]) -> dict[str, str]:
    f1 = each["tool_calls"]["f1"]
    return {
        "name": visible(each["target"]),
        "models": visible(", ".join(dict.fromkeys(each["models"].values()))),
        "runs": count(each["samples"], "run"),
        "f1": _UNKNOWN if f1 is None else f"{f1:.2f}",
        "all_rules": "yes" if each["all_rules_kept"] else "no",
    }


def key_of(cell: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """What distinguishes a cell from the others of its target."""
    return cell["scenario"], cell["dialect"], cell["driver"], "stream" if cell["stream"] else "sync"


def rate_text(rate: Mapping[str, Any], unknown: str = _UNKNOWN) -> str:
    """A rate with its interval and its counts."""
    if rate["value"] is None:
        return unknown
    return f"{rate['value']:.0%} ({rate['low']:.0%} to {rate['high']:.0%}) {rate['held']}/{rate['n']}"


def _rate(rate: Mapping[str, Any]) -> dict[str, Any]:
    at = {name: _at(rate[side]) for name, side in (("x", "value"), ("from", "low"), ("to", "high"))}
    return {"n": rate["n"], "text": rate_text(rate), **at}


def _at(share: float | None) -> str:
    return f"{(share or 0) * _WIDTH:.1f}"


def _pair(pair: Mapping[str, Any]) -> dict[str, Any]:
    first, second = visible(pair["first"]), visible(pair["second"])
    return {
        "first": first,
        "second": second,
        "over": f"the {pair['shared']} {pair['over']}" if pair["shared"] > 1 else f"the one {pair['over'][:-1]}",
        "rows": [_difference(name, each, first, second) for name, each in pair["measures"].items()],
    }


def _difference(name: str, each: Mapping[str, Any], first: str, second: str) -> dict[str, Any]:
    known = each["value"] is not None
    apart = known and not each["low"] <= 0 <= each["high"]
    above = first if known and each["value"] > 0 else second
    text = f"{100 * each['value']:+.0f} ({100 * each['low']:+.0f} to {100 * each['high']:+.0f})" if known else _UNKNOWN
    at = {key: _at(((each[side] or 0) + 1) / 2) for key, side in (("x", "value"), ("from", "low"), ("to", "high"))}
    return {
        "name": name,
        "known": known,
        "apart": apart,
        "text": text,
        "first": f"{each['first']['held']}/{each['first']['n']}",
        "second": f"{each['second']['held']}/{each['second']['n']}",
        "result": f"higher at {above}" if apart else "no difference shown" if known else "",
        **at,
    }


def _missed(each: Mapping[str, Any]) -> str:
    value = "was not measured" if each["value"] is None else f"is {each['value']:.1%}"
    return visible(f"{each['target']}: {each['measure']} {value}; --fail-under wants {each['least']:.0%}")
