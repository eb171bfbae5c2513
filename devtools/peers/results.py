"""Runs the servers, gateways and clients that can be installed, and keeps their reports: `make results`.

    python -m devtools.peers.results --folder .peers --reports docs/results

Installs each into `--folder`, and writes `IMPLEMENTATION/VERSION/DATE.json` into `--reports`, as `conformance results`
reads it. Of a client whose report under faults `make clients` has written, that report is taken; of a gateway, the
losses that `make gateways` has written are added. What cannot be installed or started is named at the end.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from conformance.model.printable import count
from devtools.places import ROOT
from tests.servers import NotStartedError, free_port, running

SMALL = 60_000
"""Reports above this size are gzipped."""
SERVE_TIMEOUT = "60"
FAULTS = "faults"
DRIVERS = {
    "openai-chat": "openai",
    "openai-responses": "openai",
    "anthropic-messages": "anthropic",
    "gemini": "google-genai",
}
MODELS = {
    "openai-chat": "gpt-4o",
    "openai-responses": "gpt-4o",
    "anthropic-messages": "claude-sonnet-4-6",
    "gemini": "gemini-2.5-flash",
}
PACKAGES = {
    "openai (Python)": "openai",
    "anthropic (Python)": "anthropic",
    "google-genai (Python)": "google-genai",
    "openai (Node)": "openai",
    "@anthropic-ai/sdk": "@anthropic-ai/sdk",
    "@google/genai": "@google/genai",
    "AI SDK": "ai",
    "LangChain (Node)": "langchain",
    "@openai/agents": "@openai/agents",
    "Mastra": "@mastra/core",
    "pydantic-ai": "pydantic-ai-slim",
    "openai-agents": "openai-agents",
    "instructor": "instructor",
    "LiteLLM": "litellm",
    "smolagents": "smolagents",
    "LangChain (Python)": "langchain",
    "LlamaIndex": "llama-index-core",
    "Strands": "strands-agents",
    "any-llm": "any-llm-sdk",
    "Haystack": "haystack-ai",
    "Semantic Kernel": "semantic-kernel",
    "AutoGen": "autogen-agentchat",
    "Agno": "agno",
    "Mirascope": "mirascope",
    "Google ADK": "google-adk",
    "Genkit": "genkit",
    "Strands (TypeScript)": "@strands-agents/sdk",
}
"""The package whose version is that of the client, by the name before the comma in `examples/clients/run.py`."""


@dataclass(frozen=True)
class Peer:
    """A server or gateway. `over` is its upstream: our reference server, if it has one. npm installs its `overrides`.

    In `command`, `config`, `headers` and `environment`, `{port}`, `{upstream}` and `{folder}` stand for the port, the
    origin of the upstream and the folder of the configuration.
    """

    name: str
    kind: str
    homepage: str
    package: str
    note: str
    command: Sequence[str]
    dialects: Mapping[str, str]
    npm: bool = False
    over: bool = False
    config: str = ""
    headers: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    fixtures: bool = False
    extras: Sequence[str] = ()
    losses: str = ""
    """Its name in the reports of `make gateways`."""
    overrides: Mapping[str, str] = field(default_factory=dict)


LITELLM = """\
model_list:
  - model_name: over-openai
    litellm_params: {model: openai/gpt-4o, api_base: "UPSTREAM/v1", api_key: no-key-needed}
litellm_settings: {num_retries: 0, drop_params: false, telemetry: false}
"""
PEERS = [
    Peer(
        "aimock",
        "server",
        "https://github.com/CopilotKit/aimock",
        "@copilotkit/aimock",
        "A mock server. Its answers are fixtures that are generated from the scenarios.",
        ["{folder}/node_modules/.bin/llmock", "-p", "{port}", "-f", "{folder}/fixtures.json"],
        MODELS,
        npm=True,
        fixtures=True,
    ),
    Peer(
        "LiteLLM proxy",
        "gateway",
        "https://github.com/BerriAI/litellm",
        "litellm",
        "A gateway. Its upstream is the reference server as an OpenAI endpoint.",
        ["{bin}/litellm", "--config", "{folder}/config.yaml", "--host", "127.0.0.1", "--port", "{port}"],
        dict.fromkeys(MODELS, "over-openai"),
        over=True,
        config=LITELLM,
        environment={"LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true"},
        extras=["litellm[proxy]"],
        losses="litellm",
    ),
    Peer(
        "Portkey gateway",
        "gateway",
        "https://github.com/Portkey-AI/gateway",
        "@portkey-ai/gateway",
        "A gateway. Its upstream is the reference server as an OpenAI endpoint. It runs with hono 4.9.7 and "
        "@hono/node-server 1.3.3; with the newest of November 2026, it answers every stream with status 500.",
        ["node", "{folder}/node_modules/@portkey-ai/gateway/build/start-server.js", "--headless", "--port={port}"],
        {name: MODELS[name] for name in ("openai-chat", "openai-responses")},
        npm=True,
        over=True,
        headers=["x-portkey-provider: openai", "x-portkey-custom-host: {upstream}/v1"],
        environment={"TRUSTED_CUSTOM_HOSTS": "127.0.0.1,localhost"},
        overrides={"hono": "4.9.7", "@hono/node-server": "1.3.3"},
        losses="portkey",
    ),
]


class UnavailableError(Exception):
    """It cannot be installed or started here."""


def shell(command: Sequence[str], **more: Any) -> None:
    """Runs an installation.

    Raises:
        UnavailableError: it failed.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise UnavailableError(f"{' '.join(command[:3])}: {done.stderr.strip()[-300:]}")


