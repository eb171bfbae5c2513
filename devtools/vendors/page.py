"""The pages of `docs/tables/providers`, one for each profile, and the table of all: `make tables` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from conformance.contract import Situation
from conformance.contract.nodes import Object
from conformance.contract.profile_rows import condition_of
from conformance.judge.contracted import contracts_of
from conformance.profiles.documented import documented
from conformance.profiles.profiles import Profile, all_shipped
from devtools.places import ROOT
from devtools.vendors.wording import code, escaped, period, shown, upstreams

INDEX = ROOT / "docs" / "tables" / "providers.md"
FOLDER = ROOT / "docs" / "tables" / "providers"
PARTS: Mapping[str, str] = {
    "adds": "Adds: what only this provider has",
    "lacks": "Lacks: what only the owner of the format has",
    "refuses": "Refuses",
    "otherwise": "Does otherwise",
}
_ABOUT = f"""\
# Providers

What each provider has otherwise than the owner of the format that it speaks. `make tables` writes this page and those
that it links, from `specs/profiles` and `specs/documented`; [profiles](../profiles.md) explains them.

*Adds*: fields, values and kinds that only the provider has. *Lacks*: what only the owner has. *Refuses*: what it
answers with an error. *Otherwise*: other types, values, ranges and requirements, and known habits. The page of
each has the hosts, headers and names of models by which it is found; `--profile` chooses any.

