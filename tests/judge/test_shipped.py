"""`conformance check` on the shipped cassettes is silent: what a scenario provokes on purpose is expected there."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from conformance.commands import app
from tests.cassettes import SHIPPED
from tests.sampling import sample


@pytest.mark.parametrize("dialect", sorted(path.name for path in SHIPPED.iterdir()))
def test_the_shipped_cassettes_have_no_finding(dialect: str) -> None:
    chosen = sample(
        sorted((SHIPPED / dialect).rglob("*.yaml")),
        lambda path: path.parent.name,
        lambda path: path.name,
        risk="a cassette with a finding where others of its scenario and others of its driver have none",
    )
    done = CliRunner().invoke(app, ["check", *map(str, chosen), "--format", "json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["findings"] == []
    assert report["summary"]["judged"] > 0
