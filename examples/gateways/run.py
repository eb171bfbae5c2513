"""Installs LiteLLM and Portkey into a folder, and runs `conformance gateway` against both: `make gateways`.

JSON reports go to `FOLDER/reports`, one for each gateway and client dialect, with the recordings of both legs; `make
results` makes a table of them. Options after `--` go to `conformance gateway`:
`python examples/gateways/run.py -- --scenario weather`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
LITELLM = "litellm[proxy]==1.108.7"
DRIVERS = {
    "openai-chat": "openai",
    "openai-responses": "openai",
    "anthropic-messages": "anthropic",
    "gemini": "google-genai",
}
"""The official SDK of each client dialect."""

PORTKEY = {
    "openai-chat": ("openai", "gpt-4o-mini", "/v1"),
    "openai-responses": ("openai", "gpt-4o-mini", "/v1"),
    "anthropic-messages": ("anthropic", "claude-sonnet-4-6", "/v1"),
    "gemini": ("google", "gemini-3-flash-preview", ""),
}
"""Portkey's provider, the model, and the path before its own paths, for each upstream dialect."""
PORTKEY_PAIRS = {
    "openai-chat": ("openai-chat", "anthropic-messages", "gemini"),
    "openai-responses": ("openai-responses", "anthropic-messages"),
    "anthropic-messages": ("anthropic-messages", "openai-chat", "gemini"),
}
"""The pairs of the open-source gateway, among them three that it answers with 500, `... is not supported by ...`."""


def litellm(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The options of each client dialect; installs the gateway if it is not there."""
    where = folder / "litellm"
    if not (where / "bin" / "litellm").exists():
        venv.create(where, with_pip=True)
        subprocess.run([str(where / "bin" / "pip"), "install", "--quiet", LITELLM], check=True)
    command = ["env", "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY=true", str(where / "bin" / "litellm")]
    command += ["--config", str(HERE / "litellm.yaml"), "--host", "127.0.0.1", "--port", "18961"]
    upstreams = [word for dialect in DRIVERS for word in ("--upstream-dialect", dialect)]
    place = ["--base-url", "http://127.0.0.1:18961", "--upstream-port", "18960", "--start-timeout", "180"]
    for client in DRIVERS:
        yield client, [*place, *upstreams, "--", *command]


def portkey(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The same; Portkey is told its upstream by headers."""
    where = folder / "portkey"
    server = where / "node_modules" / "@portkey-ai" / "gateway" / "build" / "start-server.js"
    if not server.exists():
        where.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", where)
        subprocess.run(["npm", "install", "--silent", "--prefix", str(where)], check=True)
    place = ["--base-url", "http://127.0.0.1:18963", "--upstream-port", "18962"]
    for client, upstreams in PORTKEY_PAIRS.items():
        words: list[str] = []
        for each in upstreams:
            provider, model, path = PORTKEY[each]
            words += ["--upstream-dialect", each, "--model", f"{each}={model}"]
            words += ["--header", f"{each}=x-portkey-provider: {provider}"]
            words += ["--header", f"{each}=x-portkey-custom-host: {{upstream_url}}{path}"]
        yield client, [*place, *words, "--", "node", str(server), "--port=18963", "--headless"]


def main() -> int:
    """Returns the worst exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(".gateways"))
    parser.add_argument("--gateway", choices=["litellm", "portkey"], help="Only this one.")
    parser.add_argument("options", nargs="*", help="Options of `conformance gateway`.")
    given = parser.parse_args()
    reports = given.folder / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    worst = 0
    for name, made in (("litellm", litellm), ("portkey", portkey)):
        if given.gateway not in (None, name):
            continue
        for client, words in made(given.folder.resolve()):
            report = reports / f"{name}-{client}.json"
            print(report, flush=True)
            command = [sys.executable, "-m", "conformance", "gateway", "--client-dialect", client]
            command += ["--driver", DRIVERS[client], "--format", "json", "--output", str(report)]
            command += ["--save", str(reports / f"{name}-legs"), *given.options, *words]
            worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
