"""One cause as a minimal report for another project, in Markdown: request, response and rule."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import IO

from conformance.cassette.secretnames import header_holder, query_holder
from conformance.errors import ConformanceError
from conformance.judge.summary import Summary
from conformance.model.exchange import Request
from conformance.model.printable import count, cut, short, visible
from conformance.model.version import VERSION
from conformance.report.causes import Block, Cause, CauseReport, Causes, how_often
from conformance.report.console import put
from conformance.report.diff_markdown import escaped
from conformance.report.markdown_report import fenced
from conformance.report.text_block import follows
from conformance.report.totals import notices_and_reason, verdict

_LONGEST = 8_000
"""The longest body that is written into the command, in characters."""
_OURS = ("accept-encoding", "connection", "content-length", "host", "transfer-encoding", "user-agent")
"""Header fields that curl writes itself, or that only identify the client."""
_PARAMETER = re.compile(r"([?&])([^=&#]+)=([^&#]*)")


class IssueReport(CauseReport):
    """`cause` is the number of the cause, from 1, as in the text report."""

    def __init__(self, stream: IO[str], *, cause: int = 1) -> None:
        super().__init__(stream, keep_traffic=True)
        self._number = cause

    def close(self, summary: Summary) -> None:
        blocks = self._causes.blocks()
        if self._number <= len(blocks):
            lines = list(_issue(blocks[self._number - 1], self._causes))
        elif blocks:
            raise ConformanceError(
                f"--cause {self._number}: the report has {count(len(blocks), 'cause')}", "choose one of these"
            )
        else:
            lines = [f"Nothing to report: {escaped(verdict(summary))}"]
        lines += [
            f"Internal error, not counted against the target: {escaped(fault)}" for fault in summary.harness_errors
        ]
        lines += [escaped(note) for note in notices_and_reason(summary)]
        text = "\n".join(lines) + "\n"
        put(self._stream, text)


def _issue(block: Block, causes: Causes) -> Iterator[str]:
    cause = block.cause
    yield f"# {short(cause.message)}"
    yield ""
    where = f" at `{visible(cause.where)}`" if cause.where and "`" not in cause.where else ""
    dialects = f" ({', '.join(cause.dialects)})" if cause.dialects else ""
    yield f"Found {how_often(cause, causes)}{where}{dialects}."
    yield ""
    yield from _facts(cause)
    request = cause.first.traffic.request if cause.first.traffic is not None else None
    if request is not None:
        yield "## The request"
        yield ""
        yield "```sh"
        yield from _curl(request)
        yield "```"
        yield ""
    if cause.excerpt is not None:
        yield "## The place" if cause.excerpt.side == "request" else "## The response"
        yield ""
        yield from fenced(cause.excerpt)
        yield ""
    if block.follow:
        yield f"These follow from it: {escaped(follows(block))}."
        yield ""
    rule = visible(cause.rule)
    yield f"Found with conformance {VERSION}; `conformance explain {rule}` shows the rule and its evidence."


def _facts(cause: Cause) -> Iterator[str]:
    facts = (
        ("Expected", _literal(cause.first.expected)),
        ("Actual", _literal(cause.first.actual)),
        ("What must hold", cause.holds),  # our own words, which are Markdown
        ("What to change", _literal(cause.first.fix)),
        ("Where that is written", _literal(cause.first.cite)),
    )
    lines = [f"- **{name}**: {text}" for name, text in facts if text]
    if lines:
        yield from lines
        yield ""


def _literal(text: str | None) -> str:
    """The text as it is; as code if Markdown would change it, link it, or mention somebody."""
    shown = visible(cut(text or ""))
    if escaped(shown) == shown:
        return shown
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    room = " " if shown[:1] == "`" or shown[-1:] == "`" else ""
    return f"{fence}{room}{shown}{room}{fence}"


def _curl(request: Request) -> Iterator[str]:
    """The command that sends the request again. Credentials are variables of the environment, never values."""
    yield f"curl --include --request {shlex.quote(request.method)} {_url(request.url)} \\"
    for name, value in request.headers:
        if name.lower() not in _OURS and not name.lower().startswith("x-stainless-"):
            yield f"  --header {_header(name, value)} \\"
    yield f"  --data-raw {shlex.quote(_data(request))}"


def _header(name: str, value: str) -> str:
    if header_holder(name) is None:
        return shlex.quote(visible(f"{name}: {value}"))
    scheme = f"{value.partition(' ')[0]} " if " " in value else ""
    return f'"{_plain(name)}: {_plain(scheme)}${_variable(name)}"'


def _url(url: str) -> str:
    """The URL in quotes; a credential in its query is a variable."""

    def held(found: re.Match[str]) -> str:
        if query_holder(found[2], found[3]) is None:
            return found[0]
        return f"{found[1]}{found[2]}='\"${_variable(found[2])}\"'"

    quoted = "'" + visible(url).replace("'", "%27") + "'"
    return _PARAMETER.sub(held, quoted)


def _variable(name: str) -> str:
    """The variable for a credential: `API_KEY`, or the header's own name if that is clearer."""
    known = {"authorization": "API_KEY", "x-api-key": "API_KEY", "x-goog-api-key": "API_KEY", "key": "API_KEY"}
    return known.get(name.lower()) or re.sub(r"\W", "_", name).upper()


def _plain(text: str) -> str:
    return re.sub(r"[^\w :./-]", "", text)


def _data(request: Request) -> str:
    if request.body.note is not None:
        return f"(the body of the request was {request.body.note})"
    text = request.body.text
    if text is None:
        text = json.dumps(request.body.content, ensure_ascii=False) if request.body.content is not None else ""
    text = visible(text) if text.lstrip()[:1] not in ("{", "[") else visible(_one_line(text))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters; the rest is left out)"


def _one_line(text: str) -> str:
    """JSON without line breaks between its values, so that nothing in it needs an escape."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
