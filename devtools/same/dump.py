"""Writes down what one tree holds or finds. `devtools.same` runs this file as a script inside each tree.

    PYTHONPATH=TREE python -P dump.py examples OUTPUT
    PYTHONPATH=TREE python -P dump.py judge PLAN OUTPUT

It has to run in older and newer trees alike. Therefore it imports nothing of `devtools.same`, and finds the few names
that it needs where either layout of the package has them (`HOMES`).
"""

from __future__ import annotations

import gc
import importlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

HOMES: Mapping[str, tuple[str, ...]] = {
    "Checker": ("conformance", "conformance.judge.checker", "conformance.checker"),
    "read": ("conformance.inputs",),
    "Exchange": ("conformance.model.exchange", "conformance.exchange"),
    "Body": ("conformance.model.exchange", "conformance.exchange"),
    "Example": ("conformance.judge.proofs.example", "conformance.judge.example", "conformance.example"),
    "base_names": ("conformance.judge.proofs.example", "conformance.judge.example", "conformance.example"),
    "all_rules": ("conformance.judge.rule", "conformance.rule"),
    "all_dialects": ("conformance.model.registry", "conformance.dialects"),
    "cases": ("tests.judge.test_bugs", "tests.test_bugs"),
}
"""The modules that may define each name, in the order in which they are tried."""

COUNTS = ("exchanges", "conversations", "unclaimed", "not_exercised")
DETAILS = ("dialect", "cite", "message", "expected", "actual")
"""The fields of a finding that say more about the same judgement."""


def find(name: str, homes: Iterable[str]) -> Any:
    """The object of that name, from the first of the modules that exists and defines it.

    Raises:
        LookupError: none does.
    """
    for home in homes:
        try:
            module = importlib.import_module(home)
        except ModuleNotFoundError as error:
            if not f"{home}.".startswith(f"{error.name}."):
                raise  # the module is there, and what it imports is not
            continue
        if hasattr(module, name):
            return getattr(module, name)
    raise LookupError(f"no {name} in {' or '.join(homes)}: add its module to HOMES in devtools/same/dump.py")


def _the(name: str) -> Any:
    return find(name, HOMES[name])


def examples() -> Iterator[dict[str, Any]]:
    """Every base and every rule's examples as exchange JSONL records.

    Four members are added: `kind` (base, conforming, violating), `name` (of the base or rule), `number`, `complete`.
    """
    example_of, base_names = _the("Example"), _the("base_names")
    for dialect in _the("all_dialects")():
        for base in base_names(dialect):
            yield from _records("base", f"{dialect}/{base}", 0, example_of(f"{dialect}/{base}"))
    for rule in _the("all_rules")().values():
        for kind in ("conforming", "violating"):
            for number, example in enumerate(getattr(rule, kind)):
                yield from _records(kind, rule.id, number, example)


def bugs() -> Iterator[dict[str, Any]]:
    """The cases of tests/bugs in the same form: `kind` is faulty, repaired or sound, `name` the bug's."""
    cases = _the("cases")
    for kinds, group in ((("faulty", "repaired"), "cases"), (("faulty",), "sound")):
        for number, parameters in enumerate(cases(group)):
            (case,) = parameters.values
            for kind in kinds:
                yield from _records("sound" if group == "sound" else kind, case.bug, number, getattr(case, kind))


def _records(kind: str, name: str, number: int, example: Any) -> Iterator[dict[str, Any]]:
    for record in json.loads(json.dumps(example.records(), default=_readable)):
        yield {**record, "kind": kind, "name": name, "number": number, "complete": example.complete}


def _readable(body: bytes) -> Any:
    """A body of bytes as JSON can have it: frames as their events, anything else as text."""
    made = _the("Body")(body)
    return made.json if made.text is None else made.text


def run_of(record: Mapping[str, Any]) -> str:
    """The run that a record belongs to: each example is one."""
    return f"{record['kind']} {record['name']} {record['number']}"


def judge(plan: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The judgement of everything in the plan, one object for each exchange.

    `plan["examples"]` is a file that `examples` and `bugs` wrote; `plan["files"]` are recordings: `{part, path}`. A
    complete example is judged a second time as if parts of it could be missing, as other people's recordings are.
    """
    read, exchange_of = _the("read"), _the("Exchange").of
    with Path(plan["examples"]).open(encoding="utf-8") as lines:
        for run, group in groupby(map(json.loads, lines), key=run_of):
            records = list(group)
            for complete in (True, False) if records[0]["complete"] else (False,):
                same = complete == records[0]["complete"]
                part, name = ("examples", run) if same else ("incomplete", f"{run} as incomplete")
                made = [exchange_of(each, source=name, complete=complete, group=name) for each in records]
                yield from _judged(part, name, made)
    for file in plan["files"]:
        yield from _judged(file["part"], file["path"], read([file["path"]]))


def _judged(part: str, source: str, exchanges: Iterable[Any]) -> Iterator[dict[str, Any]]:
    checker = _the("Checker")()
    summary = checker.summary
    before = dict.fromkeys(COUNTS, 0)
    try:
        for exchange in exchanges:
            failed = len(summary.harness_errors)
            findings = [_finding(each) for each in checker.feed(exchange)]
            after = {name: getattr(summary, name) for name in COUNTS}
            yield {
                "part": part,
                "source": exchange.source,
                "counts": {name: after[name] - before[name] for name in COUNTS if after[name] != before[name]},
                "findings": findings,
                "harness_errors": summary.harness_errors[failed:],
            }
            before = after
    except Exception as error:  # noqa: BLE001 - that a tree cannot read a file is to be compared, too
        counts = {f"raised {type(error).__name__}": 1}
        yield {"part": part, "source": source, "counts": counts, "findings": [], "harness_errors": []}


def _finding(finding: Any) -> dict[str, Any]:
    fields = ("source", "exchange", "side", "pointer", "rule", *DETAILS)
    return {"severity": finding.severity.name.lower(), **{name: getattr(finding, name) for name in fields}}


def _is_of_this_tree() -> None:
    """Stops unless the package is imported from the tree that is judged, and not from where it is installed."""
    home = Path(importlib.import_module("conformance").__file__ or "").resolve()
    if not home.is_relative_to(Path.cwd().resolve()):
        sys.exit(f"conformance is imported from {home.parent}, and {Path.cwd()} is to be judged")


def main(mode: str, *paths: str) -> None:
    """Writes the examples or the judgement; what had to be left out goes to standard output, with the reason."""
    _is_of_this_tree()
    gc.set_threshold(100_000, 20, 100)  # judging makes no cycles; looking for them takes a tenth of the time
    with Path(paths[-1]).open("w", encoding="utf-8") as output:
        if mode == "judge":
            plan = json.loads(Path(paths[0]).read_text(encoding="utf-8"))
            output.writelines(f"{json.dumps(each)}\n" for each in judge(plan))
            return
        output.writelines(f"{json.dumps(each)}\n" for each in examples())
        try:
            cases = list(bugs())
        except Exception as error:  # noqa: BLE001 - a test module is no stable name: its cases may be left out
            sys.stdout.write(f"tests/bugs: skipped ({type(error).__name__}: {error})\n")
        else:
            output.writelines(f"{json.dumps(each)}\n" for each in cases)


if __name__ == "__main__":
    main(*sys.argv[1:])
