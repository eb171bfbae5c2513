"""The statements of the contract: every file keeps to the format, and the pages of docs/contract are made from them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from conformance.contract.brief import Brief, Held
from conformance.contract.briefs import briefs_in, find_brief
from conformance.contract.statements import Source, Statement, statement_files, statements_in
from conformance.errors import ConformanceError
from conformance.model.finding import Severity
from conformance.report.catalogue.contract_pages import page_name
from devtools.pages import pages

FILES = statement_files()
THREAD = re.compile(r"\[([\w.-]+/[\w.-]+)#(\d+)\]\(([^)]*)\)")

WRITTEN = """page: a-dialect
documents:
  types: {title: the types, link: 'https://example.org/types/', kind: sdk-type}
statements:
  ABC-Q-001:
    text: The body has a `model`.
    severity: error
    scope: [request, reply]
    sources:
      - {document: types, at: body.py, note: of `Body`, date: 2026-11-01}
      - {thread: a/b.c#17, kind: refusal}
      - {text: held in 3 of 3 recorded exchanges, kind: observed}
    rules:
      - tool-call-unanswered
      - {rule: tool-result-orphaned, severity: warning, because: one was accepted}
    bugs: [d/e#2]
    violation: '`{"a": 1; 2}`'

  0.3.1:
    text: Nothing fails.
    severity: info
    scope: any
    verified: false
    sources: []
    planned: true
    note: The evidence disagrees.
"""


def read(folder: Path, text: str = WRITTEN) -> dict[str, Statement]:
    path = folder / "statements.yaml"
    path.write_text(text, encoding="utf-8")
    return dict(statements_in(path))


def test_a_file_is_a_list_of_statements(tmp_path: Path) -> None:
    first, second = read(tmp_path).values()
    assert first == Statement(
        id="ABC-Q-001",
        page="a-dialect.md",
        text="The body has a `model`.",
        severity="error",
        scope=("request", "reply"),
        sources=(
            Source("[the types, `body.py`](https://example.org/types/body.py) of `Body`", "sdk-type", "", "2026-11-01"),
            Source("[a/b.c#17](https://github.com/a/b.c/issues/17)", "refusal", "a/b.c#17"),
            Source("held in 3 of 3 recorded exchanges", "observed"),
        ),
        rules={"tool-call-unanswered": Held(), "tool-result-orphaned": Held(Severity.WARNING, "one was accepted")},
        bugs=("d/e#2",),
        violation='`{"a": 1; 2}`',
    )
    assert first.cited == "ABC-Q-001 the types, body.py of Body"
    assert (second.id, second.verified, second.planned) == ("0.3.1", False, True)
    assert first.evidence[0].endswith(" of `Body`, 2026-11-01")
    assert second.evidence == ("no public evidence yet",)
    assert second.cited == "0.3.1"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ABC-Q-001:", "abc-1:", "abc-1: invalid number"),
        ("    text: Nothing fails.\n", "", "0.3.1: lacks text"),
        ("severity: info\n    scope: any\n", "verified: true\n", "0.3.1: lacks severity, scope"),
        ("severity: info", "severity: fatal", "0.3.1: severity is `fatal`"),
        ("[request, reply]", "[request, answer]", "ABC-Q-001: scope is `answer`"),
        ("kind: refusal", "kind: heard", "ABC-Q-001: kind is `heard`"),
        ("    violation:", "    example:", "ABC-Q-001: unknown example"),
        ("note: The evidence disagrees.", "note: ''", "0.3.1: note is empty"),
        ("document: types", "document: sources", "ABC-Q-001: unknown document sources"),
        ("a/b.c#17", "a/b.c/17", "ABC-Q-001: thread `a/b.c/17`"),
        (
            "thread: a/b.c#17, kind",
            "thread: a/b.c#17, text: b, kind",
            "ABC-Q-001: source {'thread': 'a/b.c#17'",
        ),
        (", because: one was accepted", "", "ABC-Q-001: rule {'rule': 'tool-result-orphaned', 'severity': 'warning'}"),
    ],
)
def test_a_file_that_breaks_the_format_is_refused_with_its_statement(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert WRITTEN.count(old) == 1
    with pytest.raises(ConformanceError) as caught:
        read(tmp_path, WRITTEN.replace(old, new))
    assert caught.value.message.startswith(f"{tmp_path / 'statements.yaml'}: {message}")
    assert caught.value.hint


def test_there_are_files() -> None:
    names = {page_name(path) for path in FILES}
    assert {"any.md", "openai-chat.md", "openai-responses.md", "anthropic-messages.md", "diff.md"} <= names


def test_no_number_is_given_twice() -> None:
    numbers = Counter(number for path in FILES for number in statements_in(path))
    assert [number for number, count in numbers.items() if count > 1] == []


def test_a_statement_is_found_from_its_own_folder_from_every_dialects_and_from_that_of_none() -> None:
    own = "conformance.dialects.llama3"
    assert [find_brief(number, own) is not None for number in ("LLA-Q-001", "ANY-101", "MAP-001", "OAC-Q-001")] == [
        *(True, True, True),
        False,
    ]


def test_what_a_finding_needs_is_read_from_json_unless_that_is_old(tmp_path: Path) -> None:
    for path in FILES:
        assert briefs_in(path) == {number: each.brief for number, each in statements_in(path).items()}
    first, _ = read(tmp_path).values()
    (tmp_path / "statements.json").write_text('{"checksum": 1, "statements": {}}', encoding="utf-8")
    held = {"tool-call-unanswered": Held(), "tool-result-orphaned": Held(Severity.WARNING, "one was accepted")}
    assert briefs_in(tmp_path / "statements.yaml")["ABC-Q-001"] == first.brief
    assert first.brief == Brief("ABC-Q-001", "error", "ABC-Q-001 the types, body.py of Body", held)


def test_everything_made_from_the_statements_is_as_they_are() -> None:
    assert [path for path, text in pages() if path.read_text(encoding="utf-8") != text] == [], "run `make pages`"


def test_no_page_has_a_quotation_of_a_refusal() -> None:
    sources = [source.text for path in FILES for each in statements_in(path).values() for source in each.sources]
    assert [text for text in sources if re.search(r'\(\d+ "', text)] == []
