"""Units of work, without an engine: the same report, what is broken, `--resume`, samples, conversations by key."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("duckdb", reason="duckdb is not installed")

from conformance.inputs import Source
from conformance.report import FORMATS
from conformance.scale import plan, units
from conformance.scale.keys import digest, in_sample
from conformance.scale.result import connected
from conformance.scale.units import Job, Unit, give_up, judge_unit, keyed_tables
from devtools.places import CORPUS
from tests.cassettes import SHIPPED
from tests.sampling import Extent
from tests.scale.local import LOGS, RECORDINGS, both, check, without_ray

__all__ = ["without_ray"]
pytestmark = pytest.mark.usefixtures("without_ray")
_URL = "https://api.openai.com/v1/chat/completions"


def line(conversation: Any, *texts: str, **more: Any) -> str:
    """An exchange whose request has these messages, in turns; the tool call of the second is never answered."""
    messages: list[Any] = [
        {"role": ("user", "assistant")[number % 2], "content": each} for number, each in enumerate(texts)
    ]
    record = {
        "conversation": conversation,
        "request": {"url": _URL, "body": {"model": "gpt-5", "messages": messages}},
        "response": {"status": 200, "headers": {}, "body": {"id": 3, "choices": []}},
    }
    return json.dumps({**record, **more})


@pytest.fixture
def many(tmp_path: Path) -> list[Path]:
    """Conversations that are interleaved, one of them in both files; some exchanges stand alone."""
    files = []
    for name in ("a", "b"):
        texts = [line(f"c{n % 9}" if n % 4 else None, f"turn {n}", session=f"s{n % 5}") for n in range(80)]
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("\n".join(texts))
    return files


@pytest.mark.parametrize("format_", FORMATS)
def test_the_report_is_that_of_one_process_byte_for_byte(format_: str) -> None:
    paths = [RECORDINGS / "traffic.jsonl", RECORDINGS]
    # The risk of leaving the logs out: a report that differs only in what JSON does not contain, of a form of logs.
    paths += [LOGS] if Extent.full or format_ == "json" else []
    alone, together = both(paths, "--format", format_)
    assert together.output == alone.output
    assert together.exit_code == alone.exit_code == 1


@pytest.mark.skipif(not CORPUS.is_dir(), reason="without the corpus")
def test_the_report_on_the_corpus_is_that_of_one_process() -> None:
    names: tuple[str, ...] = (
        "mcp",
        "openai-chat",
        "other",
        "anthropic-messages",
        "gemini-generate",
        "mistral",
        "openai-responses",
    )
    # The risk of a few: a dialect whose reports differ; its recordings are judged in one process in any run.
    names = names if Extent.full else ("mcp", "other", "mistral")
    paths = [CORPUS / f"{name}.jsonl.gz" for name in names]
    alone, together = both(paths, "--format", "json")
    assert json.loads(alone.output)["summary"]["judged"] > 100
    assert together.output == alone.output


@pytest.mark.parametrize("by", ["session", "conversation", "repeats"])
def test_conversations_by_a_key_of_all_files_are_those_of_one_process(by: str, many: list[Path]) -> None:
    alone, together = both(many, "--format", "json", "--group-by", by)
    assert together.output == alone.output
    number = json.loads(alone.output)["summary"]["conversations"]
    assert number == {"session": 5, "conversation": 9 + 40, "repeats": 80}[by]


def test_by_what_repeats_a_raw_prompt_is_joined_and_a_session_of_mcp_stays_one(tmp_path: Path) -> None:
    asked = "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"
    prompts = (asked, f"{asked}Hello<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nGo on<|eot_id|>")
    bodies = ({"model": "llama-3.1", "prompt": each} for each in prompts)
    raw = [{"url": "http://localhost/v1/completions", "body": each} for each in bodies]
    calls: list[Any] = [{"name": name, "arguments": {}} for name in ("a", "b")]
    rpc = [{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": each} for each in calls]
    mcp = [{"url": "http://localhost/mcp", "headers": {"mcp-session-id": "s"}, "body": each} for each in rpc]
    lines = (json.dumps({"request": each, "response": {"status": 202, "body": ""}}) for each in (*raw, *mcp))
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    for result in both([tmp_path / "log.jsonl"], "--format", "json", "--group-by", "repeats"):
        assert json.loads(result.output)["summary"]["conversations"] == 2


def test_a_member_that_no_record_has_is_an_error_and_not_conversations_of_one(many: list[Path]) -> None:
    for result in both(many, "--group-by", "sesion"):
        assert result.exit_code == 2
        assert "--group-by sesion: no record has this member; correct the name" in result.output


def test_a_member_is_looked_for_beyond_what_cannot_be_read(many: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "0.jsonl"
    broken.write_text('{"request": \n')
    for result in both([broken, *many], "--group-by", "session"):
        assert "no record has this member" not in result.output


def test_a_cassette_has_no_such_member() -> None:
    for result in both([SHIPPED / "openai-chat/weather/reference--openai.yaml"], "--group-by", "session"):
        assert result.exit_code == 2
        assert "--group-by session: no record has this member" in result.output


def test_a_sample_without_an_exchange_names_the_share(many: list[Path]) -> None:
    result = check(*many, "--sample-rate", "0.0000001")
    assert result.exit_code == 2
    assert "--sample-rate 1e-07 leaves out all exchanges, 160 in number; choose a larger share" in result.output


def test_a_large_file_is_divided_by_conversations(many: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_TOGETHER", 1_000)
    alone, together = both(many, "--format", "json")
    assert together.output == alone.output


def test_a_large_conversation_is_read_by_its_worker_and_not_sent(
    many: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "_HEAVY", 1_000)
    job, all_files = Job("unused", by="session"), Unit(tuple((n, Source(str(p))) for n, p in enumerate(many)))
    rows = [row for table in keyed_tables(job, all_files, 2) for row in table.to_pylist()]
    light = sum(row["content"] is not None and row["key"] is not None for row in rows)
    assert light < 40
    assert len(rows) >= 160
    alone, together = both(many, "--format", "json", "--group-by", "session")
    assert together.output == alone.output


def test_a_sample_has_the_same_whole_conversations_each_time(many: list[Path]) -> None:
    runs = [both(many, "--format", "json", "--sample-rate", "0.5") for _ in range(2)]
    assert len({result.output for run in runs for result in run}) == 1
    count = json.loads(runs[0][0].output)["summary"]
    assert 20 < count["exchanges"] < 140
    share = sum(in_sample(f"c{n}", 0.01) for n in range(20_000)) / 20_000
    assert 0.005 < share < 0.02


def test_what_is_broken_is_listed_and_the_rest_is_judged(many: list[Path], tmp_path: Path) -> None:
    deep = json.loads(line("deep", "x"))
    broken = tmp_path / "broken.jsonl"
    nested = json.dumps(deep).replace('"choices": []', '"choices": ' + "[" * 3000 + "]" * 3000)
    broken.write_text("\n".join([line("x", "y"), '{"conversation": "z", nope}', "{]", line("v", "w"), nested]))
    cut = tmp_path / "cut.jsonl.gz"
    whole = gzip.compress("\n".join(line(f"k{n}", f"{digest(str(n)):x}" * 20) for n in range(300)).encode(), mtime=0)
    cut.write_bytes(whole[: len(whole) // 2])
    result = check(many[0], broken, cut, many[1], "--format", "json", "--engine", "ray", "--findings", tmp_path / "out")
    assert result.exit_code == 2
    assert "broken.jsonl:2: not JSON" in result.output
    text = result.output[: result.output.rindex("}\n") + 2]
    summary = json.loads(text)["summary"]
    reasons = {each["reason"] for each in summary["not_judged"]}
    assert any("truncated gzip" in each for each in reasons)
    assert any("nested too deeply" in each for each in reasons)
    assert summary["exchanges"] > 162
    rows = connected(str(tmp_path / "out")).execute(
        "SELECT source FROM rows WHERE kind = 'not_judged' ORDER BY file, number"
    )
    assert [Path(source).name for (source,) in rows.fetchall()][:2] == ["broken.jsonl:2", "broken.jsonl:3"]


def test_resume_judges_what_has_no_result(many: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_FILES", 1)
    out = tmp_path / "out"
    words: list[str | Path] = [*many, "--format", "json", "--engine", "ray", "--findings", out]
    first = check(*words)
    parts = sorted(out.glob("*.parquet"))
    assert len(parts) == 2
    parts[0].unlink()
    kept = parts[1].stat().st_mtime_ns
    assert check(*words).exit_code == 2  # the folder is not empty
    again = check(*words, "--resume")
    assert again.stdout == first.stdout
    assert "1 unit of work judged before" in again.stderr
    assert parts[1].stat().st_mtime_ns == kept
    other = check(*words, "--resume", "--sample-rate", "0.5")
    assert (other.exit_code, "other inputs or options" in other.output) == (2, True)


@pytest.mark.parametrize("by", [[], ["--group-by", "session"]], ids=["files", "key"])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_unit_that_was_divided_before_resume_counts_no_exchange_twice(
    many: list[Path], tmp_path: Path, by: list[str], depth: int
) -> None:
    out = tmp_path / "out"
    words: list[str | Path] = [*many, "--format", "json", "--engine", "ray", "--findings", out, *by]
    first = check(*words)
    whole = min(out.glob("*.parquet"))
    file, count, part, parts = map(int, re.findall(r"\d+", whole.stem))
    unit = Unit(tuple((file + n, Source(str(many[file + n]))) for n in range(count)), part, parts)
    for _ in range(depth):
        unit = unit.split()[3]
    judge_unit(Job(str(out), by=by[1] if by else None), unit)
    whole.unlink()  # as if its worker had died
    again = check(*words, "--resume")
    assert again.stdout == first.stdout
    assert not whole.exists()


def test_the_parts_of_a_unit_have_each_exchange_once(many: list[Path], tmp_path: Path) -> None:
    job, unit = Job(str(tmp_path)), Unit(((0, Source(str(many[0]))),))
    parts = [part for half in unit.split() for part in half.split()]
    assert sum(judge_unit(job, part) for part in parts) == judge_unit(job, unit) == 80
    give_up(job, unit.split()[0], "it died")
    reasons = connected(str(tmp_path)).execute("SELECT DISTINCT message FROM rows WHERE kind = 'not_judged'").fetchall()
    assert reasons == [("it died",)]


def test_no_table_of_findings_has_a_secret(tmp_path: Path) -> None:
    secret = "sk-proj-" + "Zq8" * 14
    path = tmp_path / "a.jsonl"
    path.write_text(
        line("c", "x").replace('"gpt-5"', json.dumps(f"{secret}")).replace('"id": 3', f'"id": ["{secret}"]')
    )
    check(path, "--engine", "ray", "--findings", tmp_path / "out")
    values = connected(str(tmp_path / "out")).execute("SELECT * FROM rows").fetchall()
    assert len(values) > 3
    assert "Zq8Zq8" not in str(values)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--findings", "x"], "work only with Ray"),
        (["--resume", "--engine", "ray"], "needs the findings of the first run"),
        (["--sample-rate", "0.5", "--jobs", "2"], "work in one process"),
    ],
)
def test_options_without_effect_are_refused(words: list[str], problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    result = check(RECORDINGS / "traffic.jsonl", *words)
    assert (result.exit_code, problem in result.output) == (2, True)
