"""Where relations are broken: exchanges with those before them in their run, and edits of their bodies."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.proofs.bases import base, base_names
from conformance.judge.proofs.edit import Edit, apply
from conformance.judge.proofs.example import rendered
from conformance.judge.proofs.examples import examples_of
from conformance.judge.relations.places import OF_REQUEST, Root, in_body
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model import eventstream
from conformance.model.exchange import Body, Exchange
from conformance.model.pointer import MISSING, get, join, split
from conformance.model.registry import beside, claimants
from devtools.contract_silence import recordings
from devtools.relation_faults.planting import Edits

_BEFORE = 6
"""How many exchanges of a run are judged before the one with the fault."""


@dataclass(frozen=True, slots=True)
class Site:
    """The exchanges of a run, in the last of which a row has something to judge."""

    dialect: str
    run: tuple[Exchange, ...]
    complete: bool = True

    def judged(self, run: Sequence[Exchange] = ()) -> tuple[View, set[str]]:
        """The last exchange, of the run or of another one, as a row sees it, and all rules with a finding."""
        checker = Checker(self.dialect)
        found = {
            each.rule
            for exchange in run or self.run
            for each in checker.feed(replace(exchange, complete=self.complete, group="run"))
        }
        *earlier, last = checker.views("run", self.dialect)
        return View(last.exchange, last.dialect, tuple(earlier), last.number), found


def faulty(view: View, edits: Edits) -> list[Exchange]:
    """The run with the edits.

    Raises:
        ValueError: an edit does not fit.
    """
    documents = [_document(each) for each in (*view.earlier, view)]
    for root, edit in edits:
        if root == "exchange" and split(edit.pointer)[0] in ("path", "query"):
            documents[-1]["url"] = _readdressed(view, documents[-1]["url"], edit)
            continue
        number, pointer = _real(view, documents, root, edit.pointer)
        value = edit.value
        if edit.action == "swap":
            value = _at(root, value)
        apply(documents[number], replace(edit, pointer=pointer, value=value))
    return [_rendered(each, document) for each, document in zip((*view.earlier, view), documents, strict=True)]


def _document(view: View) -> dict[str, Any]:
    document: dict[str, Any] = {"request": copy.deepcopy(view.request), "url": view.exchange.request.url}
    if view.exchange.line is not None:
        document["line"] = copy.deepcopy(view.exchange.line)
    if view.events is None:
        document["response"] = copy.deepcopy(view.response)
    else:
        document["event"] = [copy.deepcopy(each.json) for each in view.events]
    return document


def _readdressed(view: View, url: str, edit: Edit) -> str:
    """The URL with another parameter of its query, or another name in its path.

    Raises:
        ValueError: it has no such name.
    """
    part, name = split(edit.pointer)
    parts = urlsplit(url)
    if part == "query":
        query = {**dict(parse_qsl(parts.query)), name: str(edit.value)}
        return parts._replace(query=urlencode(query)).geturl()
    found = [str(value) for _, value, _ in scan_of(view).at(f"exchange /path/{name}")]
    if len(found) != 1 or found[0] not in parts.path:
        raise ValueError(f"the path has no {name}")
    return parts._replace(path=parts.path.replace(found[0], str(edit.value))).geturl()


def _at(root: Root, pointer: str) -> str:
    """The place of a value in the document of an exchange."""
    if root == "exchange" and split(pointer)[0] == "line":
        return pointer
    if root == "exchange":
        root, pointer = in_body(pointer)
    if pointer.startswith("event"):
        return f"/{pointer}"
    return f"/{'request' if root in OF_REQUEST else 'response'}{pointer}"


def _real(view: View, documents: Sequence[Any], root: Root, pointer: str) -> tuple[int, str]:
    """The exchange and the place of an edit. What a dialect shows beside a message is where the run has the same.

    Raises:
        ValueError: the run has it nowhere.
    """
    last = len(documents) - 1
    shown = (
        [each for each in scan_of(view).at(root) if f"{pointer}/".startswith(f"{each[2]}/")]
        if root in ("client", "server")
        else []
    )
    if not shown:
        return last, _at(root, pointer)
    _, value, begun = max(shown, key=lambda each: len(each[2]))
    tokens = split(pointer.removeprefix(begun))
    real = get(documents[last], _at(root, begun))
    for number, token in enumerate(tokens):
        if isinstance(real, dict) and token not in real and isinstance(value, dict) and token in value:
            return _elsewhere(documents, value, tokens[number:], pointer)
        value = _inner(value, token)
        real = _inner(real, token)
    return last, _at(root, pointer)


def _elsewhere(documents: Sequence[Any], value: Any, tokens: Sequence[str], pointer: str) -> tuple[int, str]:
    """Where the run has the innermost object on the way that it has at all."""
    holders = [value]
    for token in tokens[:-1]:
        holders.append(_inner(holders[-1], token))
    for size in range(len(tokens) - 1, 0, -1):
        wanted = holders[size]
        for number in range(len(documents) - 1, -1, -1):
            if isinstance(wanted, (dict, list)) and wanted:
                for where in _same(documents[number], wanted, ""):
                    return number, join(where, *tokens[size:])
    raise ValueError(f"nothing in the run has {pointer}")


def _same(value: Any, wanted: Any, at: str) -> Iterator[str]:
    if value == wanted and type(value) is type(wanted):
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from _same(each, wanted, join(at, key))


def _inner(value: Any, token: str) -> Any:
    found = (
        get(value, f"/{token.replace('~', '~0').replace('/', '~1')}") if isinstance(value, (dict, list)) else MISSING
    )
    return None if found is MISSING else found


def _rendered(view: View, document: dict[str, Any]) -> Exchange:
    """The exchange with the bodies of a document."""
    exchange = view.exchange
    changed: dict[str, Any] = {"line": document["line"]} if "line" in document else {}
    if document["request"] != view.request:
        changed["request"] = replace(exchange.request, body=Body(document["request"]))
    if document["url"] != exchange.request.url:
        changed["request"] = replace(changed.get("request", exchange.request), url=document["url"])
    if "event" in document:
        named = any(each.name for each in view.events or ())
        in_lines = view.dialect.streams_lines
        body = exchange.response.body
        sent: Any = document["event"]
        if body.framed:
            sent = b"".join(eventstream.of_text(json.dumps(each)) for each in document["event"])
        elif not body.parsed_by_recorder:
            sent = "".join(_event(each, named=named, in_lines=in_lines) for each in document["event"])
        if document["event"] != [each.json for each in view.events or ()]:
            changed["response"] = replace(exchange.response, body=Body(sent))
    elif document["response"] != view.response:
        changed["response"] = replace(exchange.response, body=Body(document["response"]))
    return replace(exchange, **changed)


def _event(value: Any, *, named: bool, in_lines: bool) -> str:
    data = value.text if hasattr(value, "reason") else json.dumps(value)
    if in_lines:
        return f"{data}\n"
    name = value.get("type", "message") if isinstance(value, dict) else "message"
    return f"event: {name}\ndata: {data}\n\n" if named else f"data: {data}\n\n"


def sites(dialect: str, files: Sequence[str], rules: Iterable[str]) -> Iterator[Site]:
    """The recorded exchanges that a dialect claims, those of the bases, and those of the rules' examples."""
    for name in files:
        if recordings(name).exists():
            yield from _runs(dialect, read([recordings(name)]))
    for name in base_names(dialect):
        yield from _growing(dialect, _exchanges(base(f"{dialect}/{name}"), f"base {name}"))
    for rule in rules:
        found = examples_of(rule, dialect)
        begun = [replace(each, edits=each.edits[:-1]) for each in found.violating if len(each.edits) > 1]
        for each in (*found.conforming, *begun):
            try:
                records = each.records()
            except ConformanceError:
                continue
            yield from _growing(dialect, _exchanges(records, f"example of {rule}"), complete=each.complete)


def _exchanges(records: Iterable[dict[str, Any]], source: str) -> list[Exchange]:
    return [Exchange.of(rendered(record), source=source) for record in records]


def _growing(dialect: str, run: Sequence[Exchange], *, complete: bool = True) -> Iterator[Site]:
    for number, last in enumerate(run):
        if any(each.name == dialect for each in claimants(last.request)) or beside(last.request) is not None:
            yield Site(dialect, tuple(run[: number + 1]), complete)


def _runs(dialect: str, exchanges: Iterable[Exchange]) -> Iterator[Site]:
    runs: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in exchanges:
        if any(each.name == dialect for each in claimants(exchange.request)):
            run = runs[f"{exchange.source.rpartition(':')[0]}#{exchange.conversation}"]
            run.append(exchange)
            if "eventstream" not in (exchange.response.headers.get("content-type") or ""):  # frames of AWS stay closed
                yield Site(dialect, tuple(run[-_BEFORE - 1 :]))
