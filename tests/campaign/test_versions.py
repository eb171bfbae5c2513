"""Other versions of clients: extras, what cannot be driven, and the comparison of environments."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from click.testing import CliRunner, Result

import conformance
from conformance.campaign import environments
from conformance.campaign.environments import Environment, client_of
from conformance.commands import app
from conformance.commands.replay import versions
from conformance.drivers import all_drivers, installed, transport
from conformance.drivers.installed import known_options, library_of, why_not_driven
from conformance.drivers.transport import Capture
from conformance.errors import ConformanceError
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios

WORDS = all_scenarios()["small-talk"].conversations[0].user
KEY = {"authorization": "Bearer key"}
BODY = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": WORDS}]}


@pytest.fixture
def versions_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Pretends that these versions are installed, and no others."""

    def pretend(**found: str) -> None:
        known = {name.replace("_", "-"): tuple(map(int, number.split("."))) for name, number in found.items()}
        monkeypatch.setattr(installed, "version_of", known.get)
        monkeypatch.setattr(installed, "version", lambda name: ".".join(map(str, known[name])))

    return pretend


@pytest.mark.process
@pytest.mark.parametrize(
    ("found", "package", "since", "message"),
    [
        ({}, "openai", "1.55", "openai is not installed: pip install 'tool-use-conformance[openai]'"),
        ({"openai": "1.20.0"}, "openai", "1.55", "openai 1.20.0 cannot be driven: install openai>=1.55"),
        ({"openai": "3.52.0"}, "openai", "1.55", "vcrpy is not installed: pip install 'tool-use-conformance[record]'"),
        (
            {"openai": "3.52.0", "vcrpy": "8.0.0"},
            "openai",
            "1.55",
            "vcrpy 8.0.0 cannot record httpx2, which openai uses: install vcrpy>=9.4",
        ),
        ({"cohere": "7.3.1", "vcrpy": "6.0.2"}, "cohere", "1.0", None),
    ],
)
def test_a_client_that_cannot_be_driven_names_what_to_install(
    versions_of: Callable[..., None], found: dict[str, str], package: str, since: str, message: str | None
) -> None:
    versions_of(**found)
    assert why_not_driven(package, since) == message


