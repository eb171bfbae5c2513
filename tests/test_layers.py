"""Data flows one way, and judging imports no SDK: read off the imports."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import conformance
from conformance.model.registry import all_dialects

PACKAGE = Path(__file__).resolve().parent.parent / "conformance"
SDKS = {
    "openai",
    "anthropic",
    "google",
    "vcr",
    "httpx",
    "httpx2",
    "starlette",
    "uvicorn",
    "h11",
    "deepdiff",
    "langchain_core",
}

ROOMS = (
    "errors",
    "model",
    "inputs",
    "judge",
    "rules",
    "wire",
    "dialects",
    "scenario",
    "executor",
    "reference",
    "cassette",
    "drivers",
    "matrix",
    "campaign",
    "diff",
    "gateway",
    "mutants",
    "catalogue",
    "report",
    "results",
    "tools",
    "testing",
    "mcp_servers",
    "proxy",
    "commands",
    "cli",
    "pytest_plugin",
    "__init__",
    "__main__",
)
"""The folders and modules at the top of the package. Each imports only what is listed before it."""

PURE = ("model", "inputs", "judge", "rules", "dialects")
"""What judging runs: it imports no SDK."""

SDK_TYPES = "sdk_types"
"""The module of a dialect that names SDK types for the schema generator, which alone loads it, by its name."""

FILES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """`conformance/model/sse.py` as `model/sse.py`: the id of a test."""
    return path.relative_to(PACKAGE).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Every module and name that a file imports, wherever in the file the import is; relative ones in full."""
    package = ("conformance", *path.relative_to(PACKAGE).parent.parts)
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            found |= {_imported(module, alias.name) for alias in node.names}
    return found


def _imported(module: str, name: str) -> str:
    """The module that `from module import name` imports, or the name in full where the name is no module."""
    path = PACKAGE.parent.joinpath(*module.split("."), name)
    is_module = path.is_dir() or path.with_suffix(".py").is_file()
    return f"{module}.{name}" if is_module or not module.startswith("conformance.") else module


def imported_rooms(path: Path) -> set[str]:
    """The rooms that a file imports from; the package itself is none (its names are imported from where they are)."""
    parts = (name.split(".") for name in imports(path))
    return {part[1] for part in parts if part[0] == "conformance" and len(part) > 1}


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_entry_of_the_package_is_in_the_list_of_rooms() -> None:
    assert {room_of(path) for path in FILES} <= set(ROOMS)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_room_imports_only_rooms_that_are_listed_before_it(path: Path) -> None:
    here = ROOMS.index(room_of(path))
    public = {"VERSION", *conformance.__all__}
    above = {room for room in imported_rooms(path) - public if ROOMS.index(room) > here}
    assert above == set()


def test_no_module_imports_itself_through_others() -> None:
    modules = {module_of(path): path for path in FILES}
    needs = {name: {found for found in imports(path) if found in modules} for name, path in modules.items()}
    done: set[str] = set()
    while ready := {name for name, needed in needs.items() if name not in done and needed - {name} <= done}:
        done |= ready
    assert set(modules) - done == set()


@pytest.mark.parametrize(
    "path", [path for path in FILES if room_of(path) in PURE and path.stem != SDK_TYPES], ids=name_of
)
def test_judging_imports_no_sdk(path: Path) -> None:
    assert {name.split(".")[0] for name in imports(path)} & SDKS == set()
    assert {name for name in imports(path) if name.rpartition(".")[2] == SDK_TYPES} == set()


def test_a_dialect_knows_no_other_dialect() -> None:
    folders = [folder for folder in (PACKAGE / "dialects").iterdir() if (folder / "__init__.py").is_file()]
    for folder in folders:
        others = {each.name for each in folders} - {folder.name, "text"}
        for path in folder.rglob("*.py"):
            known = {name.split(".")[2] for name in imports(path) if name.startswith("conformance.dialects.")}
            assert known & others == set(), path


