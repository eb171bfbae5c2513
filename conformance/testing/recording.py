"""`conformance.recording()`: records the HTTP traffic of a block of code, plays it the next time, and judges it.

with conformance.recording("cassettes/weather.yaml"):
    agent.run("How warm is it in Seoul?")
"""

from __future__ import annotations

from contextlib import ExitStack
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import Self

from conformance.cassette.load import Cassette, load_cassette
from conformance.cassette.redact import Redactor
from conformance.cassette.saving import redacted, save
from conformance.cassette.secretkinds import known_secrets
from conformance.cassette.traffic import Log
from conformance.errors import ConformanceError
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.testing import mode as modes
from conformance.testing.choice import Choice, choice, settings
from conformance.testing.drift import run_findings
from conformance.testing.failure import NonConformingError, check_command, failure_text
from conformance.testing.outcome import Outcome, judge_log, shown_path
from conformance.testing.session_counts import count_outcome
from conformance.testing.vcr_tap import listening


class Recording:
    """A block of code whose HTTP traffic is recorded, played and judged; a context manager, sync and async.

    After the block, `exchanges` has the traffic as the client sent it, and `findings` has every finding.
    """

    def __init__(self, path: Path | None, mode: modes.Mode, asked: Choice) -> None:
        self.path = path
        self.mode = mode
        self.exchanges: tuple[Exchange, ...] = ()
        self.findings: tuple[Finding, ...] = ()
        self._asked = asked
        self._log = Log()
        self._cassette: Cassette | None = None
        self._open = ExitStack()

    def __enter__(self) -> Self:
        __tracebackhide__ = True
        try:
            import vcr  # noqa: F401
        except ImportError:
            raise ConformanceError("recording() needs vcrpy", "install it with `pip install vcrpy`") from None
        from conformance.cassette.vcr import listening_only, playing_nearest

        self._log, self._cassette, self._open = Log(), self._to_play(), ExitStack()
        self._open.enter_context(listening(self._log))
        if self._cassette is None:
            self._open.enter_context(listening_only())
        else:
            self._open.enter_context(playing_nearest(self._cassette, Redactor(known_secrets())))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        self._open.close()
        if error is None and self._cassette is None and self.path is not None:
            self._save(self.path)
        outcome = self._judged(complete=error is None)
        self.findings = tuple(outcome.findings)
        count_outcome(outcome)
        if not outcome.failing:
            return
        text = failure_text(outcome, self._name, lambda finding: self._again(finding, outcome.dialect))
        if error is None:
            raise NonConformingError(text)
        error.add_note(text)

    async def __aenter__(self) -> Self:
        __tracebackhide__ = True
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        self.__exit__(kind, error, trace)

    @property
    def _name(self) -> str:
        return shown_path(str(self.path)) if self.path is not None else "recording"

    def _to_play(self) -> Cassette | None:
        __tracebackhide__ = True
        if self.path is None:
            return None
        if self.mode != "rewrite" and self.path.exists():
            return load_cassette(self.path)
        if self.mode == "none":
            raise ConformanceError(
                f"{self._name}: no such cassette, and the record mode is none",
                "record it with `pytest --conformance-record=once`, or with mode='once'",
            )
        return None

    def _save(self, path: Path) -> None:
        __tracebackhide__ = True
        answered = [each for each in self._log.sent if each.response is not None]
        if not answered:
            raise ConformanceError(
                f"{self._name}: not recorded: no request crossed",
                "send at least one with httpx, httpx2, aiohttp or requests inside the block",
            )
        save(*redacted(answered, path))

    def _judged(self, *, complete: bool) -> Outcome:
        project, outer = settings()
        asked = self._asked.within(outer)
        selection = asked.selection(project)
        self._log.tapes.clear()  # this cassette is our own: everything in it was sent just now
        for each in self._log.sent:
            each.cassette = None
        outcome = judge_log(self._log, selection, asked, self._name)
        self.exchanges = tuple(each.exchange(self._name) for each in self._log.sent)
        if self._cassette is not None:
            outcome.add(run_findings(self._log.sent, self._cassette, self._name, complete=complete))
        return outcome

    def _again(self, finding: Finding, dialect: str | None) -> str:
        """How to see a finding again: check the cassette, or, if only the new requests show it, run the test again."""
        played = self._cassette is not None and finding.side == "request"
        if self.path is None or played or finding.exchange is None:
            return "run the test again" + (" with --conformance-record=rewrite" if self.path is not None else "")
        return check_command(finding, self._name, dialect)


def recording(
    path: str | PathLike[str] | None = None,
    *,
    mode: modes.Mode | None = None,
    dialect: str | None = None,
    ignore: tuple[str, ...] | list[str] = (),
    strict: bool | None = None,
    profile: str | None = None,
) -> Recording:
    """Records, plays and judges what httpx, httpx2, aiohttp or requests send inside a `with` or `async with` block.

    `path` is the cassette; without it, nothing is saved or played. `mode` is `once` (play the cassette if there is
    one, else record it), `none` (play only) or `rewrite` (record again); by default that of the pytest session, else
    `none` where the environment variable `CI` is set, else `once`. `dialect`, `ignore`, `strict` and `profile` are
    as on the command line, and add to `[tool.conformance]`. Secrets are redacted before anything is written.

    Leaving the block raises `AssertionError` for a finding of severity error; an exception of the block itself is
    passed on, with the findings as a note.

    Raises:
        ConformanceError: an argument is not valid.
    """
    if mode is not None and mode not in modes.MODES:
        raise ConformanceError(f"recording(): unknown mode {mode!r}", f"choose one of {', '.join(modes.MODES)}")
    asked = choice("recording()", dialect=dialect, ignore=ignore, strict=strict, profile=profile)
    return Recording(Path(fspath(path)) if path is not None else None, mode or modes.default_mode(), asked)
