"""The corpus is built of git repositories at pinned commits: from a local copy, and by fetching."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conformance.errors import ConformanceError
from devtools.corpus import sources as listed
from devtools.corpus.building import assemble, build
from devtools.corpus.sources import Source
from devtools.places import TEST_DATA, missing_sources

KEY = "sk-" + "aB3dE5gH7jK9mN1pQ3sT5vW7"


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A folder with one repository, which has a cassette with a secret, and files that are none."""
    folder = tmp_path / "mirror" / "owner" / "name"
    folder.mkdir(parents=True)
    text = (TEST_DATA / "recordings" / "vcrpy.yaml").read_text(encoding="utf-8")
    (folder / "calls.yaml").write_text(text, encoding="utf-8")
    request = {"method": "POST", "url": f"https://api.openai.com/v1/responses?api_key={KEY}", "headers": {}, "body": {}}
    line = {"request": request, "response": {"status": 200, "headers": {"x-api-key": KEY}, "body": {"id": "a"}}}
    other = {"request": {**request, "url": "https://api.example.com/pets"}, "response": {"status": 200}}
    (folder / "more.jsonl").write_text(f"{json.dumps(line)}\n{json.dumps(other)}\n", encoding="utf-8")
    (folder / "broken.yaml").write_text("interactions: [", encoding="utf-8")
    for command in (
        ["init", "--quiet"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "recordings"],
        ["config", "uploadpack.allowFilter", "true"],
        ["config", "uploadpack.allowAnySHA1InWant", "true"],
    ):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return folder.parent.parent


def commit(mirror: Path) -> str:
    command = ["git", "-C", str(mirror / "owner" / "name"), "rev-parse", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def source(mirror: Path, **named: Any) -> Source:
    given = {"repository": "owner/name", "commit": commit(mirror), "paths": ("*.yaml", "*.jsonl"), **named}
    return Source(licence="MIT", **given)


def lines(corpus: Path, api: str) -> list[dict[str, Any]]:
    with gzip.open(corpus / f"{api}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.process
def test_a_source_is_read_from_its_copy_redacted_and_hashed(mirror: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    outcome = build(source(mirror, untouched=("calls.yaml",)), corpus, mirror)
    assert outcome.exchanges["openai-responses"] == 1
    assert [each.partition(":")[0] for each in outcome.not_read] == ["broken.yaml"]
    assert not outcome.as_listed
    counts = assemble([source(mirror), source(mirror, repository="owner/other")], corpus)
    assert counts == outcome.exchanges
    assert missing_sources(corpus) == ["owner/other"]
    (line,) = lines(corpus, "openai-responses")
    assert KEY not in json.dumps(line)
    assert line["source"] == {"repo": "owner/name", "path": "more.jsonl", "number": 0}
    assert (corpus / "vcr_raw" / "owner+name" / "calls.yaml").is_file()


@pytest.mark.process
def test_what_is_built_is_kept_until_the_list_has_another_hash(mirror: Path, tmp_path: Path) -> None:
    first = build(source(mirror), tmp_path / "corpus", mirror)
    same = source(mirror, sha256=first.sha256)
    assert build(same, tmp_path / "corpus", tmp_path / "nowhere").reused
    with pytest.raises(ConformanceError, match="no copy of owner/name"):
        build(source(mirror, sha256="another"), tmp_path / "corpus", tmp_path / "nowhere")


@pytest.mark.process
def test_without_a_mirror_the_commit_is_fetched(mirror: Path, tmp_path: Path) -> None:
    from_copy = build(source(mirror), tmp_path / "one", mirror)
    url = (mirror / "owner" / "name").as_uri()
    fetched = build(source(mirror, repository=url), tmp_path / "other", None)
    assert (fetched.exchanges, fetched.sha256) == (from_copy.exchanges, from_copy.sha256)


def test_every_source_is_pinned_and_has_an_outcome() -> None:
    sources = listed.load()
    assert len({each.name for each in sources}) == len(sources) > 30
    assert [each.repository for each in sources if len(each.commit) != 40 or len(each.sha256) != 64] == []
    assert listed.dumped(sources) == listed.FILE.read_text(encoding="utf-8")
