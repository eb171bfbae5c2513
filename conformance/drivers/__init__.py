"""Drivers: code that makes one official SDK run a scenario; the modules in this package are discovered.

A driver's module has an attribute `DRIVERS`, one for each dialect of its SDK. The SDK itself is imported
only when the driver runs, so that a driver is known even if its SDK is not installed.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any, Protocol

from conformance.drivers.extras import needs
from conformance.drivers.installed import version_of, why_not_driven
from conformance.model.transcript import ToolDefinition
from conformance.scenario.executor import Executor, ToolOutcome
from conformance.scenario.model import Native, Options

TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class DriverInput:
    """All that a driver needs for one conversation, from the user's message to the model's answer.

    `tools` are neutral definitions, which the driver maps to its dialect. `origin` is scheme and host of the
    endpoint, without a trailing slash, and `root` the path below which it answers, None for the usual one of the
    dialect. `http_client` is what the SDK is to send through (a `Client` of the HTTP library that it uses, with our
    transport), and `sockets.installed()` takes the place of `websockets`. `max_turns` bounds the turns of the model,
    `timeout` the seconds in which nothing comes.
    """

    user: str
    system: str | None
    tools: tuple[ToolDefinition, ...]
    options: Options
    origin: str
    api_key: str
    model: str
    stream: bool
    execute: Executor
    http_client: Any
    max_turns: int
    root: str | None = None
    timeout: float = TIMEOUT_SECONDS
    sockets: Any = None
    native: Native | None = None

    def path(self, usual: str) -> str:
        """The path below which the endpoint answers; `usual` is that of the dialect's own provider."""
        return usual if self.root is None else self.root

    def base_url(self, usual: str, *, ends: str = "") -> str:
        """The base URL that the client is given; without `ends`, which some clients add by themselves.

        Raises:
            ValueError: the path does not end so: this client cannot reach it.
        """
        path = self.path(usual)
        if not path.endswith(ends):
            raise ValueError(f"this client always adds {ends}, so it cannot use an endpoint below {path or '/'}")
        return self.origin + path.removesuffix(ends)

    def tool_choice(self, turn: int) -> str | None:
        """The tool choice to send at a turn: one that forces a call is sent only at the first, or no run would end."""
        choice = self.options.tool_choice
        return choice if turn == 0 or choice in ("auto", "none") else None


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A tool call as the SDK handed it to the program. `native` is whether the scenario itself has its answer."""

    id: str | None
    name: str | None
    arguments: Any
    native: bool = False


@dataclass
class ClientReading:
    """What the SDK returned to the program: the calls of all turns in order, and the text of the last turn."""

    calls: list[ReadCall] = field(default_factory=list)
    answer: str = ""
    finished: bool = False


class Driver(Protocol):
    """Acts conversations out through one SDK in one dialect. `package` is the SDK's distribution.

    A driver may have `since`, the first version of the SDK that it can drive; `provider`, the profile of the only
    provider that its SDK is for, where others have the dialect, too; `needs`, what has to be installed beside its SDK;
    `native`, whether it sends what only its dialect has; and `modes`, whether it streams: by default both.
    """

    name: str
    dialect: str
    package: str

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """Runs the whole tool loop and records in `reading` what the SDK returns; the SDK's own errors pass through."""


def driver_version(driver: Driver) -> str:
    """The name and version of the driver's SDK."""
    return f"{driver.package} {version(driver.package)}"


def why_unavailable(driver: Driver) -> str | None:
    """Why a driver cannot act here: its SDK is not installed, or too old. None where it can."""
    missing = [each for each in getattr(driver, "needs", ()) if version_of(each) is None]
    return why_not_driven(driver.package, getattr(driver, "since", "0")) or (
        ": ".join(needs(driver.name, missing[0])) if missing else None
    )


@cache
def all_drivers() -> tuple[Driver, ...]:
    """Every driver, by dialect and name."""
    found: list[Driver] = []
    package = importlib.import_module(__name__)
    for module in pkgutil.iter_modules(package.__path__):
        found.extend(getattr(importlib.import_module(f"{__name__}.{module.name}"), "DRIVERS", ()))
    return tuple(sorted(found, key=lambda driver: (driver.dialect, driver.name)))


def arguments_of(text: str) -> Any:
    """The arguments of a call with text arguments; text that is not JSON stays text, which no tool accepts."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def result_text(outcome: ToolOutcome) -> str:
    """A tool's outcome for a dialect whose results are text: JSON, the text of the failure, or nothing."""
    if outcome.is_error or outcome.value == "":
        return str(outcome.value)
    return json.dumps(outcome.value, ensure_ascii=False)
