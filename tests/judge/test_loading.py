"""What a verdict loads: the dialects that claim an exchange, and nothing of the others but what claims."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.judge.proofs.example import Edit, Example, put
from conformance.judge.rule import coded_rules
from conformance.model.registry import all_dialects


def printed(code: str) -> list[str]:
    """The lines that a new process prints."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


@pytest.mark.process
@pytest.mark.parametrize("dialect", ["openai-completions", "anthropic-messages", "llama3-json"])
def test_a_dialect_loaded_by_itself_has_all_the_rules_that_judge_it(dialect: str) -> None:
    alone = printed(f"from conformance.judge.rule import rules_of; print(*rules_of({dialect!r}), sep='\\n')")
    assert alone == [name for name, rule in coded_rules().items() if rule.judges(dialect)]


def test_a_rule_that_judges_dialects_of_other_folders_is_in_a_shared_module() -> None:
    for rule in coded_rules().values():
        home = rule.judge.__module__.split(".")[2]
        owned = {name for name, dialect in all_dialects().items() if dialect.package.split(".")[2] == home}
        if home != "neutral" and (not rule.dialects or set(rule.dialects) - owned):
            assert rule.judge.__module__.endswith(".rules_shared"), rule.id


JUDGED = """
import sys
from conformance.contract.briefs import briefs_in
from conformance.inputs import read
from conformance.judge.checker import check
found = check(read([sys.argv[1]]))
loaded = [name in sys.modules for name in ("yaml", "conformance.contract.statements")]
print(len(found), briefs_in.cache_info().currsize, *loaded)
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("edits", "printed_line"),
    [((), "0 0 False False"), ((put("/0/request/body/temperature", 3),), "1 1 False False")],
    ids=["a conforming exchange", "a finding"],
)
def test_statements_are_read_for_findings_only_and_never_as_yaml(
    edits: tuple[Edit, ...], printed_line: str, tmp_path: Path
) -> None:
    path = tmp_path / "exchanges.jsonl"
    records = Example("openai-chat/call", edits).records()
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    run = subprocess.run([sys.executable, "-c", JUDGED, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == printed_line
