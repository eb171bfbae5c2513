"""Nights of two real servers: no alarm while they stay the same, and a report of what changed when they do not.

    python -m devtools.peers.nights FOLDER [aimock|litellm ...] [--quiet-nights N]

FOLDER holds what `make nights` installs: aimock in `node_modules`, and LiteLLM in two versions, each in a virtual
environment `litellm-VERSION`. aimock plays the same fixtures each night, then changed ones. LiteLLM stands before
`conformance serve --vary`, with another seed each night, first in its old version, then in the new one. A night that
FOLDER has already is not recorded again.

Prints each shift, and ends with 1 if a night without a change has an alarm, or the change has none.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from devtools.peers.aimock_fixtures import fixtures
from tests.servers import free_port, running

LITELLM = ("1.80.0", "1.106.2")
SAMPLES = 5
SCENARIOS = ("weather", "parallel-weather", "small-talk", "tool-error")
DRIVERS = {"openai-chat": "openai", "anthropic-messages": "anthropic", "gemini": "google-genai"}
MODELS = {"openai-chat": "gpt-4o", "anthropic-messages": "claude-sonnet-4-6", "gemini": "gemini-3-flash-preview"}
CLI = (sys.executable, "-m", "conformance")
_WEAK = {"LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true", "LITELLM_LOCAL_MODEL_COST_MAP": "true"}
_CONFIG = """
model_list:
  - model_name: over-chat
    litellm_params: {{model: openai/gpt-4o, api_base: "http://127.0.0.1:{port}/v1", api_key: no-key-needed}}
  - model_name: over-messages
    litellm_params: {{model: anthropic/claude-sonnet-4-6, api_base: "http://127.0.0.1:{port}", api_key: no-key-needed}}
litellm_settings: {{num_retries: 0, drop_params: false, telemetry: false}}
"""


def main() -> int:
    """Records and compares; the exit code says whether everything was as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("servers", nargs="*", default=["aimock", "litellm"], choices=["aimock", "litellm"])
    parser.add_argument("--quiet-nights", type=int, default=4, help="nights before the change (default: 4)")
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    good = True
    for name in options.servers:
        (folder / name).mkdir(parents=True, exist_ok=True)
        good &= (aimock if name == "aimock" else litellm)(folder, folder / name, options.quiet_nights)
    return 0 if good else 1


def aimock(folder: Path, work: Path, quiet: int) -> bool:
    """The fixtures of the scenarios on each night, then some that are changed."""
    usual = list(fixtures())
    version = json.loads((folder / "node_modules/@copilotkit/aimock/package.json").read_text())["version"]
    for night in missing(work, quiet + 1):
        changed = night > quiet
        port = free_port()
        path = work / f"fixtures-{night}.json"
        path.write_text(json.dumps({"fixtures": list(map(_changed, usual)) if changed else usual}), encoding="utf-8")
        command = (str(folder / "node_modules/.bin/llmock"), "-p", str(port), "-f", str(path))
        with running(command, port, log=work / "aimock.log"):
            for dialect, model in MODELS.items():
                record(work, night, port, dialect, model)
    return judged(f"aimock {version}: the same fixtures, then changed ones", work)


def _changed(fixture: Mapping[str, Any]) -> dict[str, Any]:
    """Calls with an argument more, and texts without the numbers that tools returned."""
    response = dict(fixture["response"])
    if "toolCalls" in response:
        response["toolCalls"] = [
            {**call, "arguments": {**call["arguments"], "verbose": True}} for call in response["toolCalls"]
        ]
    if "content" in response:
        response["content"] = "".join("?" if letter.isdigit() else letter for letter in response["content"])
    return {**fixture, "response": response}


def litellm(folder: Path, work: Path, quiet: int) -> bool:
    """The old version on each night, then the new one; the upstream varies every night."""
    old, new = LITELLM
    for night in missing(work, quiet + 1):
        version = new if night > quiet else old
        upstream, port = free_port(), free_port()
        config = work / f"config-{night}.yaml"
        config.write_text(_CONFIG.format(port=upstream), encoding="utf-8")
        serve = (*CLI, "serve", "--port", str(upstream), "--vary", str(night))
        proxy = (str(folder / f"litellm-{version}/bin/litellm"), "--config", str(config), "--host", "127.0.0.1")
        with (
            running(serve, upstream, log=work / "serve.log"),
            running((*proxy, "--port", str(port)), port, log=work / "log", more=_WEAK),
        ):
            for dialect in DRIVERS:
                for model in ("over-chat", "over-messages"):
                    record(work, night, port, dialect, model)
    return judged(f"LiteLLM {old}, then {new}, before `serve --vary`", work)


def missing(work: Path, number: int) -> Iterator[int]:
    """The nights that are not recorded yet. One that was begun is recorded again as a whole."""
    for night in range(1, number + 1):
        done = work / f"night-{night}-recorded"
        if not done.exists():
            shutil.rmtree(work / "nights" / f"2026-11-{night:02}", ignore_errors=True)
            yield night
            done.touch()


def record(work: Path, night: int, port: int, dialect: str, model: str) -> None:
    """Records the samples of one dialect and model."""
    command = [*CLI, "record", "--base-url", f"http://127.0.0.1:{port}", "--name", f"{work.name}-{model}"]
    command += ["--dialect", dialect, "--driver", DRIVERS[dialect], "--model", model, "--samples", str(SAMPLES)]
    for scenario in SCENARIOS:
        command += ["--scenario", scenario]
    command += ["--cassettes", str(work / "nights" / f"2026-11-{night:02}"), "--jobs", "2", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def judged(title: str, work: Path) -> bool:
    """Compares each night from the third on with those before it; only the last one has a change."""
    write(f"\n{title}: {SAMPLES} samples a night")
    nights = sorted((work / "nights").iterdir())
    good = True
    for number in range(2, len(nights)):
        before, now = nights[:number], nights[number]
        reported = [*CLI, "diff", *map(str, before), "--new", str(now), "--strict", "--confidence", "0.9995"]
        done = subprocess.run([*reported, "--format", "json"], capture_output=True, text=True, check=False)
        report = json.loads(done.stdout)
        shifts = [each for each in (*report["provider"], *report["client"]) if each["grade"] != "noise"]
        last = number == len(nights) - 1
        good &= bool(shifts) is last
        summary = report["summary"]
        write(
            f"{now.name} ({'changed' if last else 'the same'}): {len(shifts)} shifts to look at, {summary['cells']} "
            f"cells, {summary['recordings']['old']} recordings before, {summary['recordings']['new']} now"
        )
        for each in shifts:
            write(f"  {each['grade']:7} {each['side']}: {each['message']}")
            write(f"          {each.get('scope', '')}; {len(each['cells'])} cells: {', '.join(each['cells'][:3])}")
    return good


def write(text: str) -> None:
    """Prints a line at once."""
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    raise SystemExit(main())
