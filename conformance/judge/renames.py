"""Former ids of rules, from `specs/renames.yaml`: they keep working wherever a user can name a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from conformance.model.data_files import load_yaml


@cache
def renames() -> Mapping[str, str]:
    """The current ids of renamed rules, by the former id."""
    return resolved(load_yaml("renames.yaml")["renames"])


@cache
def retired() -> Mapping[str, str]:
    """The replacements of removed rules, by their ids."""
    return {entry["old"]: entry["reason"] for entry in load_yaml("renames.yaml")["retired"]}


def resolved(entries: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The current id by each former one. Both former ids of a rule that was renamed twice lead to the last one."""
    steps = {entry["old"]: entry["new"] for entry in entries if entry["old"] != entry["new"]}
    found = {}
    for old, new in steps.items():
        while new in steps:
            new = steps[new]  # noqa: PLW2901 - follows the chain to its end
        found[old] = new
    return found


def current(rule: str) -> str:
    """The current id of a rule, by any id that it ever had; an unknown one is returned unchanged."""
    return renames().get(rule, rule)


@cache
def _former() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for old, new in renames().items():
        found[new] = (*found.get(new, ()), old)
    return found


def ids_of(rule: str) -> tuple[str, ...]:
    """The id of a rule, then those that it had before."""
    return (rule, *_former().get(rule, ()))


def begins(rule: str, prefix: str) -> bool:
    """Whether the id of a rule, or a former one, has this prefix."""
    return any(each.startswith(prefix) for each in ids_of(rule))


def notices(names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """A line for each name or prefix that is a former id and not a current one.

    Args:
        names: As the user wrote them.
        known: The present ids of all rules.
    """
    present = tuple(known)
    for name in dict.fromkeys(names):
        if name in renames():
            yield f"{name} is now {renames()[name]}"
        elif name in retired():
            yield f"{name} was removed: {retired()[name]}"
        elif not any(rule.startswith(name) for rule in present):
            now = sorted({new for old, new in renames().items() if old.startswith(name)})
            if now:
                yield f"rules whose id started with {name} were renamed: {', '.join(now)}"
