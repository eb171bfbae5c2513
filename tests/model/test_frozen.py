"""Dataclasses of `conformance.model.frozen` are as those of the standard library, but for what it states."""

import dataclasses
import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest

from conformance.model.frozen import dataclass
from conformance.model.transcript import Text

_ASSIGN = "from conformance.model.transcript import Text\nText('a', '/b').text = 'c'"


@dataclass(frozen=True, slots=True)
class Ours:
    name: str
    children: list["Ours"] = dataclasses.field(default_factory=list)
    hidden: int = dataclasses.field(default=0, compare=False, repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    name: str
    children: list["Theirs"] = dataclasses.field(default_factory=list)
    hidden: int = dataclasses.field(default=0, compare=False, repr=False)


@dataclass
class Counted:
    number: int = 0


def test_it_looks_and_compares_as_that_of_the_standard_library() -> None:
    assert repr(Ours("a", [Ours("b")])) == repr(Theirs("a", [Theirs("b")])).replace("Theirs", "Ours")
    assert Ours("a", hidden=1) == Ours("a", hidden=2) != Ours("b")
    assert dataclasses.replace(Ours("a"), name="b") == Ours("b")
    assert Ours.__slots__ == Theirs.__slots__
    knot = Ours("a")
    knot.children.append(knot)
    assert repr(knot) == "Ours(name='a', children=[...])"


@pytest.mark.parametrize("made", [dataclass, dataclasses.dataclass])
def test_it_is_made_from_the_same_arguments(made: Any) -> None:
    @made(slots=True)
    class Base:
        name: str
        size: int = dataclasses.field(default=1, kw_only=True)

    @made(slots=True)
    class Derived(Base):
        parts: list[str] = dataclasses.field(default_factory=list)
        count: int = dataclasses.field(default=0, init=False)
        known: dict[str, int] = dataclasses.field(default_factory=dict, init=False)

        def __post_init__(self) -> None:
            self.count = len(self.parts)

    kind: Any = Derived
    assert dataclasses.astuple(kind("a")) == ("a", 1, [], 0, {})
    assert dataclasses.astuple(kind("a", ["b"], size=2)) == ("a", 2, ["b"], 1, {})
    assert kind("a").parts is not kind("a").parts
    for arguments, named in (((), {}), (("a", [], 2), {}), (("a",), {"count": 1}), (("a",), {"name": "b"})):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            kind(*arguments, **named)


def test_its_signature_is_shown() -> None:
    shown = inspect.signature(Ours)
    assert list(shown.parameters) == list(inspect.signature(Theirs).parameters)
    assert shown.parameters["name"].default is inspect.Parameter.empty
    assert shown.parameters["hidden"].default == 0
    assert shown.parameters["children"].default is dataclasses.MISSING
    assert shown.parameters["name"].annotation is str


def test_a_frozen_one_is_hashed_by_its_values_and_another_is_not() -> None:
    assert hash(Text("a", "/b")) == hash(Text("a", "/b")) != hash(Text("a", "/c"))
    assert pickle.loads(pickle.dumps(Text("a", "/b"))) == Text("a", "/b")
    with pytest.raises(TypeError):
        hash(Counted())


@pytest.mark.process
def test_python_in_its_development_mode_refuses_an_assignment() -> None:
    done = subprocess.run([sys.executable, "-X", "dev", "-c", _ASSIGN], capture_output=True, text=True, check=False)
    assert "FrozenInstanceError" in done.stderr
