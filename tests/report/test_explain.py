"""`conformance explain`: rules with their statements, statements, known bugs, threads, and refusals of providers."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.commands import app
from conformance.commands.explain.contract import WIDTH, explained, explained_bug
from conformance.commands.explain.run import explain
from conformance.judge.rule import all_rules
from conformance.model.data_files import load_yaml
from conformance.model.registry import all_dialects
from conformance.report.catalogue.contract import all_bugs, all_statements
from conformance.report.catalogue.lookup import by_text
from conformance.report.catalogue.refusals import all_refusals, dialects_in
from conformance.report.catalogue.words import words
from tests.sampling import sample


def printed(what: str, *options: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, ["explain", what, *options], input=given)


def as_json(what: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(what, "--format", "json").stdout)
    return found


def too_wide(text: str) -> list[str]:
    """The lines that do not fit the terminal, but those of one word, at most behind a head: an address stays whole."""
    return [line for line in text.splitlines() if len(line) > WIDTH and len(line.split()) > 2 and " /" not in line]


RULES = sample(
    all_rules().values(),
    lambda rule: (rule.judge.__module__.split(".")[:3][-1], str(rule.severity)),
    lambda rule: len(rule.cites),
    risk="a line that only one rule makes too wide",
)
STATEMENTS = sample(
    all_statements(),
    lambda name: (name[:5], all_statements()[name].severity),
    lambda name: len(all_statements()[name].evidence),
    risk="a line that only one statement makes too wide, or a rule that only one statement does not show",
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_reported_with_every_statement_that_it_cites(rule: Any) -> None:
    text = explain(rule)
    flat = " ".join(text.split())
    for name in rule.cites:
        statement = all_statements()[name]
        assert f"  {name} (" in text
        assert " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", statement.text).split()) in flat
        assert all(link in text for entry in statement.evidence for link in re.findall(r"\((http[^)]*)\)", entry))
    assert too_wide(text) == []


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_is_reported_with_its_rules(name: str) -> None:
    text = explained(all_statements()[name])
    assert text.startswith(f"{name} (")
    assert [rule.id for rule in all_rules().values() if name in rule.cites] == re.findall(
        r"^  ([\w-]+) \((?:error|warning|info)", text, re.MULTILINE
    )
    assert too_wide(text) == []


@pytest.mark.parametrize("name", all_bugs())
def test_a_known_bug_is_reported_with_its_threads(name: str) -> None:
    text = explained_bug(all_bugs()[name])
    assert all(thread.name in text and thread.link in text for thread in all_bugs()[name].threads)
    assert too_wide(text) == []


def test_a_statement_without_a_rule_says_that_it_is_planned() -> None:
    planned = replace(all_statements()["OAC-Q-002"], id="OAC-Q-999", planned=True)
    assert "No rule checks it yet; a rule is planned." in explained(planned)
    assert "No rule checks it: " in printed("D29").stdout


def test_a_number_is_read_in_any_case() -> None:
    assert printed("oac-c-001").stdout == printed("OAC-C-001").stdout


def test_a_bug_is_reported_with_the_rules_that_find_it() -> None:
    assert "chat-tool-call-index-missing (error)" in printed("C01").stdout


def test_a_thread_leads_to_what_names_it() -> None:
    found = printed("aliasrobotics/cai#111")
    assert found.stdout.startswith("aliasrobotics/cai#111 is cited by:")
    differing = ["cohere-chat", "gemini-interactions", "ollama-chat", "react"]
    assert f"tool-call-unanswered (error, warning in {', '.join(differing)})" in " ".join(found.stdout.split())
    assert "OAC-C-001 (openai-chat, error, verified)" in found.stdout
    assert "C01 (known bug" in printed("ollama/ollama#7881").stdout
    unknown = printed("nobody/nothing#1")
    assert unknown.exit_code == 2
    assert "cites the thread nobody/nothing#1" in unknown.stderr


def test_the_json_of_a_rule_has_its_statements() -> None:
    [rule] = as_json("tool-call-unanswered")["rules"]
    [statement] = [each for each in rule["statements"] if each["id"] == "OAC-C-001"]
    assert statement["text"] == all_statements()["OAC-C-001"].text
    assert statement["evidence"][0] == {
        "text": "aliasrobotics/cai#111",
        "kind": "observed",
        "date": "2026-11-20",
        "links": ["https://github.com/aliasrobotics/cai/issues/111"],
    }
    assert (statement["page"], statement["verified"], statement["planned"]) == (
        "docs/contract/openai-chat.md",
        True,
        False,
    )


def test_the_json_of_a_statement_and_of_a_bug_has_the_rules() -> None:
    found = as_json("OAC-C-001")
    assert found["statements"][0]["rules"] == [rule["id"] for rule in found["rules"]] == ["tool-call-unanswered"]
    assert as_json("C01")["bugs"][0]["rules"] == ["chat-tool-call-index-missing"]


PARAPHRASES = {
    "OAC-C-001": "tool messages, one for each tool_call_id, follow an assistant message with tool calls",
    "OAC-C-002": "role tool at messages[1] needs a previous assistant message with tool_calls to be a response to",
    "OAC-Q-001": "'messages' was an empty array, which is shorter than the minimum length",
    "OAC-Q-003": "tools[0].function is a required parameter, and it is missing",
    "OAC-Q-005": "the schema of function 'f' is invalid: its type has to be object, we got None (tools[0].function)",
    "OAC-Q-006": "array 'tools' is too long, 163 where the maximum length is 128",
    "OAC-Q-009": "invalid schema for function 'f': additionalProperties must be supplied as required, and be false",
    "OAC-Q-026": "tool_choice: only allowed when you have specified tools",
    "OAC-Q-013": "you may set stream_options only when stream is true",
    "OAC-Q-015": "messages[2].tool_calls: we got an empty array, the minimum length is 1",
    "OAC-Q-017": "messages[1].tool_calls[0].function.arguments has an invalid type, expected string, got object",
    "OAC-Q-023": "messages[3] is invalid: blocks of content are expected to have type text or image_url",
    "OAC-Q-024": "do not give max_tokens and max_completion_tokens at the same time",
    "OAC-Q-025": "temperature is invalid, the decimal value is above the maximum",
    "OAR-C-001": "for function call call_1 no tool output was found in the input",
    "OAR-C-005": "the item rs_1 of type reasoning needs the required item following it, but was provided without",
    "OAR-Q-001": "required parameter missing: 'tools[0].name'",
    "OAR-Q-009": "an ID that begins with 'fc' is expected at input[2].id, which is invalid",
    "OAR-Q-010": "integer value of max_output_tokens is invalid: below the minimum, 16",
    "ANT-C-001": "messages.2: found tool_use ids without the tool_result blocks that must be immediately after them",
    "ANT-C-003": "messages.0.content.0: tool_result blocks with an unexpected tool_use_id were found",
    "ANT-Q-009": "tool_choice forces the use of a tool, so thinking can not be enabled",
    "ANT-Q-012": "messages.4.content.0.tool_result.output: extra inputs are not permitted here",
    "ANT-Q-013": "messages.1.content.0.tool_use.input: a valid dictionary should be the input",
    "ANT-Q-025": "a maximum of 4 cache_control blocks is allowed",
    "GEM-C-001": "the number of function response parts has to equal the number of function call parts",
    "GEM-C-007": "thought_signature is missing in functionCall parts of this function call",
    "GEM-Q-002": "use 'user' or 'model' as the role, others are not valid",
    "GEM-Q-007": 'cannot find field: unknown name "const" at tools[0].function_declarations[0].parameters',
    "GEM-Q-008": "function_declarations[0].parameters.properties should not be empty (non-empty) for an OBJECT type",
    "MCP-A-007": "mcp-session-id 7: not acceptable, the client accepts no application/json and text/event-stream",
}
"""Refusals as providers give them, in words of our own, by the statement that each is about."""


@pytest.mark.parametrize(("name", "text"), PARAPHRASES.items(), ids=PARAPHRASES)
def test_a_refusal_finds_its_statement_and_its_rules(name: str, text: str) -> None:
    found = by_text(text)
    first = found.matches[0]
    assert name in [statement.id for statement in first.statements]
    assert first.known
    assert [rule.id for rule in first.rules] == [] or name in first.rules[0].cites
    shown = printed(text)
    assert shown.exit_code == 0
    assert shown.stdout.startswith("This refusal is about:\n")
    assert f"  {name} (" in shown.stdout
    assert too_wide(shown.stdout) == []
    wrapped_in_json = json.dumps({"error": {"message": text, "type": "invalid_request_error", "param": None}})
    assert name in {each.id for match in by_text(wrapped_in_json).matches for each in match.statements}


ABOUT_OTHERS = {
    "the API key given is incorrect": "the credential",
    "a model of that name does not exist": "the model",
    "the rate limit was exceeded, wait a minute": "a limit on requests",
    "this prompt has too many tokens: too long for the maximum of the model": "the length of the conversation",
    "tools are not supported with this model": "what the model can do",
    "the parameters of the tool call did not match the schema, so validation of the tool call failed": "the reply",
}


@pytest.mark.parametrize(("text", "about"), ABOUT_OTHERS.items(), ids=ABOUT_OTHERS)
def test_a_refusal_that_no_rule_is_about_is_reported_as_such(text: str, about: str) -> None:
    shown = printed(text)
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert f"no rule matches: this refusal is about {about}" in shown.stderr


@pytest.mark.parametrize(
    "text",
    [
        "how do I bake bread with yeast",
        "Internal server error, please try again later.",
        "connection reset by peer",
        "",
    ],
)
def test_no_rule_is_better_than_a_wrong_one(text: str) -> None:
    shown = printed(text)
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert "no rule matches" in shown.stderr or "unknown rule" in shown.stderr


def test_words_of_ones_own_find_the_closest_rules_and_show_it() -> None:
    shown = printed("the fragments of a tool call come without an index")
    assert shown.stdout.startswith("No known refusal matches this text. Closest rules by wording:\n")
    assert "chat-tool-call-index-missing (error)" in shown.stdout.splitlines()[2]


def test_an_error_code_finds_what_comes_with_it() -> None:
    shown = printed("empty_array").stdout
    assert re.findall(r"^  ([A-Z]+-Q-\d+) ", shown, re.MULTILINE) == ["OAC-Q-001", "OAC-Q-007", "OAC-Q-015"]
    assert "this refusal is about the model" in printed("model_not_found").stderr


def test_a_refusal_is_read_from_standard_input() -> None:
    assert printed("-", given=PARAPHRASES["OAC-Q-013"] + "\n").stdout == printed(PARAPHRASES["OAC-Q-013"]).stdout


def test_the_text_of_a_refusal_is_not_repeated() -> None:
    for text in (PARAPHRASES["OAC-Q-013"] + " key-4711-abcd", "nothing known about key-4711-abcd here"):
        assert "4711" not in printed(text).output


def test_the_json_of_a_refusal_has_the_matches() -> None:
    [match] = as_json(PARAPHRASES["OAC-Q-013"])["matches"]
    assert (match["known"], match["rules"]) == (True, ["chat-stream-options-orphaned"])
    assert match["statements"][0]["id"] == "OAC-Q-013"


def test_a_refusal_is_of_the_dialect_whose_places_it_names() -> None:
    text = "{} is missing and a required parameter"
    assert [each.id for each in by_text(text.format("tools[0].name")).matches[0].statements] == ["OAR-Q-001"]
    assert [each.id for each in by_text(text.format("tools[0].function")).matches[0].statements] == ["OAC-Q-003"]


def test_the_file_of_refusals_names_statements_and_dialects_that_exist() -> None:
    named = [name for refusal in all_refusals() for name in refusal.statements]
    assert set(named) - set(all_statements()) == set()
    assert set(load_yaml("refusals.yaml")["dialects"]) - set(all_dialects()) == set()
    assert all(bool(refusal.statements) != bool(refusal.about) for refusal in all_refusals())
    assert all(all(refusal.sets) for refusal in all_refusals())


def test_words_are_compared_without_endings_and_names_in_their_parts() -> None:
    assert words("followed follows following") == words("follow") | words("followed follow following")
    assert {"tool_call_id", "tool", "call", "id"} <= words("toolCallId") & words("tool_call_ids")
    assert "tool_call" in words("a tool call")
    assert "tool_call" not in words("tool_call_id")
    assert words("the message is null") == frozenset()


def test_a_text_shows_the_dialects_that_it_is_of() -> None:
    assert dialects_in("messages[2].tool_calls") == {"openai-chat"}
    assert dialects_in("messages.2.content.0.tool_use.id") == {"anthropic-messages"}
    assert dialects_in("input[2].id") == {"openai-responses"}
    assert dialects_in("tools[0].function_declarations[0]") == {"gemini"}
    assert dialects_in("something") == frozenset()


# Refusals that providers gave, by their error codes: what they contain stays where it was recorded.

BY_CODE = {
    "invalid_function_parameters": {"OAC-Q-009", "OAR-Q-003"},
    "invalid_parameter_combination": {"OAC-Q-024"},
    "decimal_below_min_value": {"OAC-Q-025"},
    "integer_below_min_value": {"OAR-Q-010"},
    "missing_required_parameter": {"OAR-Q-001"},
}
OTHER_CODES = {
    "invalid_api_key",
    "model_not_found",
    "model_decommissioned",
    "tool_use_failed",
    "unsupported_parameter",
    "DeploymentNotFound",
    "invalid_image_url",
    "unsupported_file",
}


def refusals_in(corpus: Path) -> Iterator[tuple[str, str]]:
    """The bodies of the refusals in the corpus, each with its error code."""
    for path in sorted(corpus.glob("openai-*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                response = json.loads(line)["response"]
                body = response.get("body")
                error = body.get("error") if isinstance(body, dict) else None
                if isinstance(error, dict) and 400 <= response["status"] < 500:
                    yield str(error.get("code")), json.dumps(body)


def test_real_refusals_find_their_statement_or_say_that_none_is_about_them(corpus: Path) -> None:
    seen = set()
    for code, body in refusals_in(corpus):
        if code in BY_CODE:
            found = by_text(body)
            assert BY_CODE[code] & {each.id for each in found.matches[0].statements}, code
            seen.add(code)
        elif code in OTHER_CODES:
            assert by_text(body).about, code
            seen.add(code)
    assert seen == BY_CODE.keys() | OTHER_CODES
