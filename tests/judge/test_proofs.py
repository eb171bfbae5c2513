"""The files of examples: what may be in them, what is refused, and that nothing that judges reads them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance.errors import ConformanceError
from conformance.judge.proofs import bases, examples, files
from conformance.judge.proofs.example import Edit, Example
from conformance.judge.proofs.examples import Examples, examples_of, rules_shown_by
from conformance.judge.rule import all_rules
from conformance.model.registry import all_dialects, dialect_packages, dialects_in
from conformance.model.yaml_document import read_document
from devtools.places import ROOT, TEST_DATA
from devtools.proofs.__main__ import NAME, contracts, missing, text_of
from tests.sampling import Extent

FILES = sorted((ROOT / "conformance" / "dialects").glob("*/proofs/**/*.yaml"))
LONGEST = 400
CHAT = "conformance.dialects.openai_chat"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder that counts as the only one with examples: those of Chat."""
    spec = type("Spec", (), {"submodule_search_locations": [tmp_path]})
    other = type("Spec", (), {"submodule_search_locations": [tmp_path / "neutral"]})
    monkeypatch.setattr(examples, "dialect_packages", lambda: [CHAT])
    monkeypatch.setattr(files, "find_spec", lambda package: spec if package == CHAT else other)
    caches = (
        examples.examples_of,
        files.folder_of,
        files.texts,
        files.document,
        bases._written,
        bases._text,
        bases.kinds,
    )
    for each in caches:
        each.cache_clear()
    (tmp_path / "proofs").mkdir()
    yield tmp_path / "proofs"
    for each in caches:
        each.cache_clear()


def shown(folder: Path, text: str) -> Examples:
    (folder / "some.yaml").write_text(text, encoding="utf-8")
    return examples_of("some-rule")


def test_an_example_is_read_with_its_defaults(folder: Path) -> None:
    found = shown(folder, "some-rule:\n  violating:\n  - {base: call, drop: request /tools/0/function/name}\n")
    edit = Edit("drop", "/0/request/body/tools/0/function/name")
    assert found.violating == (Example("openai-chat/call", (edit,), "0 request /tools/0/function"),)
    assert found.conforming == (Example("openai-chat/call"),)


