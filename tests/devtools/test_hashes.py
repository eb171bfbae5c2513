"""constraints-hashes.txt pins what constraints.txt pins, by the hashes of the files, and names no registry."""

from __future__ import annotations

import re
import tomllib

from devtools.hashes import HASHES, HEADER, PINS, hashes, normalised, pins
from devtools.places import ROOT

TEXT = HASHES.read_text(encoding="utf-8")


def test_both_files_pin_the_same_versions_of_the_same_projects() -> None:
    pinned = pins(PINS.read_text(encoding="utf-8"))
    assert len(pinned) == len([line for line in PINS.read_text(encoding="utf-8").splitlines() if "==" in line])
    assert pins(TEXT) == pinned, "run `make hashes`"


def test_every_pin_has_hashes_and_nothing_else() -> None:
    found = hashes(TEXT)
    assert found.keys() == pins(TEXT).keys()
    for name, values in found.items():
        assert values, name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", value) for value in values), name
    lines = TEXT.removeprefix(HEADER).splitlines()
    assert [
        line for line in lines if not re.fullmatch(r"[\w.-]+==\S+ \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line)
    ] == []


def test_every_dependency_of_the_project_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    names = {normalised(re.split(r"[\s\[<>=!~;]", each)[0]) for each in wanted} - {normalised(project["name"])}
    assert names - pins(TEXT).keys() == set()
