"""The words of a text as the search compares them: in lower case, without endings, names of fields in their parts."""

from __future__ import annotations

import re
from functools import cache

_ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}|\\[nrt\"\\/]")
_NAME = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_LONGEST = 4
"""How many words a name of a field has at most: `max_completion_tokens` has three."""
_COMMON_WORDS = (
    "a an and are as at be been but by can does did do for from had has have if in into is it its must no not "
    "of on or should so such than that the their them there these they this those to was were which will with "
    "would you your please error message type param code null invalid_request_error status details request "
)
_SILENT = frozenset(_COMMON_WORDS.split())
"""Words that every refusal has, and that do not identify it."""


def words(text: str) -> frozenset[str]:
    """Every word of the text, without endings. A name counts as a whole and in its parts: `tool_call_id`, `toolCallId`.

    So do plain words side by side, as in `tool call id`; but `tool_call_id` holds no `tool_call`.
    """
    found: set[str] = set()
    plain: list[str] = []
    for name in _NAME.findall(_ESCAPED.sub(" ", text)):
        parts = [part.lower() for part in _PART.findall(name)]
        if name.lower() not in _SILENT:
            found |= {_bare(part) for part in parts if part not in _SILENT} | {whole(name)}
        if len(parts) == 1:
            plain += [_bare(parts[0])] if parts[0] not in _SILENT else []
        else:
            found |= _names(plain)
            plain.clear()
    return frozenset(found | _names(plain) - {""})


def _names(plain: list[str]) -> set[str]:
    """The field name that adjacent words form."""
    ends = range(2, _LONGEST + 1)
    return {"_".join(plain[start : start + size]) for start in range(len(plain)) for size in ends}


def whole(name: str) -> str:
    """A name of several parts as one word: `tool_calls`, `toolCalls` and `tool-call` are the same."""
    return "_".join(_bare(part.lower()) for part in _PART.findall(name))


@cache
def _bare(word: str) -> str:
    """The word without its ending: `followed`, `follows` and `following` are the same."""
    for ending in ("ing", "ed", "s"):
        least = 2 if ending == "s" else 3
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(ending)
            break
    return word.removesuffix("e") if len(word) > 3 else word
