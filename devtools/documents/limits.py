"""Ranges, lengths and counts: what the contract has of them, held against the documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from devtools.documents.documented import Documented
from devtools.documents.lines import Kind
from devtools.documents.ruled import Ruled

_HUGE = 2.0**62
"""From here on a bound is the end of an integer's type."""


def limits(published: Documented, ruled: Ruled) -> Iterator[tuple[Kind, str]]:
    """Each limit that only one of the two has, or both differently, as a kind of line and its text."""
    numbers, texts, arrays = ruled.numbers, ruled.texts, ruled.arrays
    if numbers and not published.types.isdisjoint({"integer", "number"}):
        yield from _compared("minimum", _lowest(published), _widest((each.low for each in numbers), min))
        yield from _compared("maximum", published.bound("maximum"), _widest((each.high for each in numbers), max))
    if texts and "string" in published.types and not ruled.words:
        own = _widest((each.least or None for each in texts), min)
        yield from _compared(
            "minLength", published.bound("minLength") or None, own, _reads(texts, published, "minLength")
        )
        own = _widest((each.most for each in texts), max)
        yield from _compared("maxLength", published.bound("maxLength"), own, _reads(texts, published, "maxLength"))
        yield from _patterns(published, ruled)
    if arrays and "array" in published.types:
        yield from _compared(
            "minItems", published.bound("minItems") or None, _widest((a.least or None for a in arrays), min)
        )
        yield from _compared("maxItems", published.bound("maxItems"), _widest((each.most for each in arrays), max))
    if ruled.maps and "object" in published.types:
        own = _widest((each.most for each in ruled.maps), max)
        yield from _compared("maxProperties", published.bound("maxProperties"), own)


def _patterns(published: Documented, ruled: Ruled) -> Iterator[tuple[Kind, str]]:
    own = [each.pattern for each in ruled.texts if each.pattern]
    if published.pattern is not None and all(not each.pattern and not each.words for each in ruled.texts):
        yield "limit undescribed", f"pattern {published.pattern}"
    if own and published.pattern is None:
        yield "limit undocumented", f"pattern {own[0]}"


def _reads(texts: Iterable[object], published: Documented, word: str) -> bool:
    """Whether the patterns of the contract have the documented limit of a length in them."""
    bound = published.bound(word)
    patterns = [getattr(each, "pattern", "") for each in texts]
    if bound is None or not all(patterns):
        return False
    beyond = int(bound) + (1 if word == "maxLength" else -1)
    return not any(re.fullmatch(each, letter * beyond) for each in patterns for letter in ("a", "0"))


def _lowest(published: Documented) -> float | None:
    above = published.bound("exclusiveMinimum")
    if above is not None and "integer" in published.types:
        above += 1
    return min((each for each in (published.bound("minimum"), above) if each is not None), default=None)


def _compared(
    word: str,
    documented: float | None,
    own: float | None,
    in_pattern: bool = False,  # noqa: FBT001, FBT002
) -> Iterator[tuple[Kind, str]]:
    if documented is not None and abs(documented) >= _HUGE:
        documented = None
    if own is not None and abs(own) >= _HUGE:
        own = None
    if documented is not None and own is None and not in_pattern:
        yield "limit undescribed", f"{word} {documented:g}"
    elif own is not None and documented is None:
        yield "limit undocumented", f"{word} {own:g}"
    elif own is not None and documented is not None and own != documented:
        yield "limit", f"{word} {documented:g} is documented, the contract has {own:g}"


def _widest(bounds: Iterable[float | None], choose: object) -> float | None:
    found = list(bounds)
    given = [each for each in found if each is not None]
    return choose(given) if given and len(given) == len(found) and callable(choose) else None