def conformance(*arguments: str, output: Path) -> None:
    """Runs a command of the suite with a JSON report.

    Raises:
        UnavailableError: there is no report.
    """
    command = [sys.executable, "-m", "conformance", *arguments]
    where = command.index("--") if "--" in command else len(command)
    command[where:where] = ["--format", "json", "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not output.is_file():
        raise UnavailableError(done.stderr.strip()[-300:])


def installed(peer: Peer, folder: Path) -> tuple[Path, str]:
    """The folder of a peer's programs, and its version."""
    home = folder / peer.package.strip("@").replace("/", "-")
    if peer.npm:
        home.mkdir(parents=True, exist_ok=True)
        if not (home / "node_modules").is_dir():
            wanted = {"private": True, "dependencies": {peer.package: "*"}, "overrides": dict(peer.overrides)}
            (home / "package.json").write_text(json.dumps(wanted))
            shell(["npm", "install", "--no-audit", "--no-fund"], cwd=home)
        reported = json.loads((home / "node_modules" / peer.package / "package.json").read_text())
        return home, reported["version"]
    if not (home / "bin").is_dir():
        shell([sys.executable, "-m", "venv", str(home)])
        shell([str(home / "bin" / "pip"), "install", "--quiet", *(peer.extras or [peer.package])])
    return home, version_of(home / "bin" / "python", peer.package)


def version_of(python: Path, package: str) -> str:
    """The version of a package in an environment."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def run_peer(peer: Peer, folder: Path) -> Iterator[tuple[str, str, Path]]:
    """The version, the part and the JSON report of each dialect of a server or gateway."""
    home, version = installed(peer, folder)
    upstream, port = free_port(), free_port()
    values = {
        "port": str(port),
        "folder": str(home),
        "bin": str(home / "bin"),
        "upstream": f"http://127.0.0.1:{upstream}",
    }
    if peer.config:
        (home / "config.yaml").write_text(peer.config.replace("UPSTREAM", values["upstream"]))
    if peer.fixtures:
        make = [sys.executable, "-m", "devtools.peers.aimock_fixtures"]
        (home / "fixtures.json").write_bytes(subprocess.run(make, capture_output=True, check=True).stdout)
    command = [each.format(**values) for each in peer.command]
    serve = [sys.executable, "-m", "conformance", "serve", "--port", str(upstream), "--quiet"]
    with (
        _upstream(serve, upstream, home) if peer.over else _nothing(),
        running(command, port, log=home / "server.log", more=peer.environment),
    ):
        for dialect, model in peer.dialects.items():
            output = home / f"{dialect}.json"
            output.unlink(missing_ok=True)
            conformance(
                *("run", "--base-url", f"http://127.0.0.1:{port}", "--name", peer.name.lower().replace(" ", "-")),
                *("--dialect", dialect, "--model", model, "--driver", DRIVERS[dialect]),
                *(word for each in peer.headers for word in ("--header", each.format(**values))),
                output=output,
            )
            yield version, dialect, output


@contextmanager
def _upstream(command: Sequence[str], port: int, home: Path) -> Iterator[None]:
    with running(command, port, log=home / "upstream.log"):
        yield


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def clients() -> Any:
    """The module `examples/clients/run.py`."""
    spec = importlib.util.spec_from_file_location("clients_run", ROOT / "examples" / "clients" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run_client(module: Any, program: Any, folder: Path) -> tuple[str, Path]:
    """The version of a client, and the JSON report of its program."""
    command = module.installed(program, folder)
    package = PACKAGES[program.name.partition(", ")[0]]
    if program.group in module.NODE:
        reported = json.loads((folder / program.group / "node_modules" / package / "package.json").read_text())
        version = reported["version"]
    else:
        version = version_of(folder / f"venv-{program.group}" / "bin" / "python", package)
    output = module.report_of(program, folder, FAULTS)
    if not output.is_file():
        conformance(
            "serve", "--quiet", "--timeout", SERVE_TIMEOUT, "--behaviour", FAULTS, "--", *command, output=output
        )
    return version, output


def losses(peer: Peer, folder: Path) -> Iterator[tuple[str, str, Path]]:
    """The version, the part and the report of each client dialect of a gateway that `make gateways` has run."""
    for report in sorted((folder / "reports").glob(f"{peer.losses}-*.json")) if peer.losses else ():
        if peer.npm:
            home = folder / peer.losses / "node_modules" / peer.package
            version = json.loads((home / "package.json").read_text())["version"]
        else:
            version = version_of(folder / peer.losses / "bin" / "python", peer.package)
        yield version, report.stem.replace(peer.losses, "losses", 1), report


def day(report: Path) -> str:
    """The day on which a report was written."""
    return datetime.fromtimestamp(report.stat().st_mtime, UTC).date().isoformat()


def keep(report: Path, into: Path, name: str) -> None:
    """Writes a report without what is about this machine: the command of the client, and its paths."""
    reported = json.loads(report.read_text())
    reported.pop("client", None)
    text = json.dumps(reported, indent=None).replace(", {", ",\n{")
    assert str(Path.home()) + "/" not in text
    assert tempfile.gettempdir() + "/" not in text
    into.mkdir(parents=True, exist_ok=True)
    for old in (into / f"{name}.json", into / f"{name}.json.gz"):
        old.unlink(missing_ok=True)
    if len(text) < SMALL:
        (into / f"{name}.json").write_text(f"{text}\n")
    else:
        (into / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def about(folder: Path, **reported: str) -> None:
    """Writes `about.yaml`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "about.yaml").write_text("".join(f"{key}: {_yaml(value)}\n" for key, value in reported.items() if value))


