"""The ways to break a relation between places of an exchange."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.judge.proofs.edit import Edit
from conformance.judge.relations import across, hosts, instances, references, rejections, retries
from conformance.judge.relations.places import places, text_of
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from devtools.relation_faults.growth import (
    UNKNOWN,
    found_at,
    is_number,
    misfit,
    other,
    put,
)
from devtools.relation_faults.planting import (
    Planted,
    again_at,
    grown_at,
    planted,
    put_at,
    rooted,
    taken_at,
    there,
)
from devtools.relation_faults.value import broken


@planted.register
def _(relation: across.Within, view: View) -> Iterator[Planted]:
    if relation.given and there(view, relation.given) is None:
        return
    for root, value, pointer in scan_of(view).at(relation.at):
        for form in relation.forms:
            for label, edits in broken(form, value, pointer):
                yield Planted(label, rooted(root, edits))


@planted.register
def _(relation: across.Requires, view: View) -> Iterator[Planted]:
    what, needed = there(view, relation.what), there(view, relation.needed)
    if there(view, relation.unless) is not None:
        return
    if what is not None and needed is not None:
        yield Planted("what it needs taken away", taken_at(view, relation.needed))
    if what is None and needed is None:
        yield from grown_at("added without what it needs", view, relation.what)


@planted.register
def _(relation: across.Forbids, view: View) -> Iterator[Planted]:
    what, against = there(view, relation.what), there(view, relation.other)
    if (what is None) is not (against is None):
        missing = relation.what if what is None else relation.other
        yield from grown_at("what it excludes added", view, missing, keeps=(relation.what, relation.other))


@planted.register
def _(relation: across.Never, view: View) -> Iterator[Planted]:
    if there(view, relation.what) is None and there(view, relation.unless) is None:
        yield from grown_at("added", view, relation.what)


@planted.register
def _(relation: across.Echoes, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    wanted = scan.first(relation.of)
    if relation.default is None and (wanted is None or wanted[1] is None):
        return
    for found in scan.at(relation.what):
        if found[1] is not None:
            yield Planted("another value", put_at(found, other(found[1])))


@planted.register
def _(relation: across.Bounded, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    limit = scan.first(relation.by)
    if limit is None or not is_number(limit[1]) or there(view, relation.unless) is not None:
        return
    for found in scan.at(relation.what):
        if is_number(found[1]):
            bound = limit[1] + relation.more
            past = bound - 1 if relation.least else bound + 1
            if past >= 0 or found[1] < 0:
                yield Planted("past the limit", put_at(found, past))
        elif isinstance(found[1], (list, dict, str)) and found[1]:
            yield Planted("limit below the length", put_at(limit, len(found[1]) - relation.more - 1))


@planted.register
def _(relation: across.AtMost, view: View) -> Iterator[Planted]:
    found = list(scan_of(view).at(relation.what))
    limit = there(view, relation.number) if isinstance(relation.number, str) else ("", relation.number, "")
    if found and limit is not None and isinstance(limit[1], int):
        yield Planted("too many", again_at(view, found[0]) * (limit[1] + 1))
        if isinstance(relation.number, str):
            yield Planted(
                "limit below the number", put_at((places(relation.number)[0].root, *limit[1:]), len(found) - 1)
            )


@planted.register
def _(relation: across.Mentions, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    found = scan.first(relation.what)
    if found is not None and not there(view, relation.unless):
        word = re.compile(re.escape(relation.word or text_of(found[1])), re.IGNORECASE)
        texts = [each for each in scan.at(relation.texts) if isinstance(each[1], str)]
        yield Planted("without the word", tuple(edit for each in texts for edit in put_at(each, word.sub("", each[1]))))


@planted.register
def _(relation: rejections.Rejected, view: View) -> Iterator[Planted]:
    if there(view, "server[asked] /result") is not None:  # that to a right request
        yield from planted(relation.fault, view)


@planted.register
def _(relation: instances.Structured, view: View) -> Iterator[Planted]:
    answers = [turn for turn in view.replies if turn.stop == "end" and not turn.calls and not turn.server_parts]
    if not any(turn.text.strip() for turn in answers) or there(view, relation.unless) is not None:
        return
    wanted = {"type": "object", "properties": {UNKNOWN: {"type": "string"}}, "required": [UNKNOWN]}
    schema = there(view, relation.schema)
    if schema is None:
        yield from grown_at("a schema added", view, relation.schema, wanted)
    elif isinstance(schema[1], dict):
        yield Planted("another schema", put_at(schema, wanted))


@planted.register
def _(relation: instances.Valid, view: View) -> Iterator[Planted]:
    for root, holder, pointer in scan_of(view).at(relation.at):
        schema = next((each for each, _ in found_at(holder, relation.schema, "") if isinstance(each, dict)), None)
        for value, where in found_at(holder, relation.value, pointer) if schema is not None else ():
            wrong = misfit(value, schema or {})
            if wrong is not None and (isinstance(wrong, dict) or not relation.objects):
                yield Planted("schema broken", ((root, put(where, wrong)),))
            if relation.required:
                yield Planted("missing", ((root, Edit("drop", where)),))


@planted.register
def _(relation: hosts.Hosted, view: View) -> Iterator[Planted]:
    domains = [value for _, value, _ in scan_of(view).at(relation.domains)]
    for found in scan_of(view).at(relation.what) if domains else ():
        yield Planted("another host", put_at(found, f"https://{domains[0] if relation.blocked else UNKNOWN}/"))


@planted.register
def _(relation: references.PointsInto, view: View) -> Iterator[Planted]:
    for found in scan_of(view).at(relation.what):
        yield Planted("leads nowhere", put_at(found, f"{found[1]}.{UNKNOWN}"))


@planted.register
def _(relation: retries.Repeats, view: View) -> Iterator[Planted]:
    if any(relation.to.known(each) for each in view.earlier) and there(view, relation.what) is not None:
        for part in (*relation.parts, *((relation.grown[0],) if relation.grown else ())):
            for value, where in found_at(view.request, part, ""):
                yield Planted(f"another {part}", (("request", put(where, other(value))),))
