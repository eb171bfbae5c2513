"""Every verb times every way to judge nothing, too little or the wrong thing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from conformance.inputs.formats import all_formats
from conformance.report import FORMATS
from devtools.green.given import Given, alone, beside, good, named
from tests.cassettes import SHIPPED

_FILE = "{file}"
"""The place of what is given, in the words of a command; `{}` is the folder that it is in."""
_CELL = "openai-chat/weather"
_DRIVERS = ("--scenario", "weather", "--dialect", "openai-chat")
_DEAD = "http://127.0.0.1:9"


@dataclass(frozen=True, slots=True)
class Way:
    """A command, and what it is given. With `partly`, something is left to judge: then a line is enough."""

    verb: str
    name: str
    words: tuple[str, ...]
    given: Given
    partly: bool = False

    @property
    def id(self) -> str:
        return f"{self.verb}: {self.name}"

    def command(self, folder: Path) -> list[str]:
        """The words of the command, after writing what it is given."""
        path = self.given.write(folder)
        return [each.replace(_FILE, str(path)).replace("{}", str(folder)) for each in self.words]


@cache
def ways() -> tuple[Way, ...]:
    """All of them."""
    return (*_checks(), *_readers(), *_sets(), *_matrix(), *_servers(), *_others())


def _checks() -> Iterator[Way]:
    """`check`: each input in each format of the report, and all that its options can leave out."""
    for given, form in product([*named(), *alone(), *beside()], FORMATS):
        yield Way("check", f"{given.name}, as {form}", ("check", _FILE, "--format", form), given, given.partly)
    for given in beside():
        if given.name.startswith("beside a recording"):
            yield Way("check", f"{given.name}, strictly", ("check", _FILE, "--strict"), given)
    for name in all_formats():
        if name not in ("exchange-jsonl", "vcr", "wiremock"):  # these read an object with a request and a response, too
            yield Way("check", f"read as {name}", ("check", _FILE, "--from", name), good())
            yield Way("check", f"a folder read as {name}", ("check", "{}", "--from", name), good())
    for name, words in _selections():
        for form in FORMATS:
            yield Way("check", f"{name}, as {form}", ("check", _FILE, *words, "--format", form), good())
    yield Way("check", "judged as another dialect", ("check", _FILE, "--dialect", "gemini"), good())
    yield Way("check", "a path that is not there", ("check", "{}/none.jsonl"), good())


def _selections() -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "all rules ignored", ("--ignore", "")
    yield "the empty rule selected", ("--select", "")
    yield "the same selected and ignored", ("--select", "chat-", "--ignore", "chat-")
    yield "rules of another dialect selected", ("--select", "gemini-")
    yield "only what was not done selected", ("--select", "cell-missing", "--select", "cassette-missing")


def _readers() -> Iterator[Way]:
    """Verbs that read one recording, or two."""
    for given in named():
        if given.name == "exchanges of no known dialect":
            continue
        yield Way("show", given.name, ("show", _FILE), given)
        yield Way("diff", f"{given.name} and itself", ("diff", _FILE, _FILE), given)
        yield Way("tools", given.name, ("tools", _FILE), given)
        yield Way("serve", f"plays {given.name}", ("serve", "--cassette", _FILE, "--", "true"), given)
    for given in alone():
        yield Way("diff", f"{given.name} and itself", ("diff", "{}", "{}"), given)
        yield Way("diff", f"{given.name} as a set", ("diff", "{}", "--new", "{}"), given)
        yield Way("history", given.name, ("history", "{}"), given)
        yield Way("list", f"cassettes of {given.name}", ("list", "--cassettes", "{}", "--max-age", "90d"), given)
        yield Way("results", given.name, ("results", "{}", "--output", "{}-site"), given)
        yield Way("replay", f"cassettes of {given.name}", ("replay", "--cassettes", "{}"), given)
        yield Way("serve", f"plays {given.name}", ("serve", "--cassette", "{}", "--", "true"), given)


def _sets() -> Iterator[Way]:
    """Comparisons of so few recordings that no change could show."""
    sync = (SHIPPED / _CELL / "reference--openai.yaml").read_bytes()
    place = f"{_CELL}/reference--openai.yaml"
    for number, form in product((1, 2, 5), ("text", "json", "markdown")):
        files = {f"{side}/sample-{each}/{place}": sync for side in ("old", "new") for each in range(number)}
        words: tuple[str, ...] = ("diff", "{}/old", "--new", "{}/new", "--format", form)
        yield Way("diff", f"sets of {number}, as {form}", words, Given("sets", files), partly=True)
        yield Way("diff", f"sets of {number}, as {form}, strictly", (*words, "--strict"), Given("sets", files))
    for number, form in product((1, 2, 5), ("text", "json", "markdown", "html")):
        nights = Given("nights", {f"2026-11-{each + 1:02}/{place}": sync for each in range(number)})
        words = ("history", "{}", "--format", form)
        yield Way("history", f"{number} nights, as {form}", words, nights, partly=True)
        yield Way("history", f"{number} nights, as {form}, strictly", (*words, "--strict"), nights)


def _matrix() -> Iterator[Way]:
    """Verbs that run cells."""
    sync = (SHIPPED / _CELL / "reference--openai.yaml").read_bytes()
    other = "openai-chat/small-talk/reference--openai"
    both = {f"{other}{mode}.yaml": (SHIPPED / f"{other}{mode}.yaml").read_bytes() for mode in ("", "--stream")}
    place = f"{_CELL}/reference--openai.yaml"
    one, more = Given("one cassette", {place: sync}), Given("a mode is missing", {place: sync, **both})
    listed = Given(
        "a recorded cassette is missing",
        {place: sync, "openai-chat/recorded.txt": f"{other.partition('/')[2]}.yaml\n".encode()},
    )
    replay = ("replay", "--cassettes", "{}")
    for form in FORMATS:
        yield Way("replay", f"a mode is missing, as {form}", (*replay, "--format", form), more, partly=True)
        yield Way("replay", f"a cassette of the list is missing, as {form}", (*replay, "--format", form), listed)
    yield Way("replay", "a mode is missing, strictly", (*replay, "--strict"), more)
    for name, words in (*_selections(), ("no cell is left", ("--driver", "google-genai"))):
        yield Way("replay", name, (*replay, *words), one)
        yield Way("run", name, ("run", "--target", "reference", *_DRIVERS, "--no-stream", *words), one)
        yield Way("record", name, ("record", "--cassettes", "{}/new", *_DRIVERS, "--no-stream", *words), one)
    at = ("--base-url", _DEAD, "--model", "m", "--max-wait", "0", "--attempts", "1", "--timeout", "2", *_DRIVERS)
    for verb, form in product((("run",), ("record", "--cassettes", "{}/new")), FORMATS):
        yield Way(verb[0], f"nobody answers, as {form}", (*verb, *at, "--format", form), one)
    for words in (("--select", "gemini-"), ("--ignore", "cell-missing"), ("--samples", "2")):
        yield Way("run", f"nobody answers, with {' '.join(words)}", ("run", *at, *words), one)
    legs = ("--client-dialect", "openai-chat", "--upstream-dialect", "openai-chat", "--scenario", "small-talk")
    nobody = ("gateway", "--base-url", _DEAD, "--upstream-port", "1", *legs)
    yield Way("gateway", "nobody answers", nobody, one)


def _servers() -> Iterator[Way]:
    """Servers whose client sends nothing that can be judged."""
    ask = "import os, urllib.request as u; u.urlopen(os.environ['OPENAI_BASE_URL'] + '/nothing')"
    quiet = {"a client that sends nothing": ("true",), "a client that asks for no model": ("python3", "-c", ask)}
    for (name, client), form in product(quiet.items(), FORMATS):
        yield Way("serve", f"{name}, as {form}", ("serve", "--format", form, "--", *client), good())
        upstream = ("proxy", "--upstream", _DEAD, "--format", form, "--", *client)
        yield Way("proxy", f"{name}, as {form}", upstream, good())


def _others() -> Iterator[Way]:
    empty = Given("no tools", {"tools.json": b"[]"}, "tools.json")
    for form in FORMATS:
        yield Way("tools", f"a list of no tools, as {form}", ("tools", _FILE, "--format", form), empty)
    for name, words in _selections():
        if "gemini-" not in words:  # a tool is judged at every profile
            yield Way("tools", name, ("tools", _FILE, *words), Given("a tool", {"tools.json": _TOOL}, "tools.json"))
    old = Given("an old report", {"own/1.0/2019-01-01.json": _report(exchanges=1, judged=1)})
    yield Way("results", "a report that is years old", ("results", "{}", "--output", "{}-site"), old, partly=True)
    nothing = Given("a report of nothing", {"own/1.0/2026-11-01.json": _report()})
    yield Way("results", "a report of a run that judged nothing", ("results", "{}", "--output", "{}-site"), nothing)


_TOOL = b'[{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]'


def _report(**changed: Any) -> bytes:
    names = ("exchanges", "judged", "conversations", "errors", "warnings", "infos", "not_exercised", "unclaimed")
    summary = dict.fromkeys(names, 0) | changed
    exercised = {"openai-chat": {"request": {"chat-messages-empty": 1}}} if summary["judged"] else {}
    report = {"version": 1, "findings": [], "causes": [], "summary": summary, "exercised": exercised}
    return json.dumps({**report, "conformance_version": "0.1.0"}).encode()


def clean(folder: Path) -> None:
    """Removes what a command was given and what it wrote."""
    for each in (folder, folder.with_name(f"{folder.name}-site")):
        shutil.rmtree(each, ignore_errors=True)
