"""The page `docs/tables/tool-schemas.md`: `make tables` writes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from conformance.profiles.profiles import all_profiles
from conformance.profiles.tool_variants import Outcome, Variant
from conformance.tool_definitions.result import in_order
from devtools.tool_probes import PROBES, Answer, Probe, answer

_SIGNS = {
    Outcome.ACCEPTED: "✅",
    Outcome.IGNORED: "🟡",
    Outcome.REWRITTEN: "✏️",
    Outcome.REFUSED: "❌",
    Outcome.UNKNOWN: "·",
}
_KINDS = {
    "recorded": "recorded",
    "reported": "reported",
    "source": "source code",
    "documented": "documented only",
    None: "contract",
}
_OVERVIEW = (
    *("openai/chat", "openai/chat-strict", "anthropic/messages", "anthropic/messages-strict", "google/3"),
    *("google/json-schema", "xai/chat", "vllm/xgrammar", "llama-cpp/grammar", "ollama/chat"),
)
"""The variants of the first table; the others are in the table of their provider."""

_HEAD = """\
# JSON Schema keywords in tool definitions, by provider

What each provider makes of a JSON Schema keyword in the parameters of a tool. If a provider refuses one keyword of one
tool, it refuses the whole request.

`make tables` generates this page from the `tools` of the [profiles](../profiles.md) and from the
[contracts](../contract/README.md). [`conformance tools`](../tools.md) judges your own tools by the same facts.

✅ accepted · 🟡 ignored: the model may send what the keyword forbids · ✏️ rewritten to another keyword · ❌ refused ·
`·` not known

Where a provider does not enforce the schema, an accepted keyword is shown to the model, and nothing more.

*recorded*: in recordings of the provider · *reported*: by its users, in public · *source code*: read there ·
*documented only*: nothing else confirms it · *contract*: in the contract of the dialect, with its own evidence
"""


def lines() -> Iterator[str]:
    """The lines of the page."""
    variants = {each.full_name: each for each in in_order()}
    asked = PROBES
    answers = {name: [answer(each, variant) for each in asked] for name, variant in variants.items()}
    yield from _HEAD.split("\n")
    yield "## Overview"
    yield ""
    yield from _table(asked, _OVERVIEW, answers)
    for profile in dict.fromkeys(each.profile for each in variants.values()):
        own = [each for each in variants.values() if each.profile == profile]
        yield f"## {profile}"
        yield ""
        yield f"{all_profiles()[profile].about}"
        yield ""
        yield from (f"- `{each.full_name}`: {each.about}; {_enforced(each)}" for each in own)
        yield ""
        yield from _table(asked, [each.full_name for each in own], answers)
        for each in own:
            yield from _evidence(each, asked, answers[each.full_name])


def _enforced(variant: Variant) -> str:
    texts = {True: "the schema is enforced", False: "the schema is not enforced", None: "not known to be enforced"}
    return texts[variant.enforced]


def _table(asked: Sequence[Probe], names: Sequence[str], answers: dict[str, list[Answer]]) -> Iterator[str]:
    yield f"| keyword | {' | '.join(name.replace('/', ' ', 1) for name in names)} |"
    yield f"| --- |{' :-: |' * len(names)}"
    for number, probe in enumerate(asked):
        cells = (_SIGNS[answers[name][number].outcome] for name in names)
        yield f"| {probe.label} | {' | '.join(cells)} |"
    yield ""


def _evidence(variant: Variant, asked: Sequence[Probe], found: Sequence[Answer]) -> Iterator[str]:
    """The evidence of a variant, and its limits; keywords of the same evidence together."""
    groups: dict[tuple[Outcome, str, str], list[str]] = {}
    for probe, each in zip(asked, found, strict=True):
        if each.outcome is not Outcome.UNKNOWN:
            kind = ", ".join(filter(None, (_KINDS[each.basis], each.seen, _time(each.since, None))))
            groups.setdefault((each.outcome, each.evidence or "", kind), []).append(probe.label)
    yield f"<details><summary>Evidence for {variant.full_name}</summary>"
    yield ""
    for (outcome, evidence, kind), labels in groups.items():
        yield f"- {outcome}: {', '.join(labels)}. {evidence} ({kind})"
    for limit in variant.limits:
        most = f"`{limit.pattern.pattern}`" if limit.pattern is not None else f"at most {limit.most}"
        days = [None if day is None else day.isoformat() for day in (limit.day, limit.since, limit.until)]
        kind = ", ".join(filter(None, (_KINDS[limit.basis], days[0], _time(days[1], days[2]))))
        yield f"- limit of {limit.measure}: {most}. {limit.evidence} ({kind})"
    yield ""
    yield "</details>"
    yield ""


def _time(since: str | None, until: str | None) -> str:
    return " ".join(filter(None, (since and f"since {since}", until and f"until {until}")))


def main() -> None:
    """Prints the page."""
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    print("\n".join(lines()).rstrip())  # noqa: T201 - it is what the command is for


if __name__ == "__main__":
    main()
