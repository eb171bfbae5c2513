"""Data flows one way, and judging knows no SDK: read off the imports."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "conformance"
SDKS = {"openai", "anthropic", "google", "vcr", "httpx", "httpx2", "starlette", "uvicorn", "deepdiff", "langchain_core"}

JUDGING = ["checker", "view", "rule", "rules", "dialects", "transcript", "exchange", "sse", "jsontext", "finding"]
JUDGING += ["pointer", "pairing", "continuation", "schema", "quirks", "targets", "specs", "example", "inputs"]
JUDGING += ["textforms"]
JUDGING += ["moments", "plain", "lazy", "parallel", "wire/__init__", "wire/explain"]
ABOVE_JUDGING = {"acting", "cassette.tape", "cells", "cli", "commands", "drivers", "executor", "judging", "record"}
ABOVE_JUDGING |= {"diff", "run", "campaign", "mutants", "endpoint", "sampling"}
ABOVE_JUDGING |= {"reference.server", "reference.model", "replay", "report", "pytest_plugin"}


def modules(names: list[str]) -> list[Path]:
    found = [PACKAGE / f"{name}.py" for name in names if (PACKAGE / f"{name}.py").is_file()]
    return found + [path for name in names for path in (PACKAGE / name).rglob("*.py")]


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", modules(JUDGING), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_judging_imports_nothing_that_lies_above_it(path: Path) -> None:
    above = {f"conformance.{name}" for name in ABOVE_JUDGING}
    assert {
        name for name in imports(path) if any(name == each or name.startswith(f"{each}.") for each in above)
    } == set()


@pytest.mark.parametrize("path", modules(JUDGING), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_judging_imports_no_sdk(path: Path) -> None:
    assert {name.split(".")[0] for name in imports(path)} & SDKS == set()


def test_a_dialect_knows_no_other_dialect() -> None:
    for folder in (PACKAGE / "dialects").iterdir():
        others = {f"conformance.dialects.{other.name}" for other in folder.parent.iterdir() if other.is_dir()}
        for path in folder.rglob("*.py"):
            known = {name for name in imports(path) for other in others if name.startswith(other)}
            assert {name for name in known if not name.startswith(f"conformance.dialects.{folder.name}")} == set(), path


LIGHT = [
    ("the command line", "import conformance.cli; conformance.cli.app(['--help'], standalone_mode=False)"),
    ("the package", "import conformance"),
    ("the judge", "import conformance; conformance.check([]); conformance.rule.rules_for('gemini')"),
    ("loading a cassette", "import conformance; conformance.load_cassette"),
    ("the pytest plugin", "import conformance.pytest_plugin"),
]


@pytest.mark.parametrize("code", [code for _, code in LIGHT], ids=[name for name, _ in LIGHT])
def test_starting_imports_no_sdk(code: str) -> None:
    heavy = f"import sys; {code}; print(sorted({SDKS!r} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"
