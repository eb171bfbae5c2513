"""Putting one dialect's schemas together: from the SDK's types, by the builder, with the overlay on top."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType, UnionType
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir, load_yaml
from conformance.wire.build import Builder, Company, Names, reachable, unified
from conformance.wire.overlay import Overlay
from conformance.wire.schemas import KINDS
from conformance.wire.typereader import Field, shape_of


@dataclass(frozen=True, slots=True)
class Source:
    """What one schema is made from: annotations, or the fields of an object that no SDK has a type for.

    `sent` says that a client sends it, and that what the SDK requires is required. With both, an object has the
    fields beside what the annotations say. `company` and `proto` are the builder's.
    `batch` names the definition of one message, where a body can be an array of several.
    """

    annotations: tuple[Any, ...] = ()
    fields: Mapping[str, Field] | None = None
    sent: bool = False
    company: Company = dataclasses.field(default_factory=dict)
    proto: bool = False
    batch: str = ""


@dataclass(frozen=True, slots=True)
class SdkTypes:
    """What a dialect's schemas are made from: `SDK_TYPES` in the `sdk_types` module of its folder.

    `pin` is the distribution of the SDK, `packages` its modules whose names for unions the schemas take over, `sources`
    the source of each schema by its kind: `request`, `response`, `event`, `error`.
    """

    pin: str
    packages: tuple[str, ...]
    sources: Mapping[str, Source]


@cache
def union_names(packages: tuple[str, ...]) -> Names:
    """The names that the SDK's modules give to unions of records, the shortest first; then the same with the module."""
    found: dict[frozenset[type], dict[str, None]] = {}
    for module in _modules(packages):
        for name, value in vars(module).items():
            if typing.get_origin(value) not in (typing.Union, typing.Annotated, UnionType):
                continue
            shape = shape_of([value])
            if len(shape.records) > 1 and not shape.scalars and shape.items is None:
                own = f"{module.__name__.rpartition('.')[2]}.{name}"
                found.setdefault(frozenset(shape.records), {}).update({name: None, own: None})
    return {
        records: tuple(sorted(names, key=lambda name: ("." in name, len(name), name)))
        for records, names in found.items()
    }


def _modules(packages: tuple[str, ...]) -> Iterator[ModuleType]:
    for name in packages:
        package = importlib.import_module(name)
        yield package
        for module in pkgutil.iter_modules(getattr(package, "__path__", ())):
            yield importlib.import_module(f"{name}.{module.name}")


def schemas(name: str, types: SdkTypes) -> dict[str, dict[str, Any]]:
    """The schemas of a dialect by their kind.

    Raises:
        ConformanceError: the overlay speaks of what is not there.
    """
    has_overlay = (data_dir("specs") / "wire" / name / "overlay.yaml").is_file()
    overlay = Overlay(load_yaml(f"wire/{name}/overlay.yaml") if has_overlay else ())
    made = {kind: _schema(name, kind, types, overlay) for kind in KINDS if kind in types.sources}
    if overlay.stale():
        raise ConformanceError(
            f"specs/wire/{name}/overlay.yaml: entries without effect: {', '.join(overlay.stale())}",
            "remove them, or correct their names",
        )
    return made


def _schema(name: str, kind: str, types: SdkTypes, overlay: Overlay) -> dict[str, Any]:
    source = types.sources[kind]
    builder = Builder(
        union_names(types.packages),
        requires=source.sent,
        company=source.company,
        proto=source.proto,
    )
    root = builder.body(source.annotations) if source.annotations else {}
    if source.fields is not None:
        beside = builder.record(source.fields)
        root = {
            **beside,
            **root,
            "properties": {**beside["properties"], **root.get("properties", {})},
            "required": [*beside.get("required", ()), *root.get("required", ())],
        }
    if source.batch:
        builder.defs[source.batch] = root
        one = {"$ref": f"#/$defs/{source.batch}"}
        root = {"if": {"type": "array"}, "then": {"items": one}, "else": one}
    defs = unified({"root": root, **builder.defs})
    overlay.apply(kind, defs)
    defs = reachable(defs, "root")
    root = defs.pop("root")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{name}/{kind}.schema.json",
        "title": f"{name}: {kind}",
        **root,
        "$defs": dict(sorted(defs.items())),
    }
