"""The pages of docs/contract: all of them keep to the format, and every number with rules has its sentence."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from conformance.catalogue.contract import statement_pages
from conformance.catalogue.contract_pages import Statement, parse
from conformance.errors import ConformanceError

PAGES = statement_pages()
THREAD = re.compile(r"\[([\w.-]+/[\w.-]+)#(\d+)\]\(([^)]*)\)")

PAGE = """# a dialect

Prose is free, - with: anything.

### ABC-Q-999

## Statements

### ABC-Q-001

The body has
a `model`.

- severity: error
- scope: request, reply
- verified: yes
- evidence: [the document](https://example.org/a); held in 3 of 3 recorded exchanges
- violation: `{"a": 1; 2}`

### 0.3.1

Nothing fails.

- severity: info
- scope: any
- verified: no
- evidence: no public evidence yet
- status: planned
- note: The evidence disagrees.
"""


@pytest.fixture(scope="module")
def statements() -> list[Statement]:
    return [statement for page in PAGES for statement in parse(page.read_text(encoding="utf-8"), page.name)]


def test_a_page_is_a_list_of_statements() -> None:
    assert parse(PAGE) == [
        Statement(
            id="ABC-Q-001",
            page="page",
            text="The body has a `model`.",
            severity="error",
            scope=("request", "reply"),
            verified=True,
            evidence=("[the document](https://example.org/a)", "held in 3 of 3 recorded exchanges"),
            violation='`{"a": 1; 2}`',
        ),
        Statement(
            id="0.3.1",
            page="page",
            text="Nothing fails.",
            severity="info",
            scope=("any",),
            verified=False,
            evidence=("no public evidence yet",),
            status="planned",
            note="The evidence disagrees.",
        ),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("## Statements\n", "## Rules\n", "page:29: the page has no heading `## Statements`"),
        ("\n### ABC-Q-001", "Here.\n\n### ABC-Q-001", "page:8: unexpected text before the first statement"),
        ("### 0.3.1", "## More", "page:20: unexpected `## More` among the statements"),
        ("### ABC-Q-001", "### abc-1", "page:9: invalid statement id `abc-1`"),
        ("### 0.3.1", "### ABC-Q-001", "page:20: duplicate statement ABC-Q-001"),
        ("Nothing fails.\n", "", "page:20: 0.3.1 has no sentence"),
        ("- severity: info\n- scope: any\n", "", "page:20: 0.3.1 lacks severity, scope"),
        ("severity: info", "severity: fatal", "page:24: severity is `fatal`"),
        ("request, reply", "request, answer", "page:15: scope is `answer`"),
        ("verified: yes", "verified: maybe", "page:16: verified is `maybe`"),
        ("status: planned", "status: done", "page:28: status is `done`"),
        ("evidence: no public evidence yet", "evidence: one;; two", "page:27: empty entry in the evidence"),
        ("evidence: no public evidence yet", "evidence:", "page:27: field evidence is empty"),
        ("- violation:", "- example:", 'page:18: `- example: `{"a": 1; 2}`` is not a field'),
        ("- status: planned", "- scope: any", "page:28: duplicate field scope"),
        ("disagrees.\n", "disagrees\n  with itself.\n", "page:30: unexpected line after the fields"),
    ],
)
def test_a_page_that_breaks_the_format_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert PAGE.count(old) == 1
    with pytest.raises(ConformanceError) as caught:
        parse(PAGE.replace(old, new))
    assert caught.value.message == message
    assert caught.value.hint


def test_there_are_pages() -> None:
    assert {"any", "openai-chat", "openai-responses", "anthropic-messages"} <= {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_keeps_to_the_format(page: Path) -> None:
    assert parse(page.read_text(encoding="utf-8"), page.name) != []


def test_no_number_is_given_twice(statements: list[Statement]) -> None:
    assert [name for name, count in Counter(each.id for each in statements).items() if count > 1] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_link_of_a_thread_leads_to_that_thread(page: Path) -> None:
    threads = THREAD.findall(page.read_text(encoding="utf-8"))
    assert [each for each in threads if each[2] != f"https://github.com/{each[0]}/issues/{each[1]}"] == []
