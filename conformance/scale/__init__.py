"""Many recordings: judging in an existing engine, Arrow in, Arrow out, and the trends in what it found (docs/scale.md).

`judge_group(table)` judges the exchanges of one conversation, `judge_batch(table)` those of any: pure functions of
Arrow tables, whose result has the schema `FINDINGS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["FINDINGS", "judge_batch", "judge_group"]

if TYPE_CHECKING:
    from conformance.scale.batches import judge_batch, judge_group
    from conformance.scale.rows import FINDINGS


def __getattr__(name: str) -> Any:
    """The public names: Arrow is imported when the first is used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{'rows' if name == 'FINDINGS' else 'batches'}")
    return getattr(module, name)
