"""What a probe works with: an open session, what the user allows, and the findings so far."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from conformance.judge.run_rules import RunFinding
from conformance.mcp_servers.choose import Call, Wish, calls
from conformance.mcp_servers.raw import REVISIONS, STATELESS, Answer, RawClient
from conformance.mcp_servers.reach import Reach
from conformance.model.finding import Hit, Severity

_MOST_PAGES = 100
_CHANGED = "notifications/tools/list_changed"


class NotApplicableError(Exception):
    """A probe does not apply to this server or revision; the text is the reason."""


class NotTriedError(NotApplicableError):
    """A probe that applies could not be carried out, which is no fault of the server."""


@dataclass
class Scene:
    """One cell while it runs."""

    client: RawClient
    reach: Reach
    wish: Wish
    hits: list[RunFinding] = field(default_factory=list)
    excused: set[str] = field(default_factory=set)
    """Rules that the probe itself makes the server break."""
    opening: Answer | None = None
    """The answer to the handshake, if the session is open already."""

    def hit(
        self,
        statement: str,
        answer: Answer | None,
        message: str,
        *,
        expected: str,
        severity: Severity | None = None,
        pointer: str | None = None,
        actual: str | None = None,
    ) -> None:
        """Reports that a statement about the run does not hold."""
        if actual is None and answer is not None:
            actual = answer.summary
        hit = Hit(pointer, message, expected, actual, severity=severity, side="response")
        self.hits.append(RunFinding(statement, answer.number if answer is not None else None, hit))

    def unanswered(self, answer: Answer, what: str) -> bool:
        """Reports a request that got no response at all; returns whether it did not."""
        if answer.failure is None or answer.response is not None:
            return False
        reason = str(answer.failure).split("\n")[0][:200]
        self.hit("request-unanswered", answer, f"{what} got no response: {reason}", expected="a response")
        return True

    def expect_result(self, answer: Answer, what: str) -> bool:
        """Reports a request without a result; returns whether it has one."""
        if self.unanswered(answer, what):
            return False
        if answer.result is None:
            self.hit("server-answer-unexpected", answer, f"{what} has no result", expected="a result")
        return answer.result is not None

    def expect_error(
        self, answer: Answer, what: str, codes: tuple[int, ...], *, severity: Severity = Severity.ERROR
    ) -> None:
        """Reports a request that did not get one of these errors."""
        wanted = " or ".join(map(str, codes))
        if not self.unanswered(answer, what) and answer.code not in codes:
            message = f"{what} does not have the error {wanted}"
            self.hit("server-answer-unexpected", answer, message, expected=f"error {wanted}", severity=severity)

    def expect_status(
        self, answer: Answer, what: str, statuses: tuple[int, ...], *, severity: Severity = Severity.ERROR
    ) -> None:
        """Reports a request whose response has another status."""
        wanted = " or ".join(map(str, statuses))
        if not self.unanswered(answer, what) and answer.status not in statuses:
            self.hit(
                "server-status-unexpected",
                answer,
                f"{what} has status {answer.status}, not {wanted}",
                expected=f"status {wanted}",
                severity=severity,
            )

    async def open(self) -> Answer:
        """Opens the session: the handshake, or `server/discover` where there is none.

        Raises:
            NotApplicableError: the server does not support the revision.
        """
        if self.opening is not None:
            return self.opening
        return await (self._discover() if self.client.stateless else self._handshake())

    async def _discover(self) -> Answer:
        answer = await self.client.request("server/discover")
        versions = (answer.result or {}).get("supportedVersions")
        if answer.result is None and answer.failure is not None:
            self.unanswered(answer, "server/discover")
        elif not isinstance(versions, list) or STATELESS not in versions:
            raise NotApplicableError(f"the server does not support it: server/discover got {answer.summary}")
        return answer

    async def _handshake(self) -> Answer:
        client = self.client
        answer = await client.request("initialize", client.initialize())
        client.session = answer.headers.get("mcp-session-id")
        if answer.failure is None and answer.result is None and answer.error is not None:
            raise NotApplicableError(f"the server does not support it: initialize got {answer.summary}")
        if not self.expect_result(answer, "initialize"):
            return answer
        version = (answer.result or {}).get("protocolVersion")
        if version != client.revision and version in REVISIONS:
            raise NotApplicableError(f"the server offers {version} instead")
        if version != client.revision:
            message = "initialize was answered with a revision that does not exist"
            wanted = f"one of {', '.join(REVISIONS[:-1])}"
            self.hit("server-revision-unexpected", answer, message, expected=wanted, actual=str(version))
        client.agreed = True
        initialized = await client.notify("notifications/initialized")
        self.expect_status(initialized, "notifications/initialized", (200, 202, 204))
        return answer

    async def tools(self) -> list[Any]:
        """The tools of all pages, read again if the server reports meanwhile that they have changed."""
        found, changed = await self._listed()
        return (await self._listed())[0] if changed else found

    async def _listed(self) -> tuple[list[Any], bool]:
        """The tools of all pages, and whether they changed. Pages that lead back are read once; a rule reports them."""
        found: list[Any] = []
        changed = False
        cursor: str | None = None
        seen: set[str] = set()
        for _ in range(_MOST_PAGES):
            answer = await self.client.request("tools/list", None if cursor is None else {"cursor": cursor})
            if answer.code == -32601 and cursor is None:
                raise NotApplicableError("the server has no tools: tools/list is an unknown method")
            if not self.expect_result(answer, "tools/list"):
                break
            changed = changed or any(each.get("method") == _CHANGED for each in answer.messages)
            page = (answer.result or {}).get("tools")
            found += page if isinstance(page, list) else []
            cursor = (answer.result or {}).get("nextCursor")
            if not isinstance(cursor, str) or cursor in seen:
                break
            seen.add(cursor)
        return found, changed

    async def calls(self) -> list[Call]:
        """The calls that may be made.

        Raises:
            NotTriedError: there is none.
        """
        made, why = calls(await self.tools(), self.wish)
        if not made:
            raise NotTriedError(why)
        return made


Act = Callable[[Scene], Awaitable[None]]
