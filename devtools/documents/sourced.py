"""Types of a package that cannot be installed here, from its source alone: a server needs a GPU to be imported.

Only the classes, the aliases of types and the functions in the listed files are executed, one by one. What they need
and is in none of these files, nor in a package of types, has a stand-in. `installed` runs this: nothing of this
repository is imported.
"""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

_OF_TYPES = frozenset(
    {"typing", "typing_extensions", "pydantic", "openai", "enum", "datetime", "time", "collections", "re"}
)


class NotThere(BaseModel):
    """In place of a type that is in none of the files: anything, or, among alternatives, one less."""


def namespace_of(name: str, folder: Path, files: Sequence[str]) -> dict[str, Any]:
    """What the files in a folder define, by name; those that others need come first."""
    module = types.ModuleType(f"sourced_{name}")
    sys.modules[module.__name__] = module
    space = module.__dict__
    packages = {Path(each).parts[0] for each in files}
    space |= {
        "_NotThere": NotThere,
        "_Annotated": Annotated,
        "_Field": Field,
        "_Model": BaseModel,
        "_packages": packages,
    }
    for file in files:
        for statement in ast.parse((folder / file).read_text(encoding="utf-8")).body:
            for each in _kept(statement, space):
                _execute(each, space)
    return space


def _kept(statement: ast.stmt, space: dict[str, Any]) -> Iterator[ast.stmt]:
    if isinstance(statement, ast.ImportFrom) and (statement.module or "").partition(".")[0] in _OF_TYPES:
        yield statement
    elif isinstance(statement, ast.Import):
        names = [each for each in statement.names if each.name.partition(".")[0] in _OF_TYPES]
        yield from [ast.Import(names)] if names else []
        space.update(
            {each.name: sys.modules[space["__name__"]] for each in statement.names if each.name in space["_packages"]}
        )
    elif isinstance(statement, ast.ClassDef):
        yield from (_plain_class(statement, space), _plain_class(statement, space, defaults=False))
    elif isinstance(statement, (ast.FunctionDef, ast.Assign, ast.AnnAssign)):
        yield statement


def _plain_class(found: ast.ClassDef, space: dict[str, Any], *, defaults: bool = True) -> ast.ClassDef:
    """The class with its fields alone; where a base is not known, it is a model."""
    known = [each for each in found.bases if _is_known(each, space)]
    bases: list[ast.expr] = (
        list(known) if len(known) == len(found.bases) and known else [ast.Name("_Model", ast.Load())]
    )
    body = list(_fields(found.body, _Anything(space), defaults=defaults)) or [ast.Pass()]
    return ast.ClassDef(found.name, bases, found.keywords, body, [])


class _Anything(ast.NodeTransformer):
    """Puts a stand-in in place of what is taken from a package that is not there."""

    def __init__(self, space: dict[str, Any]) -> None:
        self._space = space

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return node if _is_known(node, self._space) else ast.Name("_NotThere", ast.Load())


def _is_known(base: ast.expr, space: dict[str, Any]) -> bool:
    while isinstance(base, (ast.Attribute, ast.Subscript)):
        base = base.value
    return isinstance(base, ast.Name) and (hasattr(builtins, base.id) or space.get(base.id, NotThere) is not NotThere)


def _fields(body: list[ast.stmt], anything: _Anything, *, defaults: bool) -> Iterator[ast.stmt]:
    for each, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(each, ast.AnnAssign):
            annotation, value = anything.visit(each.annotation), each.value
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                described = ast.Call(ast.Name("_Field", ast.Load()), [], [ast.keyword("description", after.value)])
                pair = ast.Tuple([annotation, described], ast.Load())
                annotation = ast.Subscript(ast.Name("_Annotated", ast.Load()), pair, ast.Load())
            value = value if defaults or value is None else ast.Constant(None)
            yield ast.AnnAssign(each.target, annotation, value, each.simple)
        elif (
            isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Name)
            and each.targets[0].id == "model_config"
        ):
            yield each


def _execute(statement: ast.stmt, space: dict[str, Any]) -> None:
    """Executes one statement; a class that is there already is not made again, and an assignment may fail."""
    if isinstance(statement, ast.ClassDef) and isinstance(space.get(statement.name), type):
        return
    if not isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
        names = {
            each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        }
        space |= dict.fromkeys(names - space.keys() - set(dir(builtins)), NotThere)
    code = compile(ast.fix_missing_locations(ast.Module([statement], [])), space["__name__"], "exec")
    try:
        exec(code, space)
    except Exception as error:  # noqa: BLE001 - any code of others
        if isinstance(statement, ast.ClassDef):
            sys.stderr.write(f"{space['__name__']}.{statement.name}: {error!r}\n")
