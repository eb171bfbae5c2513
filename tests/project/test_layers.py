"""Data flows one way, and judging imports no SDK: read off the imports."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import conformance
from conformance.model.registry import all_dialects
from devtools.places import ROOT

PACKAGE = ROOT / "conformance"
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
    "dask",
    "duckdb",
    "fsspec",
    "pandas",
    "pyarrow",
    "ray",
}

ROOMS = (
    "errors",
    "model",
    "inputs",
    "profiles",
    "contract",
    "judge",
    "dialects",
    "scenario",
    "reference",
    "cassette",
    "drivers",
    "matrix",
    "campaign",
    "diff",
    "gateway",
    "report",
    "tool_definitions",
    "testing",
    "mcp_servers",
    "proxy",
    "scale",
    "commands",
    "__init__",
    "__main__",
)
"""The folders and modules at the top of the package. Each imports only what is listed before it."""

PURE = ("model", "inputs", "profiles", "contract", "judge", "dialects")
"""What judging runs: it imports no SDK."""

SDK_TYPES = "sdk_types"
"""The module of a dialect that names SDK types for the schema generator, which alone loads it, by its name."""

FILES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """`conformance/model/sse.py` as `model/sse.py`."""
    return path.relative_to(PACKAGE).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """The nodes of a file that the tests look at: its imports and string literals, f-strings in their parts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return tuple(
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        or (isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings)
    )


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module and name that a file imports, wherever in the file the import is; relative ones in full."""
    package = ("conformance", *path.relative_to(PACKAGE).parent.parts)
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            found |= {_imported(module, alias.name) for alias in node.names}
    return frozenset(found)


@cache
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


def test_a_room_imports_only_rooms_that_are_listed_before_it() -> None:
    public = {"VERSION", *conformance.__all__}
    above = {
        name_of(path): wrong
        for path in FILES
        if (wrong := imported_rooms(path) - public - set(ROOMS[: ROOMS.index(room_of(path)) + 1]))
    }
    assert above == {}


def longest_chain() -> tuple[str, ...]:
    """The rooms of the longest chain of imports, from the top down: as many floors as the package has."""
    below: dict[str, set[str]] = {}
    for path in FILES:
        below.setdefault(room_of(path), set()).update(imported_rooms(path) & set(ROOMS) - {room_of(path)})
    chains: dict[str, tuple[str, ...]] = {}
    for room in ROOMS:  # what a room imports is listed before it
        under = [chains[each] for each in sorted(below[room])]
        chains[room] = (room, *max(under, key=len, default=()))
    return max(chains.values(), key=len)


def test_the_package_has_at_most_24_rooms_on_13_floors() -> None:
    chain = longest_chain()
    print(f"{len(ROOMS)} rooms on {len(chain)} floors: {' -> '.join(chain)}")  # noqa: T201 - for `pytest -s`, and when it fails
    assert len(ROOMS) <= 24
    assert len(chain) <= 13, chain


def test_no_module_imports_itself_through_others() -> None:
    modules = {module_of(path): path for path in FILES}
    needs = {name: {found for found in imports(path) if found in modules} for name, path in modules.items()}
    done: set[str] = set()
    while ready := {name for name, needed in needs.items() if name not in done and needed - {name} <= done}:
        done |= ready
    assert set(modules) - done == set()


def test_judging_imports_no_sdk() -> None:
    judging = [path for path in FILES if room_of(path) in PURE and path.stem != SDK_TYPES]
    found = {
        name_of(path): heavy
        for path in judging
        if (
            heavy := {
                name for name in imports(path) if name.split(".")[0] in SDKS or name.rpartition(".")[2] == SDK_TYPES
            }
        )
    }
    assert len(judging) > 100
    assert found == {}


def test_judging_makes_its_dataclasses_as_quickly_as_it_can() -> None:
    found = {path.stem for path in FILES if room_of(path) in PURE and "dataclasses.dataclass" in imports(path)}
    assert found == {"frozen"}


def test_a_dialect_knows_no_other_dialect() -> None:
    folders = [folder for folder in (PACKAGE / "dialects").iterdir() if (folder / "__init__.py").is_file()]
    for folder in folders:
        others = {each.name for each in folders} - {folder.name, "text", "neutral"}
        for path in folder.rglob("*.py"):
            known = {name.split(".")[2] for name in imports(path) if name.startswith("conformance.dialects.")}
            assert known & others == set(), path


def named_dialects(path: Path) -> set[str]:
    """The dialects that the string literals of a file name, as words of their own. Docstrings may name any."""
    texts = [node.value for node in nodes(path) if isinstance(node, ast.Constant)]
    return {name for text in texts for name in _dialect_names().findall(str(text))}


@cache
def _dialect_names() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(re.escape(name) for name in all_dialects())})(?![\w-])")


NEUTRAL = [
    path
    for path in FILES
    if room_of(path) not in ("dialects", "drivers") or path.is_relative_to(PACKAGE / "dialects" / "neutral")
]
"""Modules that know no single dialect: a new dialect is one folder, a driver for it one file."""

NAMED = {
    "campaign/targets.py": ({"openai-chat"}, "the example in a hint"),
    "proxy/stdio_exchanges.py": ({"mcp"}, "the path under which such a server is recorded"),
    "commands/proxy/stdio.py": ({"mcp"}, "the protocol of servers over standard input and output"),
    "commands/doctor/run.py": ({"mcp"}, "the name of the package that runs the tools"),
    "scenario/executor/mcp.py": ({"mcp"}, "the path of the server that runs the tools"),
    "scenario/executor/mcp_server.py": ({"mcp"}, "the host name of the server that runs the tools"),
    "commands/run/mcp.py": ({"mcp"}, "`run --dialect mcp`: the verb that drives a foreign server"),
    "mcp_servers/cells.py": ({"mcp"}, "the dialect of a foreign server, and the driver that is the protocol's SDK"),
    "mcp_servers/reach.py": ({"mcp"}, "the path of a server without one"),
    "mcp_servers/sdk.py": ({"mcp"}, "the name of the SDK's log"),
    "matrix/perform.py": ({"mcp"}, "a scenario's `executor: mcp`, which is how its tools run, in every dialect"),
    "tool_definitions/inputs/__init__.py": ({"mcp"}, "`--from mcp`: a URL is that of an MCP server"),
    "tool_definitions/inputs/server.py": ({"mcp"}, "the SDK of the protocol, which lists the tools of a server"),
    "tool_definitions/rewriting/__init__.py": ({"mcp"}, "what is portable is written as tools of an MCP server"),
    "scenario/model.py": ({"mcp"}, "a scenario's `executor: mcp`, as above"),
}
"""Which dialects a neutral module may name nevertheless, and why."""


def test_a_neutral_module_names_no_dialect() -> None:
    named = {name_of(path): names for path in NEUTRAL if (names := named_dialects(path))}
    assert named == {name: allowed for name, (allowed, _) in NAMED.items()}


def test_a_neutral_module_imports_no_dialect() -> None:
    found = {
        name_of(path): known
        for path in NEUTRAL
        if (known := {name.split(".")[2] for name in imports(path) if name.startswith("conformance.dialects.")})
    }
    assert {name: known - {"text", "neutral"} for name, known in found.items() if known - {"text", "neutral"}} == {}


def test_the_names_of_dialects_are_found_in_strings_and_not_in_docstrings(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    docstring, values = '"""For openai-chat."""', 'X = f"{1}/gemini/x"\nY = ("my-mcp", "reactive")\nZ = {"qwen3": 1}'
    file.write_text(f"{docstring}\n{values}\n")
    assert named_dialects(file) == {"gemini", "qwen3"}


LIGHT = [
    ("the command line", "import conformance.commands; conformance.commands.app(['--help'], standalone_mode=False)"),
    ("the package", "import conformance"),
    ("the judge", "import conformance; conformance.check([]); conformance.judge.rule.rules_for('gemini')"),
    ("loading a cassette", "import conformance; conformance.load_cassette"),
    ("the pytest plugin", "import conformance.testing.plugin"),
]


@pytest.mark.process
@pytest.mark.parametrize("code", [code for _, code in LIGHT], ids=[name for name, _ in LIGHT])
def test_starting_imports_no_sdk(code: str) -> None:
    heavy = f"import sys; {code}; print(sorted({SDKS!r} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_the_architecture_names_the_rooms_in_their_order() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([a-z_]+)(?:/[a-z<>]*)?/?` \|", text, re.MULTILINE)
    assert list(dict.fromkeys(named)) == [room for room in ROOMS if room not in ("__init__", "__main__")]
