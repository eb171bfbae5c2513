"""Targets: named endpoints, defined in `specs/targets.yaml` and in the user's own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError, did_you_mean
from conformance.matrix.endpoint import Price
from conformance.model.data_files import load_yaml
from conformance.model.registry import all_dialects
from conformance.model.yaml_document import hold_against, place_of, read_document


@dataclass(frozen=True, slots=True)
class Target:
    """An endpoint to test. `base_url` has no trailing slash; `api_key_env` is None if no key is needed.

    `models` has the default model of each dialect, empty where there is none, `paths` what lies between the host and a
    dialect's own paths, where it is not the usual. `auth` is where the key goes, if not where the client puts it:
    `bearer`, or the name of a header field. `provenance` and `profile` are None where the host decides. `base_url`,
    `paths` and `headers` may name environment variables: `endpoint` looks them up.
    """

    name: str
    base_url: str
    models: Mapping[str, str]
    api_key_env: str | None = None
    paths: Mapping[str, str] = field(default_factory=dict)
    auth: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    provenance: str | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    about: str | None = None
    profile: str | None = None


@cache
def all_targets() -> Mapping[str, Target]:
    """The shipped targets by name. The reference server uses the model names of the dialects."""
    known = _targets(load_yaml("targets.yaml"))
    models = {name: dialect.reference_model for name, dialect in all_dialects().items()}
    named = {name: model for name, model in models.items() if model is not None}
    return {
        name: replace(target, models=named) if target.provenance == "reference" else target
        for name, target in known.items()
    }


def known_targets(files: Iterable[str] = ()) -> Mapping[str, Target]:
    """The shipped targets and those of the user's files; a later target replaces one of the same name.

    Raises:
        ConformanceError: a file cannot be read, or does not define targets; with file and line.
    """
    known = dict(all_targets())
    for file in files:
        path = Path(file)
        document, root = read_document(path, "targets")
        hold_against("targets.schema.json", document, root, path, "file of targets")
        for name, target in _targets(document).items():
            for steps, message, hint in _contradictions(target):
                line, column = place_of(root, ["targets", name, *steps], key=True)
                raise ConformanceError(f"{path}:{line}:{column}: {name}: {message}", hint)
            known[name] = target
    return known


def target_called(name: str, known: Mapping[str, Target]) -> Target:
    """The target with this name.

    Raises:
        ConformanceError: it does not exist, or has hosts but no base URL.
    """
    target = known.get(name)
    if target is None:
        there = sorted(each.name for each in known.values() if each.base_url)
        otherwise = f"choose one of {', '.join(there)}, or define your own with --targets FILE"
        raise ConformanceError(f"unknown target {name!r}", did_you_mean(name, there, otherwise))
    if not target.base_url:
        raise ConformanceError(
            f"the target {name!r} has no base URL",
            target.about or "define it with a base_url in a file of your own, and pass --targets FILE",
        )
    return target


def _targets(document: Mapping[str, Any]) -> dict[str, Target]:
    return {name: _target(name, entry or {}) for name, entry in document["targets"].items()}


def _target(name: str, entry: Mapping[str, Any]) -> Target:
    return Target(
        name=name,
        base_url=entry.get("base_url", "").rstrip("/"),
        models={dialect: model or "" for dialect, model in (entry.get("models") or {}).items()},
        api_key_env=entry.get("api_key_env"),
        paths=entry.get("paths") or {},
        auth=entry.get("auth"),
        headers=entry.get("headers") or {},
        provenance=entry.get("provenance"),
        prices={
            model: Price(float(price["input"]), float(price["output"]))
            for model, price in (entry.get("prices") or {}).items()
        },
        about=entry.get("about"),
        profile=entry.get("profile"),
    )


def _contradictions(target: Target) -> Iterable[tuple[list[str], str, str]]:
    """What the JSON Schema cannot check in a user's target, as (keys of the place, message, hint)."""
    if not target.base_url:
        yield [], "base_url is missing", "add `base_url: https://...`"
    if not target.models:
        yield [], "`models` names no dialect", "add `models: {openai-chat: NAME}`; null means no default model"
    for key, dialect in [*(("models", each) for each in target.models), *(("paths", each) for each in target.paths)]:
        if dialect not in all_dialects():
            yield [key, dialect], f"unknown dialect {dialect!r}", did_you_mean(dialect, all_dialects())
    if target.provenance == "reference":
        yield ["provenance"], "provenance `reference` is reserved for the suite's own server", "use live or local"
