"""Keywords in the schemas of tools and of outputs, and the limits of providers, by the `tools` of their profiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conformance.judge import quirks
from conformance.judge.providers import providers_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import get
from conformance.model.transcript import ToolDefinition
from conformance.profiles.profiles import all_profiles
from conformance.profiles.subschemas import place_of
from conformance.profiles.tool_keywords import Treated, schema_in, treated
from conformance.profiles.tool_sizes import Exceeded, exceeded, of_list
from conformance.profiles.tool_variants import Outcome, Variant, variants_of

REFUSED, IGNORED, LIMIT = "tool-keyword-unsupported", "tool-keyword-ignored", "tool-size-out-of-range"

_FORBIDDEN = {
    **dict.fromkeys(("minimum", "exclusiveMinimum"), "a smaller number"),
    **dict.fromkeys(("maximum", "exclusiveMaximum"), "a larger number"),
    "multipleOf": "a number that is no multiple of it",
    "minLength": "a shorter text",
    "maxLength": "a longer text",
    "pattern": "a text that does not match it",
    "format": "a text of another format",
    **dict.fromkeys(("minItems", "contains", "minContains"), "fewer items"),
    **dict.fromkeys(("maxItems", "maxContains"), "more items"),
    "uniqueItems": "the same item twice",
    "minProperties": "fewer properties",
    "maxProperties": "more properties",
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties"), "properties that are not declared"),
    **dict.fromkeys(("prefixItems", "items", "additionalItems", "unevaluatedItems"), "items of another kind"),
    **dict.fromkeys(("patternProperties", "propertyNames"), "properties with other names or values"),
    **dict.fromkeys(("required", "dependentRequired", "dependencies"), "an object without the property"),
    **dict.fromkeys(("enum", "const"), "another value"),
    "type": "a value of another type",
    **dict.fromkeys(("anyOf", "oneOf", "$ref", "$dynamicRef"), "a value that none of the schemas allows"),
    **dict.fromkeys(("allOf", "not", "if", "then", "else", "dependentSchemas"), "a value that it forbids"),
}


class _Sent(NamedTuple):
    """A schema in a request that a provider judges: that of a tool, or of the output; `most` is the severity.

    `at` is the place of the schema.
    """

    tool: ToolDefinition | None
    variant: Variant
    schema: object
    at: str
    most: Severity
    provider: str


@rule(
    REFUSED,
    scope="request",
    cites="ANY-176",
    part="tools",
    about="tools",
)
def tool_keyword_unsupported(view: View) -> Iterator[Hit]:
    """A tool's schema must not use a keyword that the provider refuses.

    One such keyword in one tool makes the provider refuse the whole request, with every other tool.
    """
    yield from _found(view).refused


@rule(
    IGNORED,
    scope="request",
    cites="ANY-177",
    part="tools",
    about="tools",
)
def tool_keyword_ignored(view: View) -> Iterator[Hit]:
    """A tool's schema should not rely on a keyword that the provider ignores or rewrites.

    The model can then send arguments that the schema forbids.
    """
    yield from _found(view).ignored


@rule(
    LIMIT,
    scope="request",
    cites="ANY-178",
    part="tools",
    about="tools",
)
def tool_size_out_of_range(view: View) -> Iterator[Hit]:
    """The tools of a request must keep to the provider's limits for their number, names and schemas.

    The provider refuses the whole request because of one tool that is too large.
    """
    yield from _found(view).too_large


@rule(
    "output-keyword-unsupported",
    scope="request",
    cites="ANY-181",
)
def output_keyword_unsupported(view: View) -> Iterator[Hit]:
    """The schema of a structured output must not use a keyword that the provider refuses.

    The provider refuses the request.
    """
    yield from _of_outputs(view).refused


@rule(
    "output-size-out-of-range",
    scope="request",
    cites="ANY-182",
)
def output_size_out_of_range(view: View) -> Iterator[Hit]:
    """The schema of a structured output must keep to the provider's limits.

    The provider refuses the request.
    """
    yield from _of_outputs(view).too_large


class _Found(NamedTuple):
    """The hits of the rules about tools, or about outputs."""

    refused: list[Hit]
    ignored: list[Hit]
    too_large: list[Hit]


def _found(view: View) -> _Found:
    """The hits of the rules about tools, which are found together: each needs the same schemas."""
    if _schemas not in view.found:
        sent = list(_schemas(view))
        view.found[_schemas] = _judged(view, sent)
        view.found[_schemas].too_large.extend(_of_lists(view, sent))
    found: _Found = view.found[_schemas]
    return found


def _of_outputs(view: View) -> _Found:
    """The hits of the rules about outputs."""
    if _outputs not in view.found:
        view.found[_outputs] = _judged(view, _outputs(view))
    found: _Found = view.found[_outputs]
    return found


def _judged(view: View, schemas: Iterable[_Sent]) -> _Found:
    """The hits about each schema."""
    found, day = _Found([], [], []), None
    for sent in schemas:
        day = day or quirks.answered_on(view)
        for each in treated(sent.schema, sent.variant, day):
            if each.outcome is Outcome.REFUSED:
                instead = f"no `{each.occurrence.keyword}` here"
                found.refused.append(_keyword(each, instead, _severity(sent, view), sent, view))
            elif each.loses:
                instead = "arguments that are checked when they come"
                found.ignored.append(_keyword(each, instead, Severity.INFO, sent, view))
        for over in filter(_refuses, exceeded(sent.schema, sent.variant, day)):
            found.too_large.append(_over(over, f"{sent.at}{over.pointer}", sent, view))
    return found


def _of_lists(view: View, schemas: Iterable[_Sent]) -> Iterator[Hit]:
    """The hits about the tools together, and about their names."""
    groups: dict[Variant, list[tuple[ToolDefinition, _Sent]]] = {}
    for sent in schemas:
        if sent.tool is not None:
            groups.setdefault(sent.variant, []).append((sent.tool, sent))
    for variant, group in groups.items():
        names = [(tool.name, tool.description) for tool, _ in group]
        for number, over in of_list(names, variant, quirks.answered_on(view)):
            if _refuses(over):
                tool, sent = group[number or 0]
                at = tool.pointer.rpartition("/")[0] if number is None else tool.pointer
                yield _over(over, at, sent, view)


def _keyword(each: Treated, instead: str, severity: Severity, sent: _Sent, view: View) -> Hit:
    return Hit(
        f"{sent.at}{each.occurrence.pointer}",
        f"{message_of(each)} ({_by(sent, view)})",
        instead,
        brief(each.occurrence.value),
        severity=severity,
        fix=fix_of(each),
    )


def _refuses(over: Exceeded) -> bool:
    return over.limit.outcome is Outcome.REFUSED


def _over(over: Exceeded, at: str, sent: _Sent, view: View) -> Hit:
    return Hit(
        at,
        f"{too_much(over)} ({_by(sent, view)})",
        over.limit.pattern.pattern if over.limit.pattern is not None else f"at most {over.limit.most}",
        over.found,
        severity=_severity(sent, view),
        fix=over.limit.fix,
    )


def message_of(each: Treated) -> str:
    """What becomes of a keyword, in a sentence."""
    row, outcome = each.row, str(each.outcome)
    if each.outcome is Outcome.UNKNOWN:
        return f"it is not known what becomes of `{each.occurrence.keyword}`"
    becomes = f" to {row.becomes}" if row is not None and row.becomes else ""
    reason = f": {row.reason}" if row is not None and row.reason else ""
    return f"`{each.occurrence.keyword}` is {outcome}{becomes}{reason}"


def fix_of(each: Treated) -> str | None:
    """What to change."""
    if each.row is not None and each.row.fix:
        return each.row.fix
    if each.outcome is Outcome.REFUSED:
        return f"leave `{each.occurrence.keyword}` out, and describe it in the description"
    return f"check the arguments yourself: {loss_of(each)} can come" if each.loses else None


def loss_of(each: Treated) -> str:
    """What the model may send although the keyword forbids it."""
    if each.outcome is Outcome.REWRITTEN and each.occurrence.keyword == "oneOf":
        return "a value that several of the schemas allow"
    return _FORBIDDEN.get(each.occurrence.keyword, "a value that it forbids")


def too_much(over: Exceeded) -> str:
    """What is too much, in a sentence."""
    limit = over.limit
    if limit.pattern is not None:
        return f"{brief(over.found)} is refused: {limit.reason}"
    return limit.reason or f"more than {limit.most} {_NOUNS[limit.measure]} are refused"


_NOUNS = {
    "tools": "tools",
    "name-length": "characters in a name",
    "description-length": "characters in a description",
    "properties": "properties in a schema",
    "depth": "levels of objects in a schema",
    "enum-values": "enum values in a schema",
    "names-size": "characters of names and enum values in a schema",
    "enum-size": "characters of the values of a long enum",
}


def applying(view: View, tool: ToolDefinition, provider: str, model: str | None) -> tuple[Variant, object, str] | None:
    """The variant of the provider by which a tool of the request is judged, with its schema and the schema's place."""
    return _applying(view, tool, _variants(view, provider, model), own=provider == view.provider)


