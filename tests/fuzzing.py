"""`make fuzz`: inputs of every kind, broken in every way, through all readers and verbs in this process.

No input may end in a traceback, an internal error, a hang of more than two seconds, or growing memory. hypothesis draws
how a seed is broken; the seeds are the recordings and logs in `tests/data`, one cassette of each dialect, and the
examples of the rules. `SECONDS=60` is how long it runs. What was tried is added up in `.fuzz/total.json`, and an input
that failed is kept in `.fuzz`.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from conformance.cli import app
from conformance.judge.example import Example, base_names
from conformance.model.registry import all_dialects
from tests.cassettes import SHIPPED
from tests.conftest import ROOT

_HANG = 2.0
_BLOCK = 200
"""How many inputs one run of hypothesis draws."""
_GROWTH = 256 << 20
"""Bytes that the process may grow by after its first thousand inputs."""
_SETTLED = 1_000
_DATA = ROOT / "tests" / "data"
_VERBS: tuple[tuple[str, ...], ...] = (
    ("check", "--format", "json"),
    ("check", "--format", "text", "--verbose"),
    ("check", "--format", "html"),
    ("check", "--format", "github"),
    ("check", "--format", "issue"),
    ("show",),
    ("diff",),
)
_TOKENS = (
    b'"', b"{", b"}", b"[", b"]", b"\\", b"\x00", b"\xff\xfe", b"\x1f\x8b", "\ufffd".encode(),
    b"null", b"1e999", b"-", b"9" * 4400, b"data: ", b"\n\n", b"\r", b"!!timestamp x", b"&a [*a]", b"::error::",
    b"\x1b[31m", b"<tool_call>", b"<script>", b"[" * 400, b'{"":', b"!!binary '='", b"\\ud800", b"%00", b"../" * 9,
)  # fmt: skip


def seeds() -> list[tuple[str, bytes]]:
    """The suffix and the content of each seed."""
    files = [path for path in sorted(_DATA.rglob("*")) if path.is_file() and path.stat().st_size < 1 << 16]
    files += [min(folder.rglob("*.yaml")) for folder in sorted(SHIPPED.iterdir()) if folder.is_dir()]
    found = [("".join(path.suffixes[-2:]), path.read_bytes()) for path in files]
    for dialect in all_dialects():
        for name in base_names(dialect):
            records = Example(f"{dialect}/{name}").records()
            found.append((".jsonl", "".join(f"{json.dumps(each)}\n" for each in records).encode()))
    return found


@st.composite
def _edits(draw: st.DrawFn) -> list[tuple[str, float, float, int]]:
    """How a content is broken: what, from where, to where, and with which token."""
    kinds = st.sampled_from(("insert", "drop", "double", "flip", "cut", "token", "swap"))
    place = st.floats(0, 1, allow_nan=False)
    edit = st.tuples(kinds, place, place, st.integers(0, 1 << 16))
    return draw(st.lists(edit, min_size=1, max_size=6))


def broken(content: bytes, edits: Sequence[tuple[str, float, float, int]]) -> bytes:
    """The content with the edits made."""
    for kind, one, other, number in edits:
        start = int(one * len(content))
        end = min(len(content), start + int(other * 64) + 1)
        piece = content[start:end]
        if kind == "insert":
            content = content[:start] + bytes([number % 256]) + content[start:]
        elif kind == "drop":
            content = content[:start] + content[end:]
        elif kind == "double":
            content = content[:end] + piece * (number % 9) + content[end:]
        elif kind == "flip":
            content = content[:start] + bytes(each ^ (1 << number % 8) for each in piece[:1]) + content[start + 1 :]
        elif kind == "cut":
            content = content[: max(1, start)]
        elif kind == "token":
            content = content[:start] + _TOKENS[number % len(_TOKENS)] + content[end:]
        else:
            content = content[:start] + piece[::-1] + content[end:]
    return content


class Fuzz:
    """One campaign. `failures` are what was wrong, with the file that has the input."""

    def __init__(self, folder: Path) -> None:
        self.tried = 0
        self.failures: list[str] = []
        self._folder = folder
        self._seeds = seeds()
        self._size = 0

    def one(self, chosen: int, verb: int, edits: Sequence[tuple[str, float, float, int]]) -> None:
        """Runs a verb on one broken seed."""
        suffix, content = self._seeds[chosen % len(self._seeds)]
        arguments = _VERBS[verb % len(_VERBS)]
        content = broken(content, edits)
        with tempfile.TemporaryDirectory() as made:
            path = Path(made) / f"x{suffix}"
            path.write_bytes(content)
            paths = [str(path)]
            if arguments[0] == "diff":
                other = Path(made) / f"y{suffix}"
                other.write_bytes(self._seeds[chosen % len(self._seeds)][1])
                paths.append(str(other))
            begun = time.process_time()
            result = CliRunner().invoke(app, [*arguments, *paths])
            taken = time.process_time() - begun
        self.tried += 1
        problem = ""
        if result.exit_code not in (0, 1, 2):
            problem = f"exit {result.exit_code}: {result.stderr.strip()[-300:]}"
        elif result.exception is not None and not isinstance(result.exception, SystemExit):
            problem = f"traceback: {result.exception!r}"
        elif taken > _HANG and self.tried > _BLOCK:
            problem = f"{taken:.1f} s"
        if problem:
            name = self._folder / f"{hashlib.sha256(content).hexdigest()[:12]}{suffix}"
            name.write_bytes(content)
            self.failures.append(f"{' '.join(arguments)} {name.name}: {problem}")
            sys.stdout.write(f"{self.failures[-1]}\n")

    def grown(self) -> int:
        """The bytes by which the process has grown since it settled; 0 before."""
        size = _size()
        if self.tried < _SETTLED:
            self._size = size
        return size - self._size


def _size() -> int:
    """The bytes that the process has now; where that is unknown, the most that it ever had."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _block(fuzz: Fuzz, number: int) -> Callable[[], None]:
    @seed(number)
    @settings(
        max_examples=_BLOCK,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 1 << 16), st.integers(0, 1 << 8), _edits())
    def run(chosen: int, verb: int, edits: list[tuple[str, float, float, int]]) -> None:
        fuzz.one(chosen, verb, edits)

    return run


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints each failure, and how many inputs were tried and failed, now and in all; 1 if any failed now."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="by default, another one each time")
    chosen = parser.parse_args(arguments)
    folder = ROOT / ".fuzz"
    folder.mkdir(exist_ok=True)
    fuzz = Fuzz(folder)
    begun, number = time.monotonic(), chosen.seed if chosen.seed is not None else random.randrange(1 << 32)
    while time.monotonic() - begun < chosen.seconds:
        _block(fuzz, number)()
        number += 1
        gc.collect()
        if fuzz.grown() > _GROWTH:
            fuzz.failures.append(f"the process grew by {fuzz.grown() >> 20} MiB")
            sys.stdout.write(f"{fuzz.failures[-1]}\n")
            break
    total = _total(folder / "total.json", fuzz)
    sys.stdout.write(
        f"fuzz: {fuzz.tried} inputs tried, {len(fuzz.failures)} failed, {fuzz.grown() >> 20} MiB more memory; "
        f"in all {total['tried']} tried, {total['failed']} failed\n"
    )
    return 1 if fuzz.failures else 0


def _total(path: Path, fuzz: Fuzz) -> dict[str, int]:
    before = json.loads(path.read_text()) if path.exists() else {"tried": 0, "failed": 0}
    total = {"tried": before["tried"] + fuzz.tried, "failed": before["failed"] + len(fuzz.failures)}
    path.write_text(json.dumps(total))
    return total


if __name__ == "__main__":
    sys.exit(main())
