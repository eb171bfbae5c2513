"""The fixture `conformance`: judges recordings, exchanges and transports inside a test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from conformance.cassette.traffic import Log
from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.testing import mode as modes
from conformance.testing.choice import choice, settings
from conformance.testing.failure import NonConformingError, check_command, failure_text
from conformance.testing.outcome import Outcome, judge_exchanges, judge_log, taped
from conformance.testing.recording import Recording, recording
from conformance.testing.session_counts import count_outcome
from conformance.testing.transport import recording_transport


class Conformance:
    """The value of the fixture. `folder` and `name` are those of the test's cassettes."""

    def __init__(self, folder: Path, name: str, again: str) -> None:
        self._folder = folder
        self._name = name
        self._again = again
        self._logs: list[Log] = []

    def check(
        self,
        source: Any,
        *,
        dialect: str | None = None,
        ignore: Any = (),
        strict: bool | None = None,
        profile: str | None = None,
    ) -> None:
        """Fails the test if anything in the source breaks a rule.

        `source` is a recording or a folder of them (a path), a cassette of vcrpy or of this package, or exchanges:
        objects of exchange JSONL, or `Exchange`.

        Raises:
            AssertionError: it breaks one; the text names the rule, the place and what to change.
            ConformanceError: the source cannot be read, or an argument is not valid.
        """
        __tracebackhide__ = True
        outcome, path = self._outcome(source, dialect=dialect, ignore=ignore, strict=strict, profile=profile)
        count_outcome(outcome)
        if outcome.failing:
            raise NonConformingError(failure_text(outcome, path or self._name, lambda each: self._command(each, path)))

    def findings(
        self,
        source: Any,
        *,
        dialect: str | None = None,
        ignore: Any = (),
        strict: bool | None = None,
        profile: str | None = None,
    ) -> list[Finding]:
        """The findings in the source, of every severity; they do not fail the test.

        Raises:
            ConformanceError: as `check`.
        """
        return self._outcome(source, dialect=dialect, ignore=ignore, strict=strict, profile=profile)[0].findings

    def transport(self, inner: Any) -> Any:
        """A transport for httpx or httpx2 that sends through `inner`; its traffic is judged when the test ends.

        Raises:
            ConformanceError: `inner` is not such a transport.
        """
        self._logs.append(Log())
        return recording_transport(inner, self._logs[-1])

    def recording(self, name: str | None = None, *, mode: modes.Mode | None = None, **choices: Any) -> Recording:
        """`conformance.recording()` with a cassette named after the test, or `name`, beside the test's file."""
        return recording(self._folder / f"{name or self._name}.yaml", mode=mode, **choices)

    def finish(self) -> None:
        """Judges the transports.

        Raises:
            AssertionError: the traffic through one of them breaks a rule.
        """
        __tracebackhide__ = True
        project, asked = settings()
        for log in self._logs:
            outcome = judge_log(log, asked.selection(project), asked, self._name)
            count_outcome(outcome)
            if outcome.failing:
                raise NonConformingError(failure_text(outcome, self._name, lambda _: self._again))

    def _outcome(self, source: Any, **choices: Any) -> tuple[Outcome, str | None]:
        project, outer = settings()
        asked = choice("conformance.check()", **choices).within(outer)
        exchanges, path = _exchanges(source)
        outcome = judge_exchanges(exchanges, asked.selection(project), asked)
        outcome.dialect = asked.dialect
        return outcome, path

    def _command(self, finding: Finding, path: str | None) -> str:
        if path is None:
            return self._again
        return check_command(finding, path, None)


def _exchanges(source: Any) -> tuple[Iterable[Exchange], str | None]:
    """The exchanges of a source in any of its forms, and its path if it has one."""
    if isinstance(source, (str, PathLike)):
        return read([fspath(source)]), fspath(source)
    if isinstance(source, Recording):
        return source.exchanges, None
    if hasattr(source, "exchanges"):
        return source.exchanges, str(source.path)
    if hasattr(source, "play_count"):
        return taped(source), None
    if isinstance(source, Iterable) and not isinstance(source, Mapping):
        return [_exchange(each) for each in source], None
    raise ConformanceError(
        f"conformance.check(): {type(source).__name__} is not a recording",
        "pass a path, a cassette, or a list of exchanges",
    )


def _exchange(value: Any) -> Exchange:
    if isinstance(value, Exchange):
        return value
    try:
        return Exchange.of(value, group="the list of exchanges")
    except (ValueError, AttributeError) as error:
        raise ConformanceError(f"conformance.check(): {error}", "see docs/pytest.md for the form") from None
