"""The journal of a campaign: outcomes are saved immediately, so that an interrupted campaign can be resumed.

A file of JSON lines beside the cassettes: first the identity of the campaign, then one line for each cell that is
done. It is removed when nothing is left to do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from conformance.campaign.task import Outcome
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.errors import ConformanceError

_NAME = ".conformance-journal.jsonl"
_VERSION = 1


class Journal:
    """Saves outcomes while the context is open. `done` are the outcomes of the campaign that is resumed.

    `identity` has what must be the same in both: verb, targets, models. Without `resume` an old journal is
    replaced.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any], *, resume: bool) -> None:
        self.path = folder / _NAME
        self._file: IO[str] | None = None
        self._redactor: tuple[frozenset[str], Redactor] | None = None
        self._head = json.loads(self._without_secrets(json.dumps({"version": _VERSION, **identity})))
        self.done: dict[tuple[str, str, int], Outcome] = self._read() if resume else {}

    def _read(self) -> dict[tuple[str, str, int], Outcome]:
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            raise ConformanceError(
                f"{self.path.parent}: nothing to resume: the folder has no journal of an interrupted run",
                "remove --resume to start a new run",
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise ConformanceError(
                f"{self.path}: cannot be read: {error}", "remove --resume to start a new run"
            ) from error
        try:
            head = json.loads(lines[0])
            # Text after the last line break is an incomplete line: its writer was killed.
            outcomes = [Outcome.from_json(json.loads(line)) for line in lines[1:-1]]
        except (IndexError, ValueError, KeyError, TypeError) as error:
            raise ConformanceError(f"{self.path}: not a valid journal", "remove --resume to start a new run") from error
        if head != self._head:
            differs = ", ".join(sorted(key for key in head.keys() | self._head if head.get(key) != self._head.get(key)))
            raise ConformanceError(
                f"{self.path.parent}: cannot resume: the interrupted run had different options: {differs}",
                "use the same options, or remove --resume to start a new run",
            )
        return {outcome.key: outcome for outcome in outcomes}

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("w", encoding="utf-8")
        self._write(self._head)
        for outcome in self.done.values():
            self.note(outcome)
        return self

    def note(self, outcome: Outcome) -> None:
        """Saves an outcome. A refused one is not saved, so it is tried again."""
        if outcome.refused is None and not outcome.harness_errors:
            self._write(outcome.as_json())

    def _write(self, record: Mapping[str, Any]) -> None:
        if self._file is not None:
            self._file.write(self._without_secrets(json.dumps(record)) + "\n")
            self._file.flush()

    def _without_secrets(self, line: str) -> str:
        """A finding quotes the answers of an endpoint, which may quote the key."""
        known = known_secrets()
        if self._redactor is None or self._redactor[0] != known:
            self._redactor = known, Redactor(known, learns=False)
        return self._redactor[1].text(line)

    def close(self, *, left: bool) -> None:
        """Closes the journal, and removes it if the campaign is complete."""
        if self._file is not None:
            self._file.close()
            self._file = None
            if not left:
                self.path.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(left=True)