@pytest.mark.parametrize(
    ("written", "edits"),
    [
        ("put: response status, value: 500", [Edit("put", "/0/response/status", 500)]),
        ("put: response body, value: null", [Edit("put", "/0/response/body", None)]),
        ("drop: exchange 1", [Edit("drop", "/1")]),
        ("insert: 1 request /messages/0, value: {}", [Edit("insert", "/1/request/body/messages/0", {})]),
        ("swap: request /a, with: request /b", [Edit("swap", "/0/request/body/a", "/0/request/body/b")]),
        ("change: response event/2 data, old: a, new: b", [Edit("change", "/0/response/events/2/data", ("a", "b"))]),
        (
            "insert: 'request /tools/#', value: {name: 'tool_#', size: 2}, times: 2",
            [Edit("insert", f"/0/request/body/tools/{n}", {"name": f"tool_{n}", "size": 2}) for n in (1, 2)],
        ),
        ("cut: response text, by: 2", [Edit("cut", "/0/response/text", 2)]),
        ("edits: [{drop: request /a}, {drop: exchange 2}]", [Edit("drop", "/0/request/body/a"), Edit("drop", "/2")]),
    ],
)
def test_every_edit_can_be_written(written: str, edits: list[Edit], folder: Path) -> None:
    [found] = shown(folder, f"some-rule:\n  conforming:\n  - {{base: call, {written}}}\n").conforming
    assert list(found.edits) == edits


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("put: request /a, value: 1", "0 request /a"),
        ("put: request /a, value: 1, at: 1 response event/2/id", "1 response event/2/id"),
        ("put: request /a, value: 1, at: response", "0 response"),
        ("put: request /a, value: 1, at: 1 request body", "1 request "),
        ("put: request header accept, value: 1", "0 request"),
        ("drop: exchange 1", "1"),
    ],
)
def test_a_violating_example_has_a_place(written: str, at: str, folder: Path) -> None:
    [found] = shown(folder, f"some-rule:\n  violating:\n  - {{base: call, {written}}}\n").violating
    assert found.at == at


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("some-rule: {", "not YAML: "),
        ("'\nsome-rule:'", "not a mapping of names"),
        ("some-rule:\n  wrong: []\n", "some-rule: give it `violating`, `conforming`, or both, and nothing else"),
        ("some-rule:\n  violating: call\n", "some-rule: `violating` is not a list"),
        (
            "some-rule:\n  violating: [{put: request /a}]\n",
            "violating example 0: write the name of a base, or a mapping",
        ),
        (
            "some-rule:\n  violating: [{base: call, put: request a, value: 1}]\n",
            "'request a' is not a place; write it as",
        ),
        (
            "some-rule:\n  conforming: [call, {base: call, putt: request /a}]\n",
            "conforming example 1: `putt` is not an edit; did you mean `put`?",
        ),
        (
            "some-rule:\n  violating: [{base: call, put: request /a}]\n",
            "`put` takes `value`; write further edits in the list `edits`",
        ),
        ("some-rule:\n  violating: [{base: call, drop: request /a, value: 1}]\n", "`drop` takes no other key"),
        ("some-rule:\n  violating: [{base: call, edits: [{}]}]\n", "`` is not an edit; choose one of put, drop"),
        (
            "some-rule:\n  violating: [{base: call, drop: request /a, edits: [{drop: request}]}]\n",
            "write `drop` among the `edits`",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_file_and_its_place(text: str, message: str, folder: Path) -> None:
    with pytest.raises(ConformanceError) as caught:
        shown(folder, text)
    assert str(folder / "some.yaml") in str(caught.value)
    assert message in str(caught.value)


def test_two_files_of_a_folder_do_not_show_the_same_rule(folder: Path) -> None:
    (folder / "other.yaml").write_text("some-rule:\n  violating: [call]\n", encoding="utf-8")
    with pytest.raises(ConformanceError, match="another file of the folder also has violating examples of some-rule"):
        shown(folder, "some-rule:\n  violating: [call]\n")


REQUEST = "{method: POST, url: 'https://llm.example.com/v1', headers: {}, body: {text: hello}}"
BASES = f"""
call:
- {{request: {REQUEST}, response: {{status: 200, headers: {{}}, body: {{text: hello}}}}}}
failure:
- {{base: call, put: response status, value: 500}}
stream-call:
- base: call
  edits: [{{drop: response body}}, {{put: response events, value: [{{data: {{}}}}]}}]
run: [call, failure, stream-call]
"""


def with_bases(folder: Path, text: str = BASES) -> None:
    (folder / "bases").mkdir()
    (folder / "bases" / "some.yaml").write_text(text, encoding="utf-8")


def test_a_base_may_be_made_of_others(folder: Path) -> None:
    with_bases(folder)
    assert bases.base_names("openai-chat") == ["call", "failure", "run", "stream-call"]
    call, failure, stream = bases.base("openai-chat/run")
    assert [call] == bases.base("openai-chat/call")
    assert failure == {**call, "response": {**call["response"], "status": 500}}
    assert stream["response"] == {"status": 200, "headers": {}, "events": [{"data": {}}]}
    assert bases.kinds("openai-chat") == {"plain": "openai-chat/call", "streamed": "openai-chat/stream-call"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("call: {}", "call: write a list of exchanges, or of the names of other bases"),
        ("call: [7]", "call: write the name of a base, or a mapping with `base`"),
        ("call: [cal]", "there is no base 'openai-chat/cal'; did you mean 'call'?"),
        ("call: [call]", "call: it is made from itself"),
        (f"{BASES}call: [run]\n", "it is made from itself"),
        (f"{BASES}other: [{{base: call, drop: request /user}}]", "there is nothing at `request /user` in the base"),
        (
            f"{BASES}other: [{{base: call, change: request /text, old: bye, new: hi}}]",
            "other: 'bye' is not in the text of `request /text`",
        ),
        (f"{BASES}other: [{{base: call, cut: request body, by: 2}}]", "other: `request body` is not a text"),
    ],
)
def test_a_wrong_base_is_refused(text: str, message: str, folder: Path) -> None:
    with_bases(folder, text)
    with pytest.raises(ConformanceError) as caught:
        bases.kinds("openai-chat")
    assert message in str(caught.value)


def test_an_edit_that_does_not_fit_its_base_is_refused(folder: Path) -> None:
    with_bases(folder)
    [found] = shown(folder, "some-rule:\n  conforming: [{base: call, insert: 1 request /text, value: x}]\n").conforming
    with pytest.raises(ConformanceError, match="an example of openai-chat/call: there is nothing at `1 request /text`"):
        found.records()


