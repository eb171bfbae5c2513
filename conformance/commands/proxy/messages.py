"""The lines that `conformance proxy` prints: at its start, for each exchange, and about the whole run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from conformance.cassette.redact import shown
from conformance.model.printable import count, short, visible
from conformance.proxy.upstream import Upstream
from conformance.proxy.watch import Seen, Watch

_ENDED = {
    "server": "cut off by the server",
    "client": "given up by the client",
    "refused": "not answered by the server",
    "lost": "in progress when the proxy stopped",
}


def introduction(origin: str, upstream: Upstream, folder: Path | None, command: Sequence[str]) -> Iterator[str]:
    """Where to send requests, and what happens to them."""
    doing = f"running {shown(' '.join(command))}" if command else "stop with Ctrl-C"
    yield f"forwarding {origin} to {upstream.origin}{upstream.prefix}; {doing}"
    yield f"  OPENAI_BASE_URL={origin}{'' if upstream.versioned else '/v1'}"
    yield f"  ANTHROPIC_BASE_URL={origin}"
    yield f"  GOOGLE_GEMINI_BASE_URL={origin}"
    yield f"  report     {origin}/_conformance/report.json"
    yield f"  cassettes  {folder or 'none; --save DIR records'}"


def line(seen: Seen) -> str:
    """One exchange on one line."""
    status = "---" if seen.status is None else str(seen.status)
    found = ", ".join(
        count(number, name) for number, name in ((seen.errors, "error"), (seen.warnings, "warning")) if number
    )
    remarks = "  ".join(filter(None, (found, seen.why)))
    path = short(shown(seen.path))
    return visible(
        f"{status} {seen.seconds:7.3f}s  {seen.method:6} {path}  {seen.dialect or 'other'}  {shown(remarks)}".rstrip()
    )


def about(watch: Watch, cassettes: int, folder: Path | None, more: dict[str, Any]) -> dict[str, Any]:
    """The member `proxy` of the JSON report."""
    return {
        **more,
        "requests": watch.requests,
        "cassettes": None if folder is None else {"folder": shown(str(folder)), "written": cassettes},
        "not_recorded": dict(watch.not_recorded),
        "ended": {_ENDED[name]: number for name, number in sorted(watch.ended.items())},
        "unlisted": watch.unlisted,
    }


def as_text(summed: dict[str, Any]) -> Iterator[str]:
    """The same as lines of a text report."""
    saved = summed["cassettes"]
    where = f", recorded in {count(saved['written'], 'cassette')} in {saved['folder']}" if saved else ""
    yield f"{count(summed['requests'], 'exchange')} forwarded{where}"
    for reason, number in summed["not_recorded"].items():
        yield f"{count(number, 'exchange')} {reason}"
    for how, number in summed["ended"].items():
        yield f"{count(number, 'exchange')} {how}"
    if summed["unlisted"]:
        yield f"{count(summed['unlisted'], 'finding')} more are counted and not listed; `conformance check` lists all"
    if "server" in summed:
        yield f"the server exited with {summed['server']['exit_code']}"
    yield ""
