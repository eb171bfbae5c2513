"""What the SDK of a server does by itself: no finding for the author of the server, who sees their own first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from conformance.mcp_servers.cells import Outcome
from conformance.model.data_files import load_yaml
from conformance.model.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class ServerSdk:
    """An SDK.

    `known_by` is what its answers have in them, `findings` are the rules that it breaks, with scenario and evidence.
    """

    name: str
    known_by: re.Pattern[str]
    findings: Sequence[Mapping[str, str]]

    def does(self, finding: Finding, scenario: str) -> bool:
        """Whether a finding of a scenario follows from the SDK."""
        return any(
            each["rule"] == finding.rule and each.get("scenario", scenario) == scenario for each in self.findings
        )


@cache
def server_sdks() -> tuple[ServerSdk, ...]:
    """The SDKs of `specs/server_sdks.yaml`."""
    document = load_yaml("server_sdks.yaml")
    return tuple(
        ServerSdk(each["name"], re.compile(each["known_by"]), tuple(each["findings"])) for each in document["sdks"]
    )


def recognised(outcomes: Iterable[Outcome]) -> ServerSdk | None:
    """The SDK that a server is made with, by what its answers say; None if none is known by that."""
    for outcome in outcomes:
        for exchange in outcome.exchanges:
            text = exchange.response.body.text or ""
            for each in server_sdks():
                if each.known_by.search(text):
                    return each
    return None


def as_author_sees(outcome: Outcome, sdk: ServerSdk) -> int:
    """Makes what follows from the SDK an info of the outcome; returns how many findings that are."""
    own = [sdk.does(finding, outcome.cell.probe.name) for finding in outcome.findings]
    outcome.findings[:] = [
        replace(
            finding,
            severity=Severity.INFO,
            message=f"{finding.message} ({sdk.name} does this by itself)",
            fix=f"nothing in your server: update {sdk.name}, or report it there",
        )
        if does
        else finding
        for finding, does in zip(outcome.findings, own, strict=True)
    ]
    return sum(own)
