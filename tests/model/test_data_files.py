"""What a verdict needs of our YAML also lies beside it as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.model import data_files
from conformance.model.data_files import checksum, load_data, read_data, yaml_data
from devtools.data import SOURCES, documents


def test_the_json_is_what_make_data_writes() -> None:
    """A new dialect need not have it: it only saves time."""
    old = [path.name for path, text in documents() if path.exists() and path.read_text(encoding="utf-8") != text]
    assert old == [], "run `make data`"


def test_the_json_and_the_yaml_have_the_same_value() -> None:
    assert [path for path in SOURCES if read_data(path) != yaml_data(path)] == []


def test_an_old_json_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_files, "data_dir", lambda _: tmp_path)
    source = tmp_path / "days.yaml"
    source.write_text("day: 2026-01-31\n", encoding="utf-8")
    made = {"checksum": checksum(source), "value": "json"}
    source.with_suffix(".json").write_text(json.dumps(made), encoding="utf-8")
    assert load_data("days.yaml") == "json"
    source.write_text("day: 2026-02-01\n", encoding="utf-8")
    read_data.cache_clear()
    assert load_data("days.yaml") == {"day": "2026-02-01"}
    read_data.cache_clear()
