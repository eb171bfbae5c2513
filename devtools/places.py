"""Where things lie in a checkout."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
"""Real recordings, which only some checkouts have beside them."""
CASSETTES = ROOT / "cassettes"
TEST_DATA = ROOT / "tests" / "data"