def _yaml(value: str) -> str:
    lines = value.splitlines()
    return json.dumps(value) if len(lines) == 1 else "\n".join(["|-", *(f"  {line}" for line in lines)])


def package_of(name: str, *, npm: bool) -> str:
    """Where its versions are published."""
    return f"{'npm' if npm else 'pypi'}:{name}"


def run_of(peer: Peer) -> str:
    """The command for each dialect of a server or gateway."""
    headers = "".join(f" --header '{each.format(upstream='http://127.0.0.1:18960')}'" for each in peer.headers)
    return "\n".join(
        f"conformance run --base-url http://127.0.0.1:8000 --dialect {dialect} --model {model}{headers}"
        for dialect, model in peer.dialects.items()
    )


def runs_of(module: Any, name: str) -> str:
    """The command for each program of a client."""
    lines = []
    for each in module.PROGRAMS:
        if each.name.partition(", ")[0] == name:
            runner, folder = ("node", "node") if each.group in module.NODE else ("python", "python")
            program = f"{runner} examples/clients/{folder}/{each.script} {each.argument}".strip()
            lines.append(f"conformance serve --behaviour {FAULTS} -- {program}")
    return "\n".join(lines)


def slug(name: str) -> str:
    """The name of a folder; `@openai/agents` of npm is another than `openai-agents` of PyPI."""
    words = "".join(each if each.isalnum() else " " for each in name.lower()).split()
    return "-".join(["npm", *words] if name.startswith("@") else words)


def wanted(name: str, only: Sequence[str]) -> bool:
    """Whether a name is among those that were asked for."""
    return not only or any(each.lower() in name.lower() for each in only)


def write(text: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(".peers"), help="where to install")
    parser.add_argument("--clients", type=Path, default=Path(".clients"), help="where `make clients` installs")
    parser.add_argument("--gateways", type=Path, default=Path(".gateways"), help="where `make gateways` writes")
    parser.add_argument("--reports", type=Path, default=Path("docs/results"))
    parser.add_argument("--only", action="append", default=[], help="only those whose name contains this; repeatable")
    chosen = parser.parse_args()
    missing, done = [], 0
    for peer in PEERS:
        if not wanted(peer.name, chosen.only):
            continue
        home = chosen.reports / slug(peer.name)
        try:
            found = losses(peer, chosen.gateways.resolve())
            for version, part, report in chain(found, run_peer(peer, chosen.folder.resolve())):
                facts = {"name": peer.name, "kind": peer.kind, "homepage": peer.homepage, "note": peer.note}
                about(home, **facts, package=package_of(peer.package, npm=peer.npm), run=run_of(peer))
                keep(report, home / version, f"{day(report)}-{part}")
                done += 1
                write(f"{peer.name} {version} {part}")
        except (UnavailableError, NotStartedError, OSError) as error:
            missing.append(f"{peer.name}: {error}")
    module = clients()
    for program in module.PROGRAMS:
        name, _, part = program.name.partition(", ")
        if not wanted(name, chosen.only):
            continue
        home = chosen.reports / slug(name if name not in {each.name for each in PEERS} else f"{name} client")
        try:
            chosen.clients.mkdir(parents=True, exist_ok=True)
            version, report = run_client(module, program, chosen.clients.resolve())
        except (UnavailableError, OSError, subprocess.CalledProcessError) as error:
            missing.append(f"{program.name}: {error}")
            continue
        note = "A client. Its program asks two questions of the scenarios, weather and parallel-weather."
        package = package_of(PACKAGES[name], npm=program.group in module.NODE)
        about(home, name=name, kind="client", note=note, package=package, run=runs_of(module, name))
        keep(report, home / version, f"{day(report)}-{slug(part)}" if part else day(report))
        done += 1
        write(f"{program.name} {version}")
    write(f"{count(done, 'report')} in {chosen.reports}")
    for each in missing:
        write(f"not run: {each}")
    return 1 if missing and not done else 0


if __name__ == "__main__":
    sys.exit(main())