@pytest.mark.process
def test_a_client_on_another_http_library_is_not_driven(
    versions_of: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    versions_of(google_genai="1.0.0", vcrpy="9.4.2")
    monkeypatch.setattr(installed, "library_of", lambda _: None)
    assert "uses neither httpx nor httpx2" in str(why_not_driven("google-genai", "1.0"))


def test_the_library_is_that_of_the_client_or_of_what_it_builds_on() -> None:
    found = {driver.package: library_of(driver.package) for driver in all_drivers()}
    assert set(found.values()) <= {"httpx", "httpx2"}
    assert found["langchain-openai"] == found["openai"]
    assert found["langchain-google-genai"] == found["google-genai"]
    assert library_of("pyyaml") is None


@pytest.mark.process
def test_a_skipped_client_is_one_line_for_all_its_cells(versions_of: Callable[..., None]) -> None:
    versions_of(openai="3.52.0", vcrpy="9.4.2")
    shown = CliRunner().invoke(app, ["replay", "--scenario", "weather", "--dialect", "anthropic-messages"])
    assert (shown.exit_code, shown.output.count("\n")) == (2, 1)
    assert "anthropic is not installed: pip install 'tool-use-conformance[anthropic]'" in shown.output


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "module", "package", "extra"),
    [
        (["serve", "--port", "0"], "uvicorn", "uvicorn", "serve"),
        (["replay", "--scenario", "weather", "--dialect", "gemini"], "vcr", "vcrpy", "record"),
    ],
)
def test_a_verb_that_lacks_its_extra_names_it(arguments: list[str], module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; from conformance.commands import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"{arguments[0]} needs {package}, which is not installed" in done.stderr
    assert f"pip install 'tool-use-conformance[{extra}]'" in done.stderr


@pytest.mark.process
def test_what_judges_needs_no_client_no_recorder_and_no_server() -> None:
    missing = ["openai", "anthropic", "google.genai", "mcp", "httpx", "httpx2", "vcr", "starlette", "uvicorn", "pytest"]
    code = f"import sys; sys.modules.update(dict.fromkeys({missing!r})); from conformance.commands import main; main()"
    cassette = "cassettes/openai-chat/weather/reference--openai.yaml"
    for arguments in (["check", cassette], ["list", "--rules"], ["explain", "usage-empty"], ["show", cassette]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), arguments


def test_options_that_an_older_client_does_not_know_go_into_the_extra_body() -> None:
    def create(*, model: str, extra_body: Any = None) -> None: ...

    def takes_all(**_: Any) -> None: ...

    options = {"model": "m", "thinking": {"type": "adaptive"}}
    assert known_options(create, options) == {"model": "m", "extra_body": {"thinking": {"type": "adaptive"}}}
    assert known_options(takes_all, options) == options
    assert known_options(create, {"model": "m"}) == {"model": "m"}


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
@pytest.mark.parametrize("above", [False, True])
def test_the_client_takes_requests_down_and_cuts_answers_with_either_library(
    library: str, *, above: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`above` is the client for a vcrpy that replaces what httpx does with a transport."""
    monkeypatch.setattr(transport, "vcr_patches_clients", lambda: above)
    capture = Capture()

    def halves(content: bytes) -> list[bytes]:
        return [content[:10], content[10:]]

    with (
        ReferenceServer(all_scenarios()) as server,
        transport.client(capture, halves, library=library) as client,
        client.stream("POST", f"{server.origin}/v1/chat/completions", json=BODY, headers=KEY) as response,
    ):
        assert isinstance(client, {"httpx": httpx, "httpx2": httpx2}[library].Client)
        chunks = list(response.iter_raw())
    assert len(chunks[0]) == 10
    assert len(chunks) == 2
    assert json.loads(b"".join(chunks))["object"] == "chat.completion"
    assert [request.path for request in capture.requests] == ["/v1/chat/completions"]
    assert capture.requests[0].body.json == BODY


def test_a_failure_above_the_transport_is_noted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "vcr_patches_clients", lambda: True)
    capture = Capture()
    with transport.client(capture, library="httpx") as client, pytest.raises(httpx.ConnectError):
        client.get("http://127.0.0.1:9/")
    assert list(capture.failures) == [0]


@dataclass
class Made:
    """Environments that answer from a table, by version."""

    reports: dict[str, dict[str, Any]]
    asked: list[tuple[str, ...]] = field(default_factory=list)
    ran: list[tuple[str, ...]] = field(default_factory=list)

    def environment(self, requirements: Sequence[str]) -> Environment:
        self.asked.append(tuple(requirements))
        made = self

        class Reported(Environment):
            def installed(self, package: str) -> str:
                return self.requirements[0].partition("==")[2]

            def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
                made.ran.append(arguments)
                report = made.reports[self.installed("")]
                if "error" in report:
                    return subprocess.CompletedProcess(arguments, 2, "", f"conformance: {report['error']}\n")
                return subprocess.CompletedProcess(arguments, 1, json.dumps(report), "")

        return Reported(tuple(requirements), Path("python"))


def report(*findings: tuple[str, str, str], cells: int = 4) -> dict[str, Any]:
    """Each finding is a severity, a place and a cassette; what is found at `/n` is no drift."""
    return {
        "summary": {"conversations": cells},
        "findings": [
            {
                "severity": severity,
                "rule": "echoed-call-changed" if pointer == "/n" else "request-drift",
                "side": "request",
                "pointer": pointer,
                "message": f"{pointer} is new",
                "source": f"/somewhere/cassettes/{source}",
            }
            for severity, pointer, source in findings
        ],
    }


DRIFTED = report(("warning", "/messages/0/name", "a/b/c.yaml"), ("error", "/n", "a/b/d.yaml"))


def compared(monkeypatch: pytest.MonkeyPatch, made: Made, *arguments: str) -> Result:
    monkeypatch.setattr(versions, "environment", made.environment)
    monkeypatch.setattr(versions, "published", lambda _: ["1.0", "1.55.0", "2.0", "2.1", "2.2rc1", "2.2", "3.0"])
    return CliRunner().invoke(app, ["replay", *arguments])


def test_versions_are_tabled_with_the_first_that_drifted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made({"2.0": report(("info", "", "a/b/c.yaml")), "3.0": DRIFTED, "1.1": {"error": "too old; install more"}})
    shown = compared(
        monkeypatch, made, "--with", "openai==3.0", "--with", "openai==2.0 httpx<0.28", "--with", "openai==1.1"
    )
    assert shown.output == (
        "client      cells  same  drifted  failed\n"
        "openai 1.1  not replayed: too old; install more\n"
        "openai 2.0      4     4        0       0\n"
        "openai 3.0      4     2        1       1\n"
        "\n"
        "first with openai 3.0\n"
        "  warning  request-drift  request /messages/*/name  1 cells\n"
        "           /messages/*/name is new\n"
        "  error    echoed-call-changed  request /n  1 cells\n"
        "           /n is new\n"
    )
    assert shown.exit_code == 1
    assert ("openai==2.0", "httpx<0.28") in made.asked


def test_the_filters_are_those_of_each_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made({"3.0": report()})
    shown = compared(monkeypatch, made, "--with", "openai==3.0", "--scenario", "weather", "--stream", "--dialect", "x")
    assert shown.exit_code == 0
    [arguments] = made.ran
    assert arguments[:5] == ("-m", "conformance", "replay", "--format", "json")
    filters = "--scenario weather --stream --dialect x --target reference --driver openai --driver openai-websocket"
    assert " ".join(arguments).endswith(filters)


def test_versions_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = compared(monkeypatch, Made({"3.0": DRIFTED}), "--with", "openai==3.0", "--format", "json")
    [only] = json.loads(shown.stdout)["versions"]
    assert (only["client"], only["drifted"], only["failed"]) == ("openai 3.0", ["a/b/c.yaml"], ["a/b/d.yaml"])
    assert [cause["place"] for cause in only["causes"]] == ["request /n", "request /messages/*/name"]


def test_a_range_is_searched_for_the_first_version_that_behaves_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    same = report()
    made = Made({"1.55.0": same, "2.0": same, "2.1": DRIFTED, "2.2": DRIFTED, "3.0": DRIFTED})
    shown = compared(monkeypatch, made, "--with-range", "openai", "lowest..latest")
    assert shown.stdout.endswith("\nthe first version that behaves differently is openai 2.1\n")
    assert len(made.asked) == 4
    alike = compared(monkeypatch, Made({"2.0": same, "2.1": same}), "--with-range", "openai", "2.0..2.1")
    assert alike.stdout.endswith("\nopenai 2.1 replays the cassettes like openai 2.0\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--with", "opnai==2"], "opnai is not a client that this suite drives; did you mean `openai`?"),
        (["--with", "openai=2"], "'openai=2' is not a requirement; write a name and a version: 'openai==2.30'"),
        (
            ["--with-range", "openai", "2.0"],
            "fewer than two versions of openai in '2.0'; write a range such as lowest..latest",
        ),
        (["--with", "openai==2", "--format", "junit"], "--with cannot write a junit report; use --format text"),
    ],
)
def test_a_wrong_version_is_a_usage_error(monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str) -> None:
    monkeypatch.setattr(versions, "published", lambda _: ["2.0", "2.1"])
    shown = CliRunner().invoke(app, ["replay", *arguments])
    assert shown.exit_code == 2
    assert message in shown.output


@pytest.mark.process
def test_an_environment_is_made_once_and_links_to_the_package_that_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[Sequence[str]] = []

    def make(folder: Path, _: Environment, needed: Sequence[str]) -> None:
        made.append(needed)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(environments, "_make", make)
    first, again = environments.environment(["openai==2.30"]), environments.environment(["openai==2.30"])
    assert first == again
    assert len(made) == 1
    assert "openai==2.30" in made[0]
    assert "vcrpy" in made[0]
    where = first.run("-c", "import conformance; print(conformance.__file__)").stdout.strip()
    assert Path(where).resolve() == Path(conformance.__path__[0], "__init__.py").resolve()


def test_an_environment_that_cannot_be_made_reports_why_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = "noise\nERROR: No matching distribution found for openai==99\n"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(subprocess, "run", lambda step, **_: subprocess.CompletedProcess(step, 1, "", text))
    with pytest.raises(ConformanceError, match="cannot install openai==99: ERROR: No matching distribution"):
        environments.environment(["openai==99"])
    assert [each.name for each in tmp_path.rglob(".ready")] == []


def test_the_client_of_a_requirement() -> None:
    assert [client_of(each) for each in ("OpenAI==2.30", "google-genai >=1.0", "anthropic")] == [
        "openai",
        "google-genai",
        "anthropic",
    ]
