"""A client program that a command runs, with the variables set from which SDKs take their endpoint."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from conformance.errors import ConformanceError
from conformance.report.sessions import ClientRun

KEY = "conformance-client"
_KEYS = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_GENERATIVE_AI_API_KEY",
)
_KEPT_LINES = 400
_KILL_SECONDS = 5
_ERROR = re.compile(r"(?:Uncaught )?[\w.$]*(?:Error|Exception)\b[^:]{0,60}: ?\S")
"""A line that names an error: `openai.RateLimitError: ...`, `APICallError [AI_APICallError]: ...`."""


def variables(origin: str, *, keys: bool = True) -> dict[str, str]:
    """The variables that point a client at the server; with `keys`, also those that give it a key."""
    bypassed = ",".join(filter(None, (os.environ.get("NO_PROXY"), "127.0.0.1", "localhost")))
    return {
        "OPENAI_BASE_URL": f"{origin}/v1",
        "OPENAI_API_BASE": f"{origin}/v1",
        "ANTHROPIC_BASE_URL": origin,
        "GOOGLE_GEMINI_BASE_URL": origin,
        "GEMINI_API_BASE": origin,
        "CONFORMANCE_URL": origin,
        "NO_PROXY": bypassed,
        "no_proxy": bypassed,
        **(dict.fromkeys(_KEYS, KEY) if keys else {}),
    }


class Client:
    """A program that is running, a client or a gateway (`what`).

    What it writes to standard error is passed on, and the last lines are kept. With `quiet`, nothing of it is shown.
    `more` are further variables; with `keys`, it gets a key.
    """

    def __init__(
        self,
        command: Sequence[str],
        origin: str,
        more: Mapping[str, str] | None = None,
        *,
        quiet: bool = False,
        keys: bool = True,
        what: str = "client",
    ) -> None:
        self._command = tuple(command)
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        environment = {**os.environ, **variables(origin, keys=keys), **(more or {})}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                self._command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if quiet else sys.__stderr__,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            raise ConformanceError(
                f"{command[0]}: cannot start the {what}: {error.strerror or error}", "check the command after --"
            ) from error
        self._reader = threading.Thread(target=self._read, args=(quiet,), daemon=True)
        self._reader.start()

    def wait(self, seconds: float, stopped: threading.Event) -> ClientRun:
        """Waits for its end, at most so long; then, or if `stopped` is set, it is ended."""
        waited, timed_out = 0.0, False
        while self._process.poll() is None:
            if stopped.wait(0.05) or waited >= seconds:
                timed_out = not stopped.is_set()
                self.end()
                break
            waited += 0.05
        self._reader.join(timeout=1)
        if self._process.stderr is not None and not self._reader.is_alive():
            self._process.stderr.close()
        return ClientRun(self._command, self._process.returncode, self.error, timed_out)

    @property
    def exit_code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.poll()

    @property
    def error(self) -> str | None:
        """The line of standard error that names the error: in Python the last one, in Node the first; else the last."""
        lines = [line for line in self._lines if line.strip(" {}") and not line.startswith("Node.js v")]
        named = [line for line in lines if _names_error(line)]  # those inside other errors are indented
        named = named or [line for line in lines if _names_error(line.strip())]
        prose = [line for line in lines if line.strip()[:1] not in '"[]{}']  # not the inside of JSON
        return next((line.strip() for line in reversed(named or prose or lines)), None)

    def end(self) -> None:
        """Ends it, and whatever it started."""
        import signal

        for sent in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, sent)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_KILL_SECONDS)
                return

    def _read(self, quiet: bool) -> None:  # noqa: FBT001 - the argument of a thread
        pipe: IO[str] | None = self._process.stderr
        for line in pipe or ():
            self._lines.append(line.rstrip())
            if not quiet:
                sys.stderr.write(line)


def _names_error(line: str) -> bool:
    return _ERROR.match(line) is not None
