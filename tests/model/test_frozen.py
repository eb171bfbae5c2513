"""Dataclasses of `conformance.model.frozen` are as those of the standard library, but for what it states."""

import dataclasses
import pickle
import subprocess
import sys

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


def test_a_frozen_one_is_hashed_by_its_values_and_another_is_not() -> None:
    assert hash(Text("a", "/b")) == hash(Text("a", "/b")) != hash(Text("a", "/c"))
    assert pickle.loads(pickle.dumps(Text("a", "/b"))) == Text("a", "/b")
    with pytest.raises(TypeError):
        hash(Counted())


@pytest.mark.process
def test_python_in_its_development_mode_refuses_an_assignment() -> None:
    done = subprocess.run([sys.executable, "-X", "dev", "-c", _ASSIGN], capture_output=True, text=True, check=False)
    assert "FrozenInstanceError" in done.stderr
