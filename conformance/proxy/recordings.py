"""The cassettes of a proxy: one for each conversation, on disk before the end of each response.

An exchange is added by replacing the file: a reader, and a proxy that is killed, see the file with all of it or
with nothing of it. Secrets that a later exchange shows are removed from the earlier ones of the open conversations.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from conformance.cassette import format as cassette_format
from conformance.cassette.encodings import Spellings
from conformance.cassette.gate import Gate
from conformance.cassette.persist import write_atomically
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.cassette.secretnames import header_holder
from conformance.model.exchange import Request
from conformance.model.version import VERSION
from conformance.proxy.interaction import Interaction, exchange_of, without_bodies

_LOCAL = ("127.0.0.1", "localhost", "::1")
_MOST_EXCHANGES, _MOST_BYTES = 500, 1 << 25
"""From which size on a conversation is continued in another file: adding an exchange writes the file again."""
_OPEN = 256
_CREDENTIALS = 64
_OTHERS = "other"
_HEADER = cassette_format.header("conformance proxy")


@dataclass(eq=False)
class Recording:
    """One conversation. `source` is its file, or its name if nothing is saved."""

    dialect: str | None
    source: str
    path: Path | None
    redactor: Redactor
    count: int = 0
    size: int = 0
    more: Recording | None = field(default=None, repr=False)


class Recordings:
    """Redacts exchanges, and writes them to `folder`; without one, nothing is written.

    `metadata` is added to that of each cassette.
    """

    def __init__(self, folder: Path | None, upstream: str, metadata: dict[str, Any] | None = None) -> None:
        self._folder = folder
        host = Request("GET", upstream).host
        local = host in _LOCAL or host.endswith(".localhost") or upstream.startswith("stdio:")
        self._metadata = {
            "provenance": "local" if local else "live",
            "upstream": upstream,
            **(metadata or {}),
        }
        self._numbers: Counter[str] = Counter()
        self._open: OrderedDict[int, Recording] = OrderedDict()
        self._credentials: OrderedDict[str, None] = OrderedDict()
        self._latest: tuple[object, ...] = ()
        self.written = 0
        """How many cassettes there are."""

    @property
    def saves(self) -> bool:
        """Whether anything is written."""
        return self._folder is not None

    def opened(self, dialect: str | None) -> Recording:
        """A new conversation, under the first name that the folder does not have."""
        name = dialect or _OTHERS
        while True:
            self._numbers[name] += 1
            label = f"{name}-{self._numbers[name]:04}"
            path = None if self._folder is None else self._folder / f"{label}.yaml"
            if path is None or not path.exists():
                break
        redactor = Redactor({*known_secrets(), *self._credentials})
        return Recording(dialect, str(path or f"conversation {label}"), path, redactor)

    def add(self, recording: Recording, interaction: Interaction) -> tuple[Recording, Interaction]:
        """Adds an exchange; returns where it is, and what is kept of it, which has no secret.

        Raises:
            ConformanceError: the file cannot be written.
        """
        while recording.more is not None:
            recording = recording.more
        if recording.count >= _MOST_EXCHANGES or recording.size >= _MOST_BYTES:
            recording.more = self.opened(recording.dialect)
            recording = recording.more
        new = self._learned(interaction)
        redactor = recording.redactor
        before = set(redactor.secrets)
        kept = redactor.document({"interactions": [interaction]})["interactions"][0]
        learned = set(redactor.secrets) - before
        if learned:  # a value that is found out to be a secret may also be before that place
            kept = redactor.document({"interactions": [kept]})["interactions"][0]
        leaks = list(Gate(redactor.secrets).exchange(exchange_of(kept, recording.source), "the exchange"))
        if leaks:
            kept = without_bodies(kept, f"not recorded: it would contain a secret: {leaks[0].what}")
        if recording.path is not None:
            self._write(recording, kept, learned)
            for other in self._open.values():
                if other is not recording and new:
                    self._clean(other, new)
            self._open[id(recording)] = recording
            self._open.move_to_end(id(recording))
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
        recording.count += 1
        return recording, kept

    def _learned(self, interaction: Interaction) -> set[str]:
        """Remembers the credentials of a request, for all conversations; returns the new ones."""
        request = interaction["request"]
        given = [(name, value) for name, values in request["headers"].items() for value in values]
        credentials = (request["uri"], *((name, value) for name, value in given if header_holder(name) == "credential"))
        if credentials == self._latest:  # a client sends the same ones again and again
            return set()
        self._latest = credentials
        own = Redactor()
        own.url(request["uri"])
        for name, value in given:
            if header_holder(name) == "credential":
                own.header(name, value)
        new = set(own.secrets) - self._credentials.keys()
        self._credentials.update(dict.fromkeys(own.secrets))
        while len(self._credentials) > _CREDENTIALS:
            self._credentials.popitem(last=False)
        return new

    def _write(self, recording: Recording, kept: Interaction, learned: Iterable[str]) -> None:
        path = recording.path
        assert path is not None  # noqa: S101 - the caller looked
        if recording.count:
            self._clean(recording, learned)
            text = cassette_format.extended(_read(path), kept)
        else:
            metadata = {
                **({} if recording.dialect is None else {"dialect": recording.dialect}),
                **self._metadata,
                "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
                "conformance_version": VERSION,
            }
            text = cassette_format.dump({"version": 1, "metadata": metadata, "interactions": [kept]}, _HEADER)
            self.written += 1
        write_atomically(path, text, durable=False)
        recording.size = len(text)

    def _clean(self, recording: Recording, secrets: Iterable[str]) -> None:
        """Removes secrets that are known only now from a file."""
        if recording.path is None or not secrets:
            return
        text = _read(recording.path)
        found = [secret for secret in secrets if next(Spellings(secret).spans(text), None) is not None]
        if found:
            redactor = Redactor({*recording.redactor.secrets, *found})
            document = redactor.document(yaml.safe_load(text))
            write_atomically(recording.path, cassette_format.dump(document, _HEADER), durable=False)


def _read(path: Path) -> str:
    """The text of a file with its line ends as they are."""
    return path.read_bytes().decode("utf-8")