@pytest.mark.parametrize(
    ("edit", "body"),
    [
        ("cut: response text, by: 2", 'data: {"a": 1}\n\ndata: {"a": 2}'),
        ("change: response text, old: '', new: ': hello'", ': hellodata: {"a": 1}\n\ndata: {"a": 2}\n\n'),
        ("change: response event/1 text, old: '{', new: '['", 'data: {"a": 1}\n\ndata: ["a": 2}\n\n'),
        ("edits: [{cut: request text, by: 1}]", 'data: {"a": 1}\n\ndata: {"a": 2}\n\n'),
    ],
)
def test_the_text_that_is_sent_can_be_edited(edit: str, body: str, folder: Path) -> None:
    events = "put: response events, value: [{data: {a: 1}}, {data: {a: 2}}]"
    with_bases(folder, f"{BASES}two:\n- {{base: stream-call, {events}}}\n")
    [found] = shown(folder, f"some-rule:\n  conforming: [{{base: two, {edit}}}]\n").conforming
    [record] = found.records()
    assert record["response"]["body"] == body
    assert record["request"]["body"] == ('{"text": "hello"' if "request" in edit else {"text": "hello"})


SHARED = """
some-rule:
  violating:
  - {base: plain, put: response body, value: ''}
  - {base: streamed, put: response events, value: []}
  - {base: streamed, cut: response text, by: 1, at: response event/last}
  conforming: [plain]
"""


def test_the_examples_of_the_neutral_rules_are_made_for_each_dialect(folder: Path) -> None:
    with_bases(folder)
    neutral = folder.parent / "neutral" / "proofs"
    neutral.mkdir(parents=True)
    (neutral / "some.yaml").write_text(SHARED, encoding="utf-8")
    found = examples_of("some-rule")
    assert [(each.base, each.at) for each in found.violating] == [
        ("openai-chat/call", "0 response"),
        ("openai-chat/stream-call", "0 response"),
        ("openai-chat/stream-call", "0 response event/0"),
    ]
    assert found.conforming == (Example("openai-chat/call"),)


@pytest.mark.parametrize(
    ("own", "violating", "conforming"),
    [
        ("violating: [{base: failure, put: response body, value: 1}]", ["failure"], ["call"]),
        ("violating: []", [], ["call"]),
        ("conforming: [run]", ["call", "stream-call", "stream-call"], ["run"]),
    ],
)
def test_a_dialect_may_have_its_own_instead(
    own: str, violating: list[str], conforming: list[str], folder: Path
) -> None:
    with_bases(folder)
    neutral = folder.parent / "neutral" / "proofs"
    neutral.mkdir(parents=True)
    (neutral / "some.yaml").write_text(SHARED, encoding="utf-8")
    found = shown(folder, f"some-rule:\n  {own}\n")
    assert [each.base for each in found.violating] == [f"openai-chat/{name}" for name in violating]
    assert [each.base for each in found.conforming] == [f"openai-chat/{name}" for name in conforming]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT / "conformance" / "dialects").as_posix())
def test_a_file_is_small_plain_yaml(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST
    assert read_document(path, "proofs")[0] == yaml.safe_load(text)


def test_every_rule_in_the_files_exists() -> None:
    shown = {rule for package in dialect_packages() for rule, _ in rules_shown_by(package)}
    assert shown == set(all_rules())


def test_a_dialect_shows_only_its_own_wire() -> None:
    for dialect in all_dialects().values():
        own = dialects_in(dialect.package)
        for rule in all_rules():
            found = examples_of(rule, dialect.name)
            bases = {each.base.partition("/")[0] for each in (*found.violating, *found.conforming)}
            assert bases <= set(own), rule


@pytest.mark.parametrize("package", contracts())
def test_the_derived_examples_are_those_of_the_rules_without_others(package: str) -> None:
    path = ROOT.joinpath(*package.split("."), "proofs", NAME)
    found = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
    assert list(found) == missing(package), "run `make proofs`"


SLOW = "conformance.dialects.openai_responses"
DERIVED = list(contracts())
if not Extent.full:  # the risk: new rows of this one would give other examples; those that it has are judged in any run
    DERIVED.remove(SLOW)


@pytest.mark.parametrize("package", DERIVED)
def test_a_derived_file_is_what_the_rows_give(package: str) -> None:
    path = ROOT.joinpath(*package.split("."), "proofs", NAME)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == text_of(package), "run `make proofs`"


def test_the_code_of_a_dialect_knows_no_examples() -> None:
    code = (ROOT / "conformance" / "dialects").rglob("*.py")
    assert [path for path in code if "judge.proofs" in path.read_text(encoding="utf-8")] == []


JUDGED = """
import runpy, sys
sys.argv = ["conformance", "check", sys.argv[1], "--format", "json"]
try:
    runpy.run_module("conformance", run_name="__main__")
except SystemExit:
    pass
print([name for name in sys.modules if name.startswith("conformance.judge.proofs")])
"""


@pytest.mark.process
def test_judging_reads_no_examples() -> None:
    path = str(TEST_DATA / "violating.jsonl")
    run = subprocess.run([sys.executable, "-c", JUDGED, path], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.splitlines()[-1] == "[]"