def strings(path: Path) -> Iterator[str]:
    """The string literals of a file, f-strings in their parts, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def named_dialects(path: Path) -> set[str]:
    """The dialects that the string literals of a file name, as words of their own."""
    names = "|".join(re.escape(name) for name in all_dialects())
    return {name for text in strings(path) for name in re.findall(rf"(?<![\w-])(?:{names})(?![\w-])", text)}


NEUTRAL = [path for path in FILES if room_of(path) not in ("dialects", "drivers")]
"""Modules that know no single dialect: a new dialect is one folder, a driver for it one file."""

NAMED = {
    "cli/crossing.py": ({"anthropic-messages", "openai-chat"}, "the example in the help text"),
    "cli/comparing.py": ({"openai-chat"}, "an example in a help text"),
    "cli/looking.py": ({"gemini"}, "an example in a help text"),
    "cli/recording.py": ({"gemini", "openai-chat"}, "examples in help texts"),
    "campaign/targets.py": ({"openai-chat"}, "the example in a hint"),
    "proxy/stdio_exchanges.py": ({"mcp"}, "the path under which such a server is recorded"),
    "commands/proxy_stdio.py": ({"mcp"}, "the protocol of servers over standard input and output"),
    "commands/doctor.py": ({"mcp"}, "the name of the package that runs the tools"),
    "executor/mcp.py": ({"mcp"}, "the path of the server that runs the tools"),
    "executor/mcp_server.py": ({"mcp"}, "the host name of the server that runs the tools"),
    "commands/run_mcp.py": ({"mcp"}, "`run --dialect mcp`: the verb that drives a foreign server"),
    "mcp_servers/cells.py": ({"mcp"}, "the dialect of a foreign server, and the driver that is the protocol's SDK"),
    "mcp_servers/reach.py": ({"mcp"}, "the path of a server without one"),
    "mcp_servers/sdk.py": ({"mcp"}, "the name of the SDK's log"),
    "matrix/perform.py": ({"mcp"}, "a scenario's `executor: mcp`, which is how its tools run, in every dialect"),
    "tools/inputs/__init__.py": ({"mcp"}, "`--from mcp`: a URL is that of an MCP server"),
    "tools/inputs/server.py": ({"mcp"}, "the SDK of the protocol, which lists the tools of a server"),
    "tools/rewriting/__init__.py": ({"mcp"}, "what is portable is written as tools of an MCP server"),
    "scenario/model.py": ({"mcp"}, "a scenario's `executor: mcp`, as above"),
}
"""Which dialects a neutral module may name nevertheless, and why."""


@pytest.mark.parametrize("path", NEUTRAL, ids=name_of)
def test_a_neutral_module_names_no_dialect(path: Path) -> None:
    allowed, _ = NAMED.get(name_of(path), (set(), ""))
    assert named_dialects(path) == allowed


@pytest.mark.parametrize("path", NEUTRAL, ids=name_of)
def test_a_neutral_module_imports_no_dialect(path: Path) -> None:
    found = {name for name in imports(path) if name.startswith("conformance.dialects.")}
    assert {name.split(".")[2] for name in found} <= {"text"}


def test_the_names_of_dialects_are_found_in_strings_and_not_in_docstrings(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    docstring, values = '"""For openai-chat."""', 'X = f"{1}/gemini/x"\nY = ("my-mcp", "reactive")\nZ = {"qwen3": 1}'
    file.write_text(f"{docstring}\n{values}\n")
    assert named_dialects(file) == {"gemini", "qwen3"}


LIGHT = [
    ("the command line", "import conformance.cli; conformance.cli.app(['--help'], standalone_mode=False)"),
    ("the package", "import conformance"),
    ("the judge", "import conformance; conformance.check([]); conformance.judge.rule.rules_for('gemini')"),
    ("loading a cassette", "import conformance; conformance.load_cassette"),
    ("the pytest plugin", "import conformance.pytest_plugin"),
]


@pytest.mark.parametrize("code", [code for _, code in LIGHT], ids=[name for name, _ in LIGHT])
def test_starting_imports_no_sdk(code: str) -> None:
    heavy = f"import sys; {code}; print(sorted({SDKS!r} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"
