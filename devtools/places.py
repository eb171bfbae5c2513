"""Where things lie in a checkout."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASSETTES = ROOT / "cassettes"
TEST_DATA = ROOT / "tests" / "data"

BUILT_CORPUS = ROOT / ".corpus"
"""Where `make corpus` builds the corpus of real recordings."""
NO_CORPUS = "the corpus of real recordings is not there; `make corpus` builds it"


def missing_sources(corpus: Path | None = None) -> list[str]:
    """The repositories that a built corpus lacks; a copy that was not built here lacks none."""
    listed = (CORPUS if corpus is None else corpus) / "sources.json"
    return list(json.loads(listed.read_text(encoding="utf-8"))["missing"]) if listed.is_file() else []


def _corpus() -> Path:
    """What was built, or a copy beside the checkout; a part only if there is nothing better."""
    places = [each for each in (BUILT_CORPUS, ROOT.parent / "shared" / "corpus") if each.is_dir()]
    return next((each for each in places if not missing_sources(each)), next(iter(places), BUILT_CORPUS))


CORPUS = _corpus()
"""The corpus of real recordings, which need not be there."""
