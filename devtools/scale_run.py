"""One run of `make scale`: `conformance check`, and the CPU time and peak memory of all processes that it started."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from conformance.commands import app

_EVERY = 0.5
_TICK = os.sysconf("SC_CLK_TCK")


class _Watch(threading.Thread):
    """Samples the processes below this one: those of an engine are not waited for, so no call adds them up."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.cpu: dict[int, float] = {}
        self.peak = 0.0
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(_EVERY):
            self.sample()

    def sample(self) -> None:
        parents: dict[int, int] = {}
        used: dict[int, tuple[float, float]] = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                fields = (path / "stat").read_text().rpartition(")")[2].split()
                status = (path / "status").read_text()
            except OSError:  # it has ended
                continue
            pid = int(path.name)
            parents[pid] = int(fields[1])
            memory = next((line.split()[1] for line in status.splitlines() if line.startswith("RssAnon")), "0")
            used[pid] = (int(fields[11]) + int(fields[12])) / _TICK, int(memory) / 1024
        for pid, (cpu, memory_used) in used.items():
            if pid in self.cpu or pid == os.getpid() or _is_below(pid, parents):
                self.cpu[pid] = cpu
                self.peak = max(self.peak, memory_used)

    def stop(self) -> None:
        self.sample()
        self._done.set()


def _is_below(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid == os.getpid():
            return True
    return False


if __name__ == "__main__":
    watch = _Watch()
    watch.start()
    code = 0
    try:
        code = app(["check", *sys.argv[1:], "--format", "json", "--output", os.devnull], standalone_mode=False) or 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 3
    watch.stop()
    print(json.dumps({"cpu": sum(watch.cpu.values()), "peak": watch.peak}), file=sys.stderr)  # noqa: T201
    sys.exit(code)
