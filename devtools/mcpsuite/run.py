"""Runs the official MCP conformance suite against our own MCP server and client: `make mcpsuite`.

It needs the packages of `package.json` in this folder. `scenarios.yaml` says which scenarios apply; one that applies
and fails, or one that is not listed, ends it with 1.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from conformance.scenario.executor.mcp import serving
from conformance.scenario.load import all_scenarios, read_scenario

HERE = Path(__file__).resolve().parent
SUITE = [str(HERE / "node_modules/.bin/node"), str(HERE / "node_modules/.bin/conformance")]
_SUMMARY = re.compile(r"^(\S) (\S+): (\d+) passed, (\d+) failed", re.MULTILINE)
_TIMEOUT_SECONDS = 900


def against(scenario: Any) -> dict[str, bool]:
    """Whether each server scenario of the suite passes at our server, with the tools of one of our scenarios."""
    with serving(scenario) as origin, tempfile.TemporaryDirectory() as folder:
        url = f"{origin.replace('127.0.0.1', 'localhost')}/mcp"
        command = [*SUITE, "server", "--url", url, "--suite", "all", "-o", folder]
        run = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
    found = _SUMMARY.findall(run.stdout)
    return {name: int(passed) > 0 and int(failed) == 0 for _, name, passed, failed in found}


def by_client(name: str, options: list[str]) -> bool:
    """Whether a client scenario of the suite passes with `conformance run`, by the official SDK and by our client."""
    command = [sys.executable, "-m", "conformance", "run", "--dialect", "mcp", "--revision", "2025-11-25", *options]
    arguments = ["client", "--command", shlex.join([*command, "--base-url"]), "--scenario", name, "--timeout", "120000"]
    run = subprocess.run([*SUITE, *arguments], capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
    return "OVERALL: PASSED" in run.stdout + run.stderr


def main() -> int:
    """Runs what applies, and prints a line for each scenario."""
    listed = yaml.safe_load((HERE / "scenarios.yaml").read_text(encoding="utf-8"))
    servers = {"weather": all_scenarios()["weather"], "suite": read_scenario(HERE / "server.yaml")}
    results = {name: against(scenario) for name, scenario in servers.items()}
    wrong = []
    for name, server in listed["server"]["applies"].items():
        passed = results[server].get(name, False)
        _write("passed" if passed else "FAILED", name, f"server with the tools of {server}")
        wrong += [] if passed else [name]
    for name, reason in listed["server"]["not_applicable"].items():
        _write("n/a", name, reason)
    unknown = set(results["weather"]) - set(listed["server"]["applies"]) - set(listed["server"]["not_applicable"])
    for name in sorted(unknown):
        _write("UNKNOWN", name, "not in scenarios.yaml")
    for name, options in listed["client"]["applies"].items():
        passed = by_client(name, options)
        _write("passed" if passed else "FAILED", name, "client: conformance run --dialect mcp")
        wrong += [] if passed else [name]
    for name, reason in listed["client"]["not_applicable"].items():
        _write("n/a", name, reason)
    return 1 if wrong or unknown else 0


def _write(state: str, name: str, reason: str) -> None:
    sys.stdout.write(f"{state:8} {name:38} {reason}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
