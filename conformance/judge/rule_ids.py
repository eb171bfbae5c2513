"""Rule ids: `<prefix>-<object>-<defect>`, as in `chat-usage-missing`.

The prefix is that of the dialect's folder, and neutral rules have none. The object is what is at fault, in the words of
the wire or of the neutral transcript. The defect is one of `DEFECTS`. An id never changes; the few that once did are in
`specs/renames.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping

DEFECTS: Mapping[str, str] = {
    "ambiguous": "it can be taken for more than one thing, or for none",
    "changed": "it is not what it was before, and must have stayed the same",
    "conflicting": "two things exclude each other",
    "deprecated": "it works, and a newer form has replaced it",
    "drift": "it is not what it was in the recording",
    "dropped": "it was there before, and is gone",
    "duplicate": "one message has it twice where each must be unique",
    "empty": "it is there and has nothing in it",
    "ignored": "it was said, and the other side acts as if it was not",
    "incomplete": "some of its pieces are not there",
    "invalid": "it can be read, and its value or form is not allowed",
    "leaked": "it belongs to another layer or format, and was not translated",
    "malformed": "it cannot be read, or does not have the structure that it must have",
    "mismatch": "two places that must agree do not",
    "misplaced": "it is in the wrong place",
    "missing": "it must be there, and is not",
    "null": "it is null where it must have a value, or be left out",
    "orphaned": "what it refers to, or depends on, is not there",
    "out-of-order": "the order is wrong",
    "out-of-range": "a number, a length or a count is below its minimum or above its maximum",
    "repeated": "it comes again where it must come once",
    "reused": "an identifier that is taken stands for something else too",
    "too-long": "it has more characters than are allowed",
    "too-many": "there are more than are allowed",
    "truncated": "it breaks off before its end",
    "unanswered": "it needs an answer, and has none",
    "unclosed": "it is opened, and not closed",
    "undeclared": "it was not declared where it must be",
    "unexpected": "it must not be there",
    "unknown": "its name or value is not one that the format knows",
    "unsupported": "this provider, version or model does not accept it",
    "unused": "nothing needs it",
    "wrong": "it has another value than the one that is right here",
    "wrong-type": "it has another JSON type than it must have",
}
"""The last word or words of an id, each with its meaning."""


def defect_of(rule: str) -> str | None:
    """The defect that a rule's id names; None where it ends in no word of the list."""
    return max((each for each in DEFECTS if rule.endswith(f"-{each}")), key=len, default=None)
