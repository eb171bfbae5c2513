"""Rule ids: `<prefix>-<object>-<defect>`, as in `chat-usage-missing`.

The prefix is that of the dialect's folder, and neutral rules have none. The object is what is wrong, in the words of
the wire or of the neutral transcript. The defect is one of `DEFECTS`. An id never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

DEFECTS: Mapping[str, str] = {
    "ambiguous": "it has more than one possible meaning, or none",
    "changed": "it must stay the same, but differs from before",
    "conflicting": "two things exclude each other, but both are present",
    "deprecated": "it still works, but a newer form replaces it",
    "drift": "it differs from the recording",
    "dropped": "it was present before, but is missing now",
    "duplicate": "it must be unique, but occurs twice in one message",
    "empty": "it is present, but has no content",
    "ignored": "it was sent, but the other side does not act on it",
    "incomplete": "some of its pieces are missing",
    "invalid": "it can be parsed, but its value or form is not allowed",
    "leaked": "it belongs to a different layer or format, and was not translated",
    "malformed": "it cannot be parsed, or does not have the required structure",
    "mismatch": "two places must agree, but differ",
    "misplaced": "it is in the wrong place",
    "missing": "it is required, but absent",
    "null": "it is null, but must have a value or be absent",
    "orphaned": "what it refers to, or depends on, does not exist",
    "out-of-order": "the order is wrong",
    "out-of-range": "a number, a length or a count is below its minimum or above its maximum",
    "repeated": "it must occur once, but occurs again",
    "reused": "an identifier already in use is used for something else",
    "too-long": "it has more characters than are allowed",
    "too-many": "there are more than are allowed",
    "truncated": "it ends too early",
    "unanswered": "it needs an answer, but has none",
    "unclosed": "it is opened, but not closed",
    "undeclared": "it must be declared, but is not",
    "unexpected": "it is present, but must not be",
    "unknown": "the format does not define its name or value",
    "unsupported": "this provider, version or model does not accept it",
    "unused": "nothing uses it",
    "wrong": "it does not have the value required here",
    "wrong-type": "it does not have the required JSON type",
}
"""The last word or words of an id, each with its meaning."""


@cache
def defect_of(rule: str) -> str | None:
    """The defect that a rule's id names; None if its ending is not in the list."""
    return max((each for each in DEFECTS if rule.endswith(f"-{each}")), key=len, default=None)
