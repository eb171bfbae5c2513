"""A request that is no JSON is at fault itself: it accuses no answer of what the request may have asked for.

What an answer has whatever was asked, such as a quirk of its provider, stays an info.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from conformance import check, load
from conformance.model.finding import Severity
from tests.cassettes import SHIPPED

WEATHER = sorted(SHIPPED.glob("*/weather/reference--*.yaml"))


@pytest.mark.parametrize("path", WEATHER, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_request_that_is_cut_off_is_the_only_one_accused(path: Path, tmp_path: Path) -> None:
    cassette = yaml.safe_load(path.read_text("utf-8"))
    del cassette["interactions"][1:]
    request = cassette["interactions"][0]["request"]
    request["body"] = request["body"][:-20]
    answer = [each for each in check(load(path)) if each.exchange == 0 and each.side == "response"]
    broken = tmp_path / "broken.yaml"
    broken.write_text(yaml.safe_dump(cassette, allow_unicode=True), "utf-8")
    found = Counter((each.rule, each.side, each.severity) for each in check(load(broken)))
    assert {each.severity for each in answer} <= {Severity.INFO}
    assert found == Counter(
        [("request-malformed", "request", Severity.ERROR), *((each.rule, each.side, each.severity) for each in answer)]
    )
