"""Writes the adoption kits: a page and a workflow for each server of `docs/adopt/kits.yaml`; `make pages` runs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from devtools.places import ROOT

FOLDER = ROOT / "docs" / "adopt"
EXTRAS = {"openai-chat": "openai", "ollama-chat": "ollama", "anthropic-messages": "anthropic"}
"""The extra that drives each dialect."""


def kits() -> Mapping[str, Mapping[str, Any]]:
    """Each kit by its name, with what it leaves out."""
    found = yaml.safe_load((FOLDER / "kits.yaml").read_text(encoding="utf-8"))["kits"]
    return {name: _whole(name, kit) for name, kit in found.items()}


def _whole(name: str, kit: Mapping[str, Any]) -> Mapping[str, Any]:
    origin = f"http://127.0.0.1:{kit['port']}"
    dialects = kit.get("dialects", ["openai-chat"])
    words = [word for each in dialects for word in ("--dialect", each)]
    return {
        "before": "",
        "after": "",
        **kit,
        "id": name,
        "base_url": origin + kit.get("base", "/v1"),
        "ready_url": origin + kit["ready"],
        "extras": ",".join([*(EXTRAS[each] for each in dialects), "http", *(["serve"] if "before" in kit else [])]),
        "run": " ".join(['conformance run --base-url "$BASE_URL" --model "$MODEL"', *words, "--name", name]),
    }


def files() -> Iterator[tuple[Path, str]]:
    """Each file with its text."""
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    made = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    every = kits()
    for name, kit in every.items():
        for kind in ("yml", "md"):
            yield FOLDER / f"{name}.{kind}", made.get_template(f"kit.{kind}").render(kit=kit)
    yield FOLDER / "README.md", made.get_template("kits.md").render(kits=every.values())


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, encoding="utf-8")