def _variants(view: View, provider: str, model: str | None) -> list[Variant]:
    profile = all_profiles().get(provider)
    if profile is None:
        return []
    version = quirks.api_version(view) if provider == view.provider else None
    return [each for each in variants_of(profile) if each.is_about(model, version)]


def _applying(
    view: View, tool: ToolDefinition, variants: list[Variant], *, own: bool
) -> tuple[Variant, object, str] | None:
    fitting = [each for each in variants if each.strict is None or each.strict is tool.strict]
    if tool.kind != "function" or not fitting:
        return None
    definition = get(view.request, tool.pointer)
    for variant in fitting:
        found = schema_in(definition, variant) if variant.form == view.dialect.name else None
        if found is not None:
            return variant, found[0], f"{tool.pointer}{found[1]}"
    at = None if own else place_of(definition, tool.parameters, tool.pointer)
    # The gateway writes the tool in the form of its upstream; the schema stays.
    return None if at is None else (fitting[0], tool.parameters, at)


def _schemas(view: View) -> Iterator[_Sent]:
    if not view.ask.tools:
        return
    for provider, model, most in providers_of(view):
        variants = _variants(view, provider, model)
        for tool in view.ask.tools if variants else ():
            found = _applying(view, tool, variants, own=provider == view.provider)
            if found is not None:
                yield _Sent(tool, *found, most, provider)


def _outputs(view: View) -> Iterator[_Sent]:
    """The schemas of outputs that the provider enforces: those marked as strict, where the form has such a mark."""
    for provider, model, most in providers_of(view):
        for variant in _variants(view, provider, model):
            at = variant.output_at
            if at is not None and variant.form == view.dialect.name:
                schema, strict = get(view.request, at), get(view.request, f"{at.rpartition('/')[0]}/strict")
                if isinstance(schema, dict) and variant.strict in (None, strict):
                    yield _Sent(None, variant, schema, at, most, provider)


def _severity(sent: _Sent, view: View) -> Severity:
    """An error; at most a warning if the provider accepted this request, or if a gateway stands in between."""
    return min(sent.most, Severity.WARNING if view.ok else Severity.ERROR)


def _by(sent: _Sent, view: View) -> str:
    name = sent.variant.full_name
    return f"by {name}" if sent.provider == view.provider else f"by {name}, behind {view.provider}"
