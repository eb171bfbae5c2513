"""The deviations of providers: turns entries of `specs/profiles` and `specs/documented` into rows of a contract.

What a provider accepts or refuses is written there in JSON Schema, with these keywords only: `type`,
`const`, `enum`, `examples` (values of an open list), `minLength`, `maxLength`, `pattern`, `minimum`, `maximum`,
`exclusiveMinimum`, `exclusiveMaximum`, `items`, `minItems`, `maxItems`, `properties`, `required`,
`additionalProperties` (of a map), and `anyOf`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

from conformance.contract.asking import excludes, needs
from conformance.contract.citation import Citation, Citations
from conformance.contract.deviations import Deviation
from conformance.contract.nodes import Array, Field, Foreign, Map, Node, Number, Object, Switch, Union
from conformance.contract.relations import Condition, Relation
from conformance.contract.rows import may, need, obj
from conformance.contract.situation import When
from conformance.contract.values import (
    anything,
    array,
    boolean,
    by_known,
    integer,
    known,
    mapping,
    null,
    number,
    text,
    word,
)
from conformance.model.finding import Severity
from conformance.profiles import profiles
from conformance.profiles.documented import Documented, documented

STATEMENT = "ANY-137"
"""The statement for what a provider is known to refuse in addition to the contract of the dialect."""
DOCUMENTED = "ANY-180"
"""The statement for what the provider's own document has otherwise than the contract of the dialect."""

_REFUSED = 400


@lru_cache(maxsize=512)
def deviations(dialect: str, subject: str, provider: str, _: int) -> tuple[Deviation, ...]:
    """The deviations of a provider for one body of a dialect; the last argument is `profiles.version()`.

    What is known of its traffic and its refusals comes after what its document has, and so has the last word.
    """
    own, profile = documented(provider), profiles.all_profiles().get(provider)
    stated = _about(subject, own.rows.get(dialect, ())) if own is not None else ()
    known = _about(subject, profile.deviations.get(dialect, ())) if profile is not None else ()
    return (
        *(_of_document(own, provider, subject, path, entry) for path, entry in stated if own is not None),
        *(deviation_of(provider, path, entry) for path, entry in known),
    )


