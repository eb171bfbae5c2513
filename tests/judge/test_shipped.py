"""`conformance check` on the shipped cassettes is silent: what a scenario provokes on purpose is expected there."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from conformance.commands import app
from tests.cassettes import SHIPPED


@pytest.mark.parametrize("dialect", sorted(path.name for path in SHIPPED.iterdir()))
def test_the_shipped_cassettes_have_no_finding(dialect: str) -> None:
    done = CliRunner().invoke(app, ["check", str(SHIPPED / dialect), "--format", "json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["findings"] == []
    assert report["summary"]["judged"] > 0
