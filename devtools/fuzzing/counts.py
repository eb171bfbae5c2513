"""The committed counts of long runs: each run, their sums, and how many nights a million inputs take."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("counts.json")
WANTED = 1_000_000
NIGHT = 600
"""Seconds that the nightly workflow has for it."""


def added(seconds: int, jobs: int, tried: int, failed: int) -> dict[str, Any]:
    """Adds a run of today to the file; returns what it has now."""
    run = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "seconds": seconds, "jobs": jobs, "tried": tried, "failed": failed}
    runs = json.loads(FILE.read_text())["runs"] if FILE.exists() else []
    counts = summed([*runs, run])
    FILE.write_text(json.dumps(counts, indent=1) + "\n")
    return counts


def summed(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The runs with their sums, and how many nights as many inputs as are wanted take at their rate."""
    seconds, tried, failed = (sum(run[name] for run in runs) for name in ("seconds", "tried", "failed"))
    rate = tried / seconds
    return {
        "runs": runs,
        "seconds": seconds,
        "tried": tried,
        "failed": failed,
        "rate": round(rate, 1),
        "nights": math.ceil(WANTED / (rate * NIGHT)),
    }