def _about(subject: str, entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The entries about one body, each with its place there."""
    for entry in entries:
        of, _, path = entry["at"].partition(" ")
        if of == subject:
            yield path, entry


def _of_document(own: Documented, provider: str, subject: str, path: str, entry: Mapping[str, Any]) -> Deviation:
    """A row of `specs/documented` as a deviation."""
    only, evidence = When((provider,)), own.evidence
    cited = Citation(DOCUMENTED, basis="documented", because=evidence, source=evidence)
    if "eases" in entry:
        severity = Severity[entry["severity"].upper()]
        return Deviation(only, path, evidence, tuple(entry["eases"]), severity, documented=True)
    if "accepts" in entry:
        return Deviation(only, path, evidence, accepts=node_of(entry["accepts"]), documented=True)
    if "assumes" in entry:
        return Deviation(only, path, evidence, absent=entry["assumes"], documented=True)
    if (relation := _related(entry, {"": cited})) is not None:
        return Deviation(only, path, evidence, relation=relation, documented=True)
    presence = _presented(entry, subject)
    citations = {"": cited}
    if subject != "request":
        # Servers leave out what their documents require of a reply.
        citations["missing"] = dataclasses.replace(cited, severity=Severity.WARNING)
    if "undocumented" in entry:
        citations = {"": dataclasses.replace(cited, severity=Severity[entry["undocumented"].upper()])}
        idle = (None, entry.get("default")) if citations[""].severity is Severity.INFO else ()
        node: Node = Foreign("", citation=citations[""], wrong=f"is not in the document of {provider}", idle=idle)
    elif "allows" in entry:
        node = _cited(node_of(entry["allows"]), citations)
    else:
        return Deviation(only, path, evidence, citations=citations, presence=presence, documented=True)
    return Deviation(only, path, evidence, allows=node, citations=citations, presence=presence, documented=True)


def _cited(node: Node, citations: Citations) -> Node:
    """The node with the citations for its objects: those of a row do not apply to the rows of an object in it."""
    if isinstance(node, Object):
        return dataclasses.replace(node, citations=citations)
    if isinstance(node, Array):
        return dataclasses.replace(node, items=_cited(node.items, citations))
    if isinstance(node, Map):
        return dataclasses.replace(node, values=_cited(node.values, citations))
    if isinstance(node, Union):
        return Union(tuple(_cited(each, citations) for each in node.choices))
    return dataclasses.replace(node, citations=citations) if isinstance(node, Switch) else node


def _presented(entry: Mapping[str, Any], subject: str) -> Literal["need", "should", "may"] | None:
    if "required" not in entry:
        return None
    return "may" if not entry["required"] else "need" if subject == "request" else "should"


def deviation_of(provider: str, path: str, entry: Mapping[str, Any]) -> Deviation:
    """An entry of a profile as a deviation of the provider; `path` is its place."""
    model = entry.get("model") or ""
    only = When(
        (provider,),
        model=f"^(?:{model})" if model else "",
        path=entry.get("path") or "",
        api_version=entry.get("api_version") or "",
        since=profiles.day_of(entry.get("since")),
        until=profiles.day_of(entry.get("until")),
    )
    evidence = entry["evidence"]
    if "eases" in entry:
        return Deviation(only, path, evidence, tuple(entry["eases"]), Severity[entry["severity"].upper()])
    if "assumes" in entry:
        return Deviation(only, path, evidence, absent=entry["assumes"])
    if "accepts" in entry:
        return Deviation(only, path, evidence, accepts=node_of(entry["accepts"]))
    if (relation := _related(entry, _citations(evidence, entry))) is not None:
        return Deviation(only, path, evidence, relation=relation)
    citations = _citations(evidence, entry)
    if "ignored" in entry:
        citations = _citations(evidence, {**entry, "severity": "info"})
        idle = (None, entry.get("default"))
        node: Node = Foreign(entry["ignored"], citation=citations[""], wrong=f"has no effect at {provider}", idle=idle)
    elif "unsupported" in entry:
        node = Foreign(entry["unsupported"], citation=citations[""])
    else:
        node = _cited(node_of(entry["allows"]), citations)
    return Deviation(only, path, evidence, allows=node, citations=citations)


def _related(entry: Mapping[str, Any], citations: Citations) -> Relation | None:
    """The relation between fields that an entry names."""
    for form, made in (("excludes", excludes), ("needs", needs)):
        if form in entry:
            return made(*map(condition_of, entry[form]), cite=citations[""])
    return None


def condition_of(given: str | Mapping[str, Any]) -> Condition:
    """A field that is present; or one that has one of the values in `is`, is `over` or `under` a number."""
    if isinstance(given, str):
        return Condition(given)
    values = tuple(given["is"]) if "is" in given else None
    return Condition(given["field"], values=values, over=given.get("over"), under=given.get("under"))


def _citations(evidence: str, entry: Mapping[str, Any]) -> Citations:
    severity = Severity[entry.get("severity", "error").upper()]
    is_refused = severity is Severity.ERROR and entry["at"].startswith("request ")
    refused = entry.get("status", _REFUSED) if is_refused else None
    return {"": Citation(STATEMENT, severity, refused=refused, basis="profile", because=evidence, source=evidence)}


def models(generation: str) -> When:
    """The exchanges with models of a generation, `openai/reasoning`, at the providers for which it is defined."""
    found = profiles.generation(generation)
    return When(found.providers, model=found.models)


def node_of(schema: Mapping[str, Any]) -> Node:
    """A JSON Schema with the keywords above, as a node of a contract."""
    if "anyOf" in schema:
        return _any_of(schema["anyOf"])
    words = [schema["const"]] if "const" in schema else schema.get("enum", ())
    if words:
        return word(*words)
    if schema.get("examples"):
        return known(*schema["examples"])
    kind = schema.get("type", "object" if "properties" in schema else "")
    if kind == "string":
        return text(schema.get("minLength", 0), schema.get("maxLength"), pattern=schema.get("pattern", ""))
    if kind in ("integer", "number"):
        made = integer if kind == "integer" else number
        plain = made(schema.get("minimum"), schema.get("maximum"))
        return _opened(plain, schema) if schema.keys() & {"exclusiveMinimum", "exclusiveMaximum"} else plain
    if kind == "array":
        return array(node_of(schema.get("items") or {}), schema.get("minItems", 0), schema.get("maxItems"))
    if kind == "object" and "additionalProperties" in schema:
        return mapping(node_of(schema["additionalProperties"]))
    if kind == "object":
        return obj(_rows(schema))
    return {"boolean": boolean, "null": null}.get(kind, anything)


def _opened(node: Number, schema: Mapping[str, Any]) -> Number:
    """The number with the bounds that the schema excludes."""
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None:
        node = dataclasses.replace(node, low=low, open_low=True)
    return node if high is None else dataclasses.replace(node, high=high, open_high=True)


def _rows(schema: Mapping[str, Any], *, without: str = "") -> dict[str, Field]:
    required = schema.get("required") or ()
    return {
        name: (need if name in required else may)(node_of(each))
        for name, each in (schema.get("properties") or {}).items()
        if name != without
    }


def _any_of(schemas: list[Mapping[str, Any]]) -> Node:
    """Objects distinguished by a constant become an open list; everything else is a plain union."""
    keys = [{key for key, each in (one.get("properties") or {}).items() if "const" in each} for one in schemas]
    common = set.intersection(*keys)
    if common:
        key = min(common)
        return by_known(key, {one["properties"][key]["const"]: obj(_rows(one, without=key)) for one in schemas})
    first, *others = map(node_of, schemas)
    for each in others:
        first = first | each
    return first
