"""Text of a document as sentences, and which of them have a norm."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

_WORDS = (
    "must|shall|should|may not|can ?not|can't|won't|will not|does not|do not|don't|never|always",
    "not (be )?(supported|allowed|permitted|accepted|compatible|valid|set|used?|applicable|yet)|unsupported|ignored?",
    "only|unless|otherwise|exclusive(ly)?|mutually|depend(s|ing)|available|deprecated|in favou?r of|inclusive",
    "required?s?|requiring|invalid|valid|errors?|fails?|reject(s|ed)?",
    "at (most|least)|up to|no (more|less|longer) than|(more|less|greater|fewer|longer) than|max(imum)?|min(imum)?",
    "between|range|total|sum of|equals?|index|offset|position|first|last",
    r"(if|when) ((it|this|that|the [\w`]+( [\w`]+)?) is )?(not )?(set|specified|provided|present|given|enabled|empty)",
    "each|every|all of|any of|one of|either|both|same|unique(ly)?|duplicates?|ordered|in (the same )?order",
    "preced(es?|ing)|follow(s|ed|ing)?|before|after|until",
    "id of|identifier of|identifies|correspond(s|ing)?|match(es|ing)?|refers?|references?",
    "format|pattern|base64|conform(s|ing)?",
)
_NORM = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE)
"""Words that make a sentence a norm, or a statement about another value."""
_BINDING = re.compile(r"\b(MUST|SHALL|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b")
"""The key words of a specification that says what they mean (RFC 2119)."""
_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1[^\n]*$", re.MULTILINE | re.DOTALL)
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"</?[A-Za-z][^>\n]*>|[*`\\]+|&\w+;")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)]|\||>)\s+")
_HEADING = re.compile(r"^#")
_END = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)(?<=[.!?])[)\"']?\s+(?=[A-Z`\"'(\[*])")
_SPACE = re.compile(r"\s+")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text; an item of a list comes with the words that introduce the list."""
    leads: list[tuple[int, str]] = []
    for block in _blocks(_FENCE.sub("\n#\n", _FRONT.sub("", text))):
        item = _ITEM.match(block)
        found = [each for each in map(_plain, _END.split(_ITEM.sub("", block, count=1))) if each]
        indent = len(block) - len(block.lstrip()) if item else -1
        leads = [(each, lead) for each, lead in leads if each < indent]
        for n, each in enumerate(found):
            yield f"{leads[-1][1]} {each}" if leads and n == 0 else each
        if found and found[-1].endswith(":"):
            leads.append((indent, found[-1]))


def normative(text: str) -> Iterator[str]:
    """The sentences that have a norm, each once."""
    yield from dict.fromkeys(each for each in sentences(text) if _NORM.search(each))


def binding(text: str) -> Iterator[str]:
    """The sentences of a specification that have one of its key words, each once."""
    yield from dict.fromkeys(each for each in sentences(text) if _BINDING.search(each))


def fingerprint(field: str, sentence: str) -> str:
    """The same for the same words about a field of that name, however they are set."""
    words = " ".join(re.findall(r"\w+", sentence.lower()))
    return hashlib.sha256(f"{field}\n{words}".encode()).hexdigest()[:10]


def _plain(text: str) -> str:
    return _SPACE.sub(" ", _MARKUP.sub("", _LINK.sub(r"\1", text))).strip()


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and items of lists, each on one line; what stands below a heading or a code block is no list of it."""
    kept: list[str] = []
    for line in text.splitlines():
        if not line.strip() or _ITEM.match(line) or _HEADING.match(line):
            if kept:
                yield " ".join(kept)
            kept = []
        if _HEADING.match(line):
            yield line.lstrip("# ")
        elif line.strip():
            kept.append(line if _ITEM.match(line) else line.strip())
    if kept:
        yield " ".join(kept)
