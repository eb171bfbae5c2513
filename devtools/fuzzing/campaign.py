"""Runs one input at a time, and reports what was wrong with how it was read."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import io
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from urllib.parse import quote, urlsplit

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from conformance.commands import app
from conformance.model.exchange import Body, Headers, Request
from conformance.profiles import profiles
from conformance.reference.sessions import Sessions
from conformance.scenario.load import all_scenarios
from devtools.fuzzing.breaking import Choices, broken
from devtools.fuzzing.surfaces import Seed, Surface, call, surfaces

HANG = 2.0
"""Seconds of CPU time that one input may take."""
SETTLED = 50_000
"""Inputs after which the process should have its size: its bounded caches are full by then."""
GROWTH = 64 << 20
"""Bytes that the process may grow by after that."""
_EXITS = (0, 1, 2)
_BLOCK = 1_000
"""How many inputs one run of hypothesis draws."""
Reported = tuple[int, int, int]
"""How many inputs a process tried, how many failed, and by how many bytes it grew."""


class Fuzz:
    """One campaign. `failures` are what was wrong, each with the file in `kept` that has the input.

    `code` and `stderr` are the exit code of the latest command, and what it wrote to standard error.
    """

    def __init__(self, folder: Path, kept: Path) -> None:
        self.tried = 0
        self.failures: list[str] = []
        self.code: object = None
        self.stderr = ""
        self._folder = folder
        self._kept = kept
        self._size = 0
        self._surfaces = [each for each in surfaces() for _ in range(each.weight)]
        self._sessions = Sessions(all_scenarios())
        self._out, self._err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(2))

    def one(self, drawn: bytes) -> None:
        """Breaks the seed that the bytes choose, and reads it by the command that they choose."""
        choices = Choices(drawn)
        surface = self._surfaces[choices.below(len(self._surfaces))]
        seed = surface.seeds[choices.below(len(surface.seeds))]
        command = surface.commands[choices.below(len(surface.commands))] if surface.commands else ()
        content = broken(seed.content, choices)
        self.tried += 1
        problem, taken = self._timed(surface, seed, command, content)
        if not problem and taken > HANG:  # again, for the first input of its kind may have imported an SDK
            problem, taken = self._timed(surface, seed, command, content)
            problem = problem or (f"{taken:.1f} s" if taken > HANG else "")
        if problem:
            self._failed(f"{surface.name}: {' '.join(command)}", content, seed, problem)

    def _timed(self, surface: Surface, seed: Seed, command: Sequence[str], content: bytes) -> tuple[str, float]:
        begun = time.process_time()
        return self.read(surface, seed, command, content), time.process_time() - begun

    def read(self, surface: Surface, seed: Seed, command: Sequence[str], content: bytes) -> str:
        """What was wrong with how the content was read; empty if nothing was."""
        if not surface.commands:
            return self._served(content)
        shutil.rmtree(self._folder, ignore_errors=True)
        for place, data in ((seed.place, content), *self._beside(seed, command)):
            path = self._folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        values = {"it": self._folder / seed.place, "good": self._folder / f"good/{seed.place}"}
        words = [
            each.replace("{}", str(self._folder)).format(call=self._folder / "call.jsonl", **values)
            for part in command
            for each in (seed.words if part == "{words}" else (part,))
        ]
        with chdir(self._folder):
            self.code, self.stderr = self._invoked(words, content if "-" in command else b"")
        profiles._ADDED.clear()
        if self.code not in _EXITS:
            return f"exit {self.code}: {self.stderr[-300:]}"
        return "exit 2 without a message" if self.code == 2 and not self.stderr else ""

    def _invoked(self, words: Sequence[str], given: bytes) -> tuple[object, str]:
        """The exit code of a command in this process, or its exception, and what it wrote to standard error.

        The streams are always the same: click keeps every stream that it has written to.
        """
        for stream in (self._out, self._err):
            stream.seek(0)
            stream.truncate()
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given), "utf-8")
        code: object = None
        try:
            with redirect_stdout(self._out), redirect_stderr(self._err):
                app.main(words, "conformance", standalone_mode=True)
        except SystemExit as done:
            code = done.code or 0
        except BaseException as error:  # noqa: BLE001 - any of them is what this looks for
            code = repr(error)
        finally:
            sys.stdin = before
        self._err.seek(0)
        return code, self._err.read().strip()

    def _beside(self, seed: Seed, command: Sequence[str]) -> list[tuple[str, bytes]]:
        found = []
        if "{good}" in command:
            found.append((f"good/{seed.place}", seed.content))
        if "{call}" in command:
            found.append(("call.jsonl", call()))
        if seed.place.startswith("nights/"):
            found.append((seed.place.replace("2026-11-21", "2026-11-20"), seed.content))
        return found

    def _served(self, content: bytes) -> str:
        """Sends the request, if it is one, to a reference server in this process."""
        try:
            reported = json.loads(content)
            body = reported["body"] if isinstance(reported["body"], str) else json.dumps(reported["body"])
            headers = Headers([(str(name), str(value)) for name, value in dict(reported["headers"]).items()])
            parts = urlsplit(str(reported["url"]))
            url = f"http://127.0.0.1{quote(parts.path)}?{quote(parts.query, safe='=&')}"
            request = Request(str(reported["method"]), url, headers, Body(body.encode("utf-8", "replace")))
        except (ValueError, KeyError, TypeError, RecursionError):
            return ""
        if self.tried % 1_000 == 0:
            self._sessions = Sessions(all_scenarios())
        try:
            delivery = self._sessions.respond(request, "fuzz")
        except Exception as error:  # noqa: BLE001 - any of them is what this looks for
            return f"traceback: {error!r}"
        faults = [fault for session in self._sessions.all for fault in session.checker.summary.harness_errors]
        status = delivery.rendered.status
        return f"internal error: {faults[0]}" if faults else "" if status != 500 else f"status {status}"

    def _failed(self, what: str, content: bytes, seed: Seed, problem: str) -> None:
        name = f"{hashlib.sha256(content).hexdigest()[:12]}-{Path(seed.place).name}"
        (self._kept / name).write_bytes(content)
        self.failures.append(f"{what} {name}: {problem}")
        sys.stdout.write(f"{self.failures[-1]}\n")
        sys.stdout.flush()

    def grown(self) -> int:
        """The bytes by which the process has grown since it settled; 0 before."""
        size = _size()
        if self.tried < SETTLED:
            self._size = size
        return size - self._size


def _size() -> int:
    """The bytes that the process has now; where that is unknown, the most that it ever had."""
    status = Path("/proc/self/statm")
    if status.exists():
        with suppress(OSError, AttributeError):  # glibc keeps what is free; other libraries have no such function
            ctypes.CDLL(None).malloc_trim(0)
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def campaign(number: int, seconds: float, kept: Path) -> Reported:
    """Runs blocks of inputs until the time is over."""
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as made:
        fuzz = Fuzz(Path(made) / "work", kept)
        while time.monotonic() < until:
            _block(fuzz, number, until)()
            number += 1
            gc.collect()
            if fuzz.grown() > GROWTH:
                fuzz.failures.append("memory")
                sys.stdout.write(f"the process grew by {fuzz.grown() >> 20} MiB, to input {fuzz.tried}\n")
                break
        return fuzz.tried, len(fuzz.failures), fuzz.grown()


def _block(fuzz: Fuzz, number: int, until: float) -> Callable[[], None]:
    @seed(number)
    @settings(
        max_examples=_BLOCK,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.binary(min_size=4, max_size=64))
    def run(drawn: bytes) -> None:
        if time.monotonic() < until:
            fuzz.one(drawn)

    return run