| provider | document | {" | ".join(each for each in PARTS)} |
| --- | --- |{" ---: |" * len(PARTS)}
"""


def pages() -> Iterator[tuple[Path, str]]:
    """Each page with its text."""
    profiles = sorted(all_shipped().values(), key=lambda each: each.name)
    yield INDEX, _ABOUT + "".join(f"{_line(each)}\n" for each in profiles)
    for each in profiles:
        yield FOLDER / f"{each.name}.md", "\n".join(_page(each)) + "\n"


def rows_of(profile: Profile) -> dict[str, dict[str, list[tuple[str, ...]]]]:
    """The lines of a profile by dialect and part: the place, what holds there, for whom and when, and the source."""
    own = documented(profile.name)
    found: dict[str, dict[str, list[tuple[str, ...]]]] = {}
    for dialect, rows in (own.rows if own is not None else {}).items():
        for row in rows:
            part = row["difference"] if row["difference"] in ("adds", "lacks") else "otherwise"
            _put(found, dialect, part, (code(row["at"]), _of_document(row), "", ""))
    for dialect, rows in profile.deviations.items():
        for row in rows:
            part = "lacks" if "ignored" in row else "adds" if _is_added(dialect, row) else "otherwise"
            part = "refuses" if part == "otherwise" and _is_refused(row) else part
            _put(found, dialect, part, (code(row["at"]), _of_profile(row), period(row), row["evidence"]))
    for dialect, rows in profile.messages.items():
        for row in rows:
            _put(found, dialect, "refuses", ("order of messages", _ordered(row), "", row["evidence"]))
    for dialect, ids in profile.call_ids.items():
        for each in ids:
            line = ("id of a call", f"{each.expected}; {each.severity}", "", each.evidence)
            _put(found, dialect, "otherwise", line)
    return found


def _ordered(row: Mapping[str, Any]) -> str:
    """What the order of messages is, in words."""
    if "role" in row:
        return f"{code(row['role'])} only after {' or '.join(map(code, row['after']))}"
    return f"last {' or '.join(map(code, row['last']))}" if "last" in row else f"at least one {code(row['some'])}"


def _put(found: dict[str, dict[str, list[tuple[str, ...]]]], dialect: str, part: str, line: tuple[str, ...]) -> None:
    found.setdefault(dialect, {}).setdefault(part, []).append(line)


def _is_added(dialect: str, row: Mapping[str, Any]) -> bool:
    """Whether a row allows a field at the top of a request that the owner of the format does not have."""
    place = row["at"].removeprefix("request /")
    return "allows" in row and "/" not in place and ":" not in place and place not in _options(dialect)


@cache
def _options(dialect: str) -> frozenset[str]:
    """The fields of a request of the owner."""
    contracts = contracts_of(dialect)
    asked = contracts.request if contracts is not None else None
    found = asked.beside(asked.node).resolved(Situation()).node if asked is not None else None
    return frozenset(each.name for each in found.fields) if isinstance(found, Object) else frozenset()


def _is_refused(row: Mapping[str, Any]) -> bool:
    return row.get("severity", "error") == "error" and not row.keys().isdisjoint(
        ("unsupported", "allows", "excludes", "needs")
    )


def _of_document(row: Mapping[str, Any]) -> str:
    if "undocumented" in row:
        idle = f", but not null or {code(row['default'])}" if "default" in row else ""
        return "an error" if row["undocumented"] == "error" else f"an info if it is sent{idle}"
    found = _stated(row)
    if "required" in row:
        found.append("required" if row["required"] else "not required")
    return "; ".join(found)


def _of_profile(row: Mapping[str, Any]) -> str:
    found = _stated(row)
    if "ignored" in row:
        found.append(f"no effect{': use ' + row['ignored'] if row['ignored'] else ''}")
    if "unsupported" in row:
        found.append(f"not supported{': use ' + row['unsupported'] if row['unsupported'] else ''}")
    if _is_refused(row):
        status = f" with {row['status']}" if "status" in row else ""
        found.append(f"{'anything else is ' if 'allows' in row else ''}refused{status}")
    elif "eases" not in row and "severity" in row:
        found.append(f"a {row['severity']}")
    return "; ".join(found)


def _stated(row: Mapping[str, Any]) -> list[str]:
    found = [shown(row["allows"])] if "allows" in row else []
    if "accepts" in row:
        found.append(f"also {shown(row['accepts'])}")
    if "assumes" in row:
        found.append(f"{code(row['assumes'])} if it is missing")
    if "eases" in row:
        found.append(f"{', '.join(row['eases'])}: only {'an info' if row['severity'] == 'info' else 'a warning'}")
    if "excludes" in row:
        found.append(f"not together: {', '.join(str(condition_of(each)) for each in row['excludes'])}")
    if "needs" in row:
        first, *others = (str(condition_of(each)) for each in row["needs"])
        found.append(f"{first} only with {' or '.join(others)}")
    return found


def _line(profile: Profile) -> str:
    """The line of a profile in the table of all."""
    own, rows = documented(profile.name), rows_of(profile)
    counts = [sum(len(parts.get(part, ())) for parts in rows.values()) for part in PARTS]
    counts[-1] += len(profile.quirks)
    cells = [
        f"[{profile.name}](providers/{profile.name}.md)",
        f"{own.document} {own.version}" if own is not None else "",
        *(str(each or "") for each in counts),
    ]
    return f"| {' | '.join(map(escaped, cells))} |"


def _page(profile: Profile) -> Iterator[str]:
    own, rows = documented(profile.name), rows_of(profile)
    yield f"# {profile.name}\n\n{profile.about}\n"
    yield "Made by `make tables` from its profile and its document; [all providers](../providers.md).\n"
    yield from _known_by(profile)
    yield (
        f"- Its document: {own.evidence}. Lines without a source are from it."
        if own is not None
        else "- No package registry has a document of it in the format of another provider."
    )
    if profile.is_gateway:
        yield f"- A gateway: it is judged by its own format. {upstreams(profile)}".rstrip()
    for dialect, parts in rows.items():
        yield f"\n## {dialect}"
        for part, title in PARTS.items():
            if part in parts:
                yield f"\n### {title}\n"
                yield from _table(("place", "what", "for whom, since when", "source"), parts[part])
    if profile.quirks:
        yield "\n## Habits\n\nFindings of these rules are less severe here.\n"
        lines = [(f"`{each['rule']}`", each["severity"], period(each), each["evidence"]) for each in profile.quirks]
        yield from _table(("rule", "severity", "for whom, since when", "source"), lines)
    if profile.tools:
        yield f"\nWhat it makes of tools: [{', '.join(profile.tools)}](../tool-schemas.md)."
    if not rows and not profile.quirks:
        yield "\nNothing is known of it that differs from the owner of the format."


def _known_by(profile: Profile) -> Iterator[str]:
    if profile.hosts:
        yield f"- Hosts: {', '.join(map(code, profile.hosts))}"
    for mark in profile.known_by:
        if "headers" in mark:
            value = f" with the value `{mark['value'].replace(chr(92), '')}`" if "value" in mark else ""
            yield f"- Headers of its answers: {', '.join(map(code, mark['headers']))}{value} ({mark['evidence']})"
        elif "clients" in mark:
            yield f"- Its own client: {code(mark['clients'])} ({mark['evidence']})"
        elif "members" in mark:
            yield f"- Members of its replies: {', '.join(map(code, mark['members']))} ({mark['evidence']})"
        elif "models" in mark:
            yield f"- Names of models: {code(mark['models'])} ({mark['evidence']})"
        else:
            yield f"- Models of answers without their requests: {code(mark['answers'])} ({mark['evidence']})"
    yield f"- By name: `--profile {profile.name}`"


def _table(titles: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A table without the columns that are empty in each line."""
    every = list(lines)
    kept = [number for number in range(len(titles)) if any(line[number] for line in every)]
    yield f"| {' | '.join(titles[number] for number in kept)} |"
    yield f"| {' | '.join('---' for _ in kept)} |"
    for line in every:
        yield f"| {' | '.join(escaped(line[number]) for number in kept)} |"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    made = dict(pages())
    for stale in set(FOLDER.iterdir()) - made.keys():
        stale.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
