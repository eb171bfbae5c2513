"""Faults as people make them: one changed expression or statement of a function, put in by replacing its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOMS = ("contract", "judge", "dialects")
"""The rooms of the package that judge."""

_COMPARED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What to write instead of the text from one place of a file to another; lines begin at 1, columns are bytes.

    `line` is what the first line has.
    """

    kind: str
    path: str
    line: str
    begin: tuple[int, int]
    end: tuple[int, int]
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.begin[0]} {self.kind}: {_brief(self.old)} -> {_brief(self.new)}"

    def planted(self, text: str) -> str:
        """The text of the file with the fault."""
        lines = text.encode().split(b"\n")
        (first, left), (last, right) = self.begin, self.end
        whole = lines[first - 1][:left] + self.new.encode() + lines[last - 1][right:]
        return b"\n".join([*lines[: first - 1], whole, *lines[last:]]).decode()


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def files(root: Path) -> list[str]:
    """The modules of the judge, but those that hold examples only."""
    package = root / "conformance"
    found = (path.relative_to(root) for room in ROOMS for path in sorted((package / room).rglob("*.py")))
    return [path.as_posix() for path in found if "proofs" not in path.parts]


def faults_of(path: str, text: str) -> list[Fault]:
    """Every fault that could be planted in the functions of a file."""
    tree = ast.parse(text)
    inside = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    lines = text.split("\n")
    silent = _documentation(tree) | _pieces(tree)
    found: dict[tuple[str, int, int], Fault] = {}
    for function in inside:
        for node in (inner for statement in function.body for inner in ast.walk(statement) if id(inner) not in silent):
            for kind, old, new in _changes(node):
                begin, end = (old.lineno, old.col_offset), (old.end_lineno or 0, old.end_col_offset or 0)
                line = lines[begin[0] - 1].strip()
                found[kind, *begin] = Fault(kind, path, line, begin, end, ast.unparse(old), new)
    return list(found.values())


def _documentation(tree: ast.AST) -> set[int]:
    """The strings that stand by themselves."""
    alone = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return {id(value) for value in alone if isinstance(value, ast.Constant)}


def _pieces(tree: ast.AST) -> set[int]:
    """What is in f-strings, whose pieces have no place of their own before Python 3.12, and in annotations."""
    holders: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            holders.append(node)
        elif isinstance(node, ast.AnnAssign | ast.arg):
            holders.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            holders.append(node.returns)
    return {id(inner) for holder in holders if holder is not None for inner in ast.walk(holder)}


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr, str]]:
    """The faults of one node: the kind, the expression that is replaced, and what stands there instead."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition negated", node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "condition negated", test, f"(not ({ast.unparse(test)}))"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = ast.Compare(node.left, [_COMPARED[type(node.ops[0])]], node.comparators)
        yield "comparison swapped", node, f"({ast.unparse(other)})"
    elif isinstance(node, ast.Yield | ast.YieldFrom):
        yield "yield dropped", node, "(yield from ())"
    elif isinstance(node, ast.Constant):
        yield from _constants(node)


def _constants(node: ast.Constant) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(node.value, bool):
        yield "constant changed", node, repr(not node.value)
    elif isinstance(node.value, int):
        yield "off by one", node, f"({node.value + 1})"
    elif isinstance(node.value, str) and node.value:
        yield "constant changed", node, repr(f"{node.value}x")
