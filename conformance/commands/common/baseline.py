"""`--baseline-update` and `--baseline-prune`: the baseline after a run."""

from __future__ import annotations

import click

from conformance.errors import ConformanceError
from conformance.judge.selection import Selection


def refuse_part(selection: Selection, *, whole: bool) -> None:
    """Nothing is pruned by a run that does not look at everything.

    Raises:
        ConformanceError: it was asked for.
    """
    if selection.prune and not whole:
        raise ConformanceError("--baseline-prune needs the whole matrix", "remove the filters")


def write_baseline(selection: Selection, *, whole: bool = True) -> None:
    """Adds and removes entries according to the options, and reports it on standard error."""
    path = selection.baseline
    if path is None or not (selection.update or selection.prune):
        return
    from conformance.cassette.persist import write_atomically
    from conformance.cassette.redact import without_secrets
    from conformance.judge.baseline import edited, pattern_of

    patterns = ({key: without_secrets(each) for key, each in pattern_of(one).items()} for one in selection.added)
    added = list({str(pattern): pattern for pattern in patterns}.values())
    unused = selection.unused() if selection.prune and whole else []
    removed = [number for number, entry in enumerate(selection.accepted) if entry in unused]
    if added or removed:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        write_atomically(path, edited(text, added, removed))
    changes = [f"added {_entries(len(added))}; write a reason for each"] if added else []
    changes += [f"removed {_entries(len(removed))}"] if removed else []
    if selection.prune and not whole:
        changes.append("removed nothing, because the run is not complete")
    click.echo(f"{path}: {'; '.join(changes) or 'nothing to change'}", err=True)


def _entries(number: int) -> str:
    return f"{number} {'entry' if number == 1 else 'entries'}"
