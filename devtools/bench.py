"""`make bench`: what judging and replaying cost, as ratios of medians measured in one run.

Ratios, because seconds say more about the machine than about the code; a benchmark and no test, because a busy
machine must not fail a build. Real recordings are used where they are beside this checkout, the shipped cassettes
otherwise. Programs find their bytecode compiled, as that of an installed package is. `python -m devtools.bench --quick`
takes fewer rounds, and `python -m devtools.bench judging conversations` measures only some of it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.judging import freeze
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.garbage import collect_seldom
from conformance.model.registry import claim
from devtools.places import CORPUS
from tests.cassettes import PLAYED, SHIPPED
from tests.conversations import CONVERSATIONS

Lines = Sequence[str]
_ROUNDS = 5
_SAMPLE = 4
"""Every so many-th line is judged in a round: the whole corpus where time does not matter."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two rounds in place of five")
    parser.add_argument("parts", nargs="*", choices=[[], *_PARTS], help="what to measure (by default, all)")
    chosen = parser.parse_args()
    rounds = 2 if chosen.quick else _ROUNDS
    warnings.simplefilter("ignore")
    collect_seldom()  # as the programs do
    table = Table("what", "against", "ratio", "aim", "measured", title=f"{rounds} rounds")
    with tempfile.TemporaryDirectory() as compiled:
        os.environ |= {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        _conformance("--version")
        for part in chosen.parts or _PARTS:
            for row in _PARTS[part](rounds):
                table.add_row(*row)
    Console(width=max(Console().width, 140)).print(table)


def _lines() -> Iterator[str]:
    """Exchange JSONL: of the real recordings, or made of the shipped cassettes."""
    files = sorted(CORPUS.glob("*.jsonl.gz"))
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            yield from stream
    if not files:
        yield from (json.dumps(_record(exchange)) for exchange in read([str(SHIPPED)]))


def _record(exchange: Exchange) -> dict[str, Any]:
    request, response = exchange.request, exchange.response
    return {
        "conversation": exchange.source,
        "request": {"method": request.method, "url": request.url, "body": request.body.text},
        "response": {"status": response.status, "headers": dict(response.headers), "body": response.body.text},
    }


def _medians(rounds: int, *works: Callable[[], Any]) -> list[float]:
    """The median time of each work, in seconds of this process; they take turns, so that all see the same machine."""
    times: list[list[float]] = [[] for _ in works]
    for turn in range(rounds + 1):
        for taken, work in zip(times, works, strict=True):
            begun = time.process_time()
            work()
            if turn:  # the first turn warms up
                taken.append(time.process_time() - begun)
    return [statistics.median(taken) for taken in times]


def _judging(rounds: int) -> Iterator[tuple[str, ...]]:
    lines = list(_lines())[::_SAMPLE]
    replies = list(_replies(lines))
    check, parse = _medians(rounds, lambda: _check(lines), lambda: _parse(lines))
    yield _row(
        "check", "(a) parsing the same JSON and SSE with the standard library", (check, parse), "<= 4", len(lines)
    )
    ours, models, slow, fast, alone = _medians(
        rounds,
        lambda: _check(lines),
        lambda: [_model(*reply) for reply in replies],
        lambda: [_explained(*reply) for reply in replies[::20]],
        lambda: [_compiled(*reply) for reply in replies],
        lambda: _parse(lines),
    )
    slow *= 20
    yield _row("check", "(b) the same responses in the SDKs' pydantic models", (ours, models), "", len(lines))
    yield _row("check", "(c) the same responses against the schemas with jsonschema", (ours, slow), "< 1", len(lines))
    yield _row("pydantic models", "(a)", (models, alone), "", len(lines))
    yield _row("jsonschema", "(a)", (slow, alone), "", len(lines))
    yield _row("jsonschema-rs", "(a)", (fast, alone), "", len(lines))


def _conversations(rounds: int) -> Iterator[tuple[str, ...]]:
    """`check` of one conversation of an agent with 20 tools, reading its file included."""
    for dialect, (make, _) in CONVERSATIONS.items():
        for turns in (10, 100, 400) if dialect == "openai-chat" else (100,):
            lines = [json.dumps(each) for each in make(turns)]
            with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
                file.write("\n".join(lines) + "\n")
                file.flush()
                times = max(1, 400 // turns)
                check, parse = _medians(rounds, partial(_checked, file.name, times), partial(_parse, lines * times))
            yield _row(f"check, {dialect}, {turns} turns", "(a)", (check, parse), "<= 4", turns * times)


def _checked(path: str, times: int) -> None:
    for _ in range(times):
        checker = Checker()
        for exchange in read([path]):
            checker.feed(exchange)


def _row(what: str, against: str, seconds: tuple[float, float], aim: str, count: int) -> tuple[str, ...]:
    one, other = (each / count * 1e6 for each in seconds)
    return what, against, f"{one / other:.2f}", aim, f"{one:.0f} us : {other:.0f} us an exchange"


def _check(lines: Lines) -> None:
    """The whole of `check` but for the report: reading, judging, finding."""
    checker = Checker()
    for line in lines:
        checker.feed(Exchange.of(json.loads(line), source="bench.jsonl:1"))


def _parse(lines: Lines) -> None:
    """What nobody can do without: the JSON of the line, and that of the bodies and events in it."""
    for line in lines:
        record = json.loads(line)
        for side in ("request", "response"):
            body = record[side].get("body")
            if not isinstance(body, str):
                continue
            if side == "response" and body.startswith(("data:", "event:", ":", "id:")):
                for each in body.splitlines():
                    if each.startswith("data:") and each[5:].lstrip()[:1] == "{":
                        json.loads(each[5:])
            elif body[:1] in "{[":
                _loaded(body)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _replies(lines: Lines) -> Iterator[tuple[str, str, Any]]:
    """Each successful body and each event of the dialects that have an official SDK: dialect, kind, value."""
    for line in lines:
        exchange = Exchange.of(json.loads(line))
        dialect = claim(exchange.request)
        if dialect is None or dialect.name not in _models() or not exchange.response.ok:
            continue
        view = View(exchange, dialect)
        if view.events is not None:
            yield from ((dialect.name, "event", event.json) for event in view.events if isinstance(event.json, dict))
        elif isinstance(view.response, dict):
            yield dialect.name, "response", view.response


def _models() -> dict[str, dict[str, Any]]:
    if not _MODELS:
        from anthropic.types import Message, RawMessageStreamEvent
        from google.genai.types import GenerateContentResponse
        from openai.types.chat import ChatCompletion, ChatCompletionChunk
        from openai.types.responses import Response, ResponseStreamEvent
        from pydantic import TypeAdapter

        for name, reply, event in (
            ("openai-chat", ChatCompletion, ChatCompletionChunk),
            ("openai-responses", Response, ResponseStreamEvent),
            ("anthropic-messages", Message, RawMessageStreamEvent),
        ):
            _MODELS[name] = {
                "response": TypeAdapter(reply).validate_python,
                "event": TypeAdapter(event).validate_python,  # type: ignore[arg-type]
            }
        # google-genai takes what its model does not know out of a reply before it validates the rest.
        gemini = partial(GenerateContentResponse._from_response, kwargs={})
        _MODELS["gemini"] = dict.fromkeys(("response", "event"), lambda value: gemini(response=value))
    return _MODELS


_MODELS: dict[str, dict[str, Any]] = {}


def _model(dialect: str, kind: str, value: Any) -> bool:
    try:
        _models()[dialect][kind](value)
    except (ValueError, AttributeError):  # google-genai's enums raise the latter for a number
        return False
    return True


def _explained(dialect: str, kind: str, value: Any) -> bool:
    import jsonschema

    from devtools.wire.schemas import schema_of

    if (dialect, kind) not in _SLOW:
        _SLOW[dialect, kind] = jsonschema.Draft202012Validator(schema_of(dialect, kind))
    return bool(_SLOW[dialect, kind].is_valid(value))


_SLOW: dict[tuple[str, str], Any] = {}


def _compiled(dialect: str, kind: str, value: Any) -> bool:
    from devtools.wire.validate import fits

    return fits(dialect, kind, value)


def _starting(rounds: int) -> Iterator[tuple[str, ...]]:
    """The program as its users start it, in processor time: until the first finding, and until an explanation."""
    record = CONVERSATIONS["openai-chat"][0](1)[0]
    record["request"]["body"]["messages"] = []
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(json.dumps(record) + "\n")
        file.flush()
        sdk = ("-c", "import openai; openai.OpenAI(api_key='none')")
        one, other = _programs(rounds, ("-m", "conformance", "check", file.name), sdk)
    measured = f"{one * 1e3:.0f} ms : {other * 1e3:.0f} ms"
    yield "start-up to the first finding", "import openai, OpenAI()", f"{one / other:.2f}", "", measured
    plain = "import json, yaml"
    for words, aim in _STARTED:
        one, other = _programs(rounds, ("-m", "conformance", *words), ("-c", plain))
        yield _started(" ".join((*words[:-1], Path(words[-1]).name)), plain, (one, other), aim)
    with tempfile.TemporaryDirectory() as empty:
        uncompiled = os.environ | {"PYTHONPYCACHEPREFIX": empty, "PYTHONDONTWRITEBYTECODE": "1"}
        one, other = _programs(rounds, ("-m", "conformance", *_STARTED[0][0]), ("-c", plain), env=uncompiled)
    yield _started("check without any bytecode", plain, (one, other), "<= 5")


_STARTED = (
    (("check", str(min((SHIPPED / "openai-chat" / "weather").glob("*.yaml")))), "<= 6"),
    (("explain", "tool-call-unanswered"), "<= 12"),
    (("explain", "responses-request-field-wrong-type"), "<= 12"),
    (("explain", "ANY-007"), "<= 12"),
    (("--help",), "<= 3"),
)
"""Command lines, each with the most that it may cost as a multiple of the start of Python with YAML."""


def _started(what: str, plain: str, seconds: tuple[float, float], aim: str) -> tuple[str, ...]:
    one, other = seconds
    return what, f"python -c '{plain}'", f"{one / other:.1f}", aim, f"{one * 1e3:.0f} ms : {other * 1e3:.0f} ms"


def _programs(rounds: int, *programs: Sequence[str], env: Mapping[str, str] | None = None) -> list[float]:
    """The median processor time of each program; they take turns, so that all see the same machine."""
    times: list[list[float]] = [[] for _ in programs]
    for turn in range(rounds + 1):
        for taken, program in zip(times, programs, strict=True):
            begun = _children()
            done = subprocess.run([sys.executable, *program], capture_output=True, check=False, env=env)
            assert done.returncode in {0, 1}, done.stderr
            if turn:  # the first turn warms up
                taken.append(_children() - begun)
    return [statistics.median(taken) for taken in times]


def _processes(rounds: int) -> Iterator[tuple[str, ...]]:
    """`check` as a program over ten times the corpus, with one process and with two, by the clock on the wall."""
    with tempfile.TemporaryDirectory() as folder:
        path = _written(Path(folder), 10, most=None)
        taken: dict[str, list[float]] = {"1": [], "2": []}
        for _ in range(min(rounds, 2)):
            for jobs, times in taken.items():
                begun = time.perf_counter()
                _conformance("check", str(path), "--jobs", jobs, "--format", "json")
                times.append(time.perf_counter() - begun)
    one, two = statistics.median(taken["1"]), statistics.median(taken["2"])
    what, against = "check, ten times the corpus, one process", "two processes (--jobs 2)"
    yield what, against, f"{one / two:.2f}", ">= 1.8", f"{one:.2f} s : {two:.2f} s"


def _written(folder: Path, times: int, *, most: int | None = 20_000_000) -> Path:
    """A file of exchanges, so many times over, each time as other conversations, and of at most so many bytes."""
    path = folder / f"{times}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for turn in range(times):
            for line in _lines():
                record = json.loads(line)
                record["conversation"] = f"{turn} {record.get('conversation')}"
                file.write(json.dumps({"conversation": record.pop("conversation"), **record}) + "\n")
                if most is not None and file.tell() > (turn + 1) * most:
                    break
    return path


def _conformance(*arguments: str) -> int:
    """Runs the program; its peak memory in KiB, on Linux."""
    script = (
        "import sys, conformance.commands as commands\n"
        "try: commands.main()\n"
        "except SystemExit: pass\n"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(peak.split()[1], file=sys.stderr)"  # `ru_maxrss` counts what this program used when it forked
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True
    )
    return int(done.stderr.split()[-1])


def _memory(_: int) -> Iterator[tuple[str, ...]]:
    """The peak memory of `check` over a file, and over one ten times as long."""
    with tempfile.TemporaryDirectory() as folder:
        peaks = [_conformance("check", str(_written(Path(folder), times)), "--format", "json") for times in (2, 20)]
    measured = f"{peaks[1] >> 10} MB : {peaks[0] >> 10} MB"
    yield "memory, ten times the file", "the file", f"{peaks[1] / peaks[0]:.2f}", "<= 1.1", measured


def _replaying(rounds: int) -> Iterator[tuple[str, ...]]:
    """`replay` against the same calls of the same SDK under vcrpy alone, which judges nothing.

    It is the best that a user can do: vcrpy reads the cassettes, and one HTTP client serves all calls.
    """
    import httpx2

    from conformance.matrix.replay import replay

    http_client = httpx2.Client()
    for driver in ("openai", "anthropic", "google-genai"):
        cells = [cell for cell in PLAYED if cell.driver.name == driver and cell.scenario.executor == "scripted"][::4]
        ours, plain = _medians(
            rounds,
            lambda cells=cells: [replay(cell, SHIPPED / cell.relative_path) for cell in cells],  # type: ignore[misc]
            lambda cells=cells: _plainly(cells, http_client),  # type: ignore[misc]
        )
        measured = f"{ours / len(cells) * 1e3:.1f} ms : {plain / len(cells) * 1e3:.1f} ms a cell"
        yield f"replay, {driver}", "the same calls under plain vcrpy", f"{ours / plain:.2f}", "<= 1.3", measured


def _plugin(rounds: int) -> Iterator[tuple[str, ...]]:
    """A suite of 500 tests that do nothing, with the pytest plugin and without it, in processor time."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_it.py").write_text(
            "import pytest\n@pytest.mark.parametrize('n', range(500))\ndef test_it(n): pass\n", encoding="utf-8"
        )
        taken: dict[str, list[float]] = {}
        for turn in range(rounds + 1):
            for name, options in (
                ("blocked", ("-p", "no:conformance")),
                ("off", ()),
                ("on", ("--conformance-check",)),
            ):
                begun = _children()
                command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", *options, folder]
                ended = subprocess.run(command, capture_output=True, check=False, cwd=folder)
                if ended.returncode not in (0, 5):  # 5 with the option, because these tests have nothing to judge
                    raise subprocess.CalledProcessError(ended.returncode, command, ended.stdout, ended.stderr)
                if turn:
                    taken.setdefault(name, []).append(_children() - begun)
    blocked, off, on = (statistics.median(taken[name]) for name in ("blocked", "off", "on"))
    against = "500 tests with -p no:conformance"
    yield "pytest, plugin off", against, f"{off / blocked:.2f}", "<= 1.05", f"{off:.2f} s : {blocked:.2f} s"
    yield "pytest, --conformance-check", against, f"{on / blocked:.2f}", "", f"{on:.2f} s : {blocked:.2f} s"


def _children() -> float:
    """The processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _plainly(cells: Sequence[Any], http_client: Any) -> None:
    for cell in cells:
        _plain(cell, http_client)


def _plain(cell: Any, http_client: Any) -> None:
    import vcr

    from conformance.drivers import ClientReading, DriverInput
    from conformance.scenario.executor.scripted import ScriptedExecutor

    path = SHIPPED / cell.relative_path
    scenario = cell.scenario
    executor = ScriptedExecutor(scenario)
    tape = vcr.VCR(record_mode=vcr.mode.NONE, match_on=("method", "path"))
    with tape.use_cassette(str(path)):
        for conversation in scenario.conversations:
            inputs = DriverInput(
                user=conversation.user,
                system=scenario.system,
                tools=tuple(tool.definition for tool in scenario.tools),
                options=scenario.options,
                origin="http://reference.localhost",
                api_key="none",
                model=_model_of(cell),
                stream=cell.stream,
                execute=executor,
                http_client=http_client,
                max_turns=len(conversation.model) + 3,
            )
            with suppress(Exception):  # some scenarios end in an error of the SDK, here as there
                cell.driver.act(inputs, ClientReading())


def _model_of(cell: Any) -> str:
    from conformance.campaign.targets import all_targets

    return str(all_targets()["reference"].models[cell.dialect])


_PARTS: dict[str, Callable[[int], Iterator[tuple[str, ...]]]] = {
    "judging": _judging,
    "conversations": _conversations,
    "starting": _starting,
    "processes": _processes,
    "memory": _memory,
    "replaying": _replaying,
    "plugin": _plugin,
}


if __name__ == "__main__":
    freeze()
    main()
