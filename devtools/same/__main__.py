"""`python -m devtools.same`: exit code 0 if no judgement changed, 1 if one did, 2 if the two cannot be compared."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from devtools.places import CORPUS, NO_CORPUS, ROOT
from devtools.same import compare, renames, report, trees
from devtools.same.examples import differences
from devtools.same.runs import CannotCompareError, Pair


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m devtools.same", description=__doc__)
    parser.add_argument("--old", default="HEAD~1", help="the commit before the change (HEAD~1)")
    parser.add_argument("--new", default="", help="the commit after it (the working tree)")
    chosen = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that the worktrees are removed
    try:
        return _same(chosen.old, chosen.new)
    except (CannotCompareError, trees.NoSuchCommitError, renames.RenamesError) as error:
        print(f"cannot compare: {error}", file=sys.stderr)  # noqa: T201
        return 2


def _same(old: str, new: str) -> int:
    begun = time.monotonic()
    _write(f"old: {trees.title(ROOT, old)}", f"new: {trees.title(ROOT, new) if new else 'the working tree'}")
    with ExitStack() as stack:
        work = Path(stack.enter_context(TemporaryDirectory(prefix="same-"))).resolve()
        before = stack.enter_context(trees.checked_out(ROOT, old, work / "old-tree"))
        after = stack.enter_context(trees.checked_out(ROOT, new, work / "new-tree")) if new else ROOT
        entries = renames.pending(renames.load(after), renames.load(before))
        pair = Pair(before, after, work)
        examples = pair.examples()
        if not CORPUS.is_dir():
            pair.notes.append(f"corpus: skipped, {NO_CORPUS}")
        _write(*(f"  {note}" for note in pair.notes))
        was, now = pair.judgements(_recordings(before), (before, CORPUS.parent))
    mapping = renames.Mapping(entries)
    result = compare.compare(was, now, mapping)
    _write(*(f"  {part:10} {_counted(totals)}" for part, totals in was.totals().items()))
    _write(*report.lines(result))
    _listed([*report.details(result.details), *(report.listed(differences(*examples, mapping)) if examples else ())])
    verdict = "No judgement changed" if result.same else "Judgements changed"
    collapsed = f", {result.collapsed:,} of them collapsed by merged rules" if result.collapsed else ""
    found = f"{was.found.total():,} findings before{collapsed}, {now.found.total():,} now"
    _write(f"{verdict}: {found}; entries in tests/data/renames.yaml: {len(entries)}; {time.monotonic() - begun:.0f} s.")
    return 0 if result.same else 1


def _recordings(before: Path) -> dict[str, list[Path]]:
    """What both trees judge: the older tree's cassettes, and the real recordings if they are present."""
    found = {"cassettes": sorted((before / "cassettes").rglob("*.yaml"))}
    if CORPUS.is_dir():
        untouched = (path for path in (CORPUS / "vcr_raw").rglob("*") if path.is_file())
        found["corpus"] = sorted([*CORPUS.glob("*.jsonl.gz"), *untouched])
    return found


def _counted(totals: Counter[str]) -> str:
    return ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in totals.items())


def _listed(lines: Sequence[str]) -> None:
    if lines:
        _write("listed only (no judgement):", *(f"  {line}" for line in lines))


def _write(*lines: str) -> None:
    for line in lines:
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
