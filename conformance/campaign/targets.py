"""Targets: the endpoints that are known by name, as data in `specs/targets.yaml` and in files of the user's own."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.matrix.endpoint import Price
from conformance.model.data_files import load_yaml
from conformance.model.registry import all_dialects
from conformance.model.yaml_document import hold_against, line_of, read_document


@dataclass(frozen=True, slots=True)
class Target:
    """An endpoint to drive. `base_url` has no trailing slash; `api_key_env` is None where no key is needed.

    `hosts` are the ends of host names at which this provider answers (`.openai.azure.com`). `models` has the
    default model of each dialect, empty where there is none, `paths` what lies between the host and a dialect's own
    paths, where it is not the usual. `auth` is where the key goes, if not where the client puts it: `bearer`, or the
    name of a header field. `provenance` is None where the host decides. `base_url`, `paths` and `headers` may name
    environment variables: `endpoint` looks them up.
    """

    name: str
    base_url: str
    models: Mapping[str, str]
    api_key_env: str | None = None
    hosts: tuple[str, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    auth: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    provenance: str | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    about: str | None = None


@cache
def all_targets() -> Mapping[str, Target]:
    """Every target that ships, by its name. The reference server's models are those that the dialects name."""
    known = _targets(load_yaml("targets.yaml"))
    models = {name: dialect.reference_model for name, dialect in all_dialects().items()}
    spoken = {name: model for name, model in models.items() if model is not None}
    return {
        name: replace(target, models=spoken) if target.provenance == "reference" else target
        for name, target in known.items()
    }


def known_targets(files: Iterable[str] = ()) -> Mapping[str, Target]:
    """The targets that ship and those of the user's files; of two with one name the later counts.

    Raises:
        ConformanceError: a file cannot be read, or is no file of targets; with file and line.
    """
    known = dict(all_targets())
    for file in files:
        path = Path(file)
        document, root = read_document(path, "targets")
        hold_against("targets.schema.json", document, root, path, "file of targets")
        for name, target in _targets(document).items():
            for steps, message, hint in _contradictions(target):
                raise ConformanceError(f"{path}:{line_of(root, ['targets', name, *steps])}: {name}: {message}", hint)
            known[name] = target
    return known


def target_called(name: str, known: Mapping[str, Target]) -> Target:
    """The target of that name.

    Raises:
        ConformanceError: there is none, or it is known by its hosts alone.
    """
    target = known.get(name)
    if target is None:
        there = sorted(each.name for each in known.values() if each.base_url)
        near = difflib.get_close_matches(name, there, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(there)}; --targets FILE adds your own"
        raise ConformanceError(f"there is no target called {name!r}", hint)
    if not target.base_url:
        raise ConformanceError(
            f"the target {name!r} has no base URL",
            target.about or "give it one in a file of your own, with --targets FILE",
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
        hosts=tuple(entry.get("hosts") or ()),
        paths=entry.get("paths") or {},
        auth=entry.get("auth"),
        headers=entry.get("headers") or {},
        provenance=entry.get("provenance"),
        prices={
            model: Price(float(price["input"]), float(price["output"]))
            for model, price in (entry.get("prices") or {}).items()
        },
        about=entry.get("about"),
    )


def _contradictions(target: Target) -> Iterable[tuple[list[str], str, str]]:
    """What a schema cannot say of a user's target, as (keys of the place, message, hint)."""
    if not target.base_url:
        yield [], "there is no base_url", "add `base_url: https://...`"
    if not target.models:
        yield [], "there is no dialect under `models`", "add `models: {openai-chat: NAME}`, null for no default"
    for key, dialect in [*(("models", each) for each in target.models), *(("paths", each) for each in target.paths)]:
        if dialect not in all_dialects():
            near = difflib.get_close_matches(dialect, all_dialects(), n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(all_dialects())}"
            yield [key, dialect], f"there is no dialect called {dialect!r}", hint
    if target.provenance == "reference":
        yield ["provenance"], "only the suite's own server is the reference", "write live or local"
