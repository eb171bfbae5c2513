"""Every way in which a known secret can be spelled: escaped, percent-encoded, base64 at any offset, hex, cut, masked.

What may stand between the characters of a spelled secret (spaces, dashes, line ends, characters without width) is
removed from a text once, and each spelling is looked for in what is left.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from conformance.cassette.randomness import changes
from conformance.model.lazy import lazy

_MASKS = ("*", "...", "…", "•", "●", "xxxx", "XXXX")
_MASK = re.compile(r"[*•●…]+|\.{3,}|x{4,}|X{4,}")
_BEFORE, _AFTER = re.compile(r"[A-Za-z0-9_\-+/=.~]"), re.compile(r"[A-Za-z0-9_\-+/=]*")
_AGREEING = 4
"""How many characters of a masked secret have to agree."""
LONG = 16
"""A shorter secret could be found in other cases, reversed, spaced or cut by chance."""
_MIXED = 4
"""How often letters, digits and cases change in a secret whose pieces are searched for: those of others are words."""
_PIECE = 12
"""How many characters of a secret are a piece of it; half of them, if it is shorter than two pieces."""

_BETWEEN = "\0 \t\n\r\f\v.,_-|:;\xa0\xad\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\ufeff"
_DROPPED = dict.fromkeys(map(ord, _BETWEEN))
_MARK = re.compile(r"(?<!\\)\\+[xnrt]|0x")
"""What stands before a byte in hex, and line ends as escapes write them: between the characters of encoded secrets."""
_JOINT = rf"[{re.escape(_BETWEEN)}]{{0,80}}"
_MARKED_JOINT = rf"(?:[{re.escape(_BETWEEN)}]|\\{{1,15}}[nrtx]|0x){{0,80}}"
_NO_WIDTH = r"(?:=\r?\n|[\xad\u200b-\u200f\u2060\ufeff]|%(?:25)?[eE]2%(?:25)?80%(?:25)?8[b-fB-F])?"
"""A soft break of quoted-printable, or a character without width."""


_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
_CORE = 8


class Spellings:
    """Finds one secret in a text."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._marks = ("\\", "%", "&", "~", "=", *("+" if " " in secret else ""))
        long = len(secret) >= LONG
        needles = {*_hex_cores(secret), *(core for core in _base64_cores(secret) if len(core) >= _CORE)}
        self._encoded = tuple(sorted({_unmarked(_squeezed(each)) for each in needles}))
        if long:
            needles |= {secret, secret[::-1], *_other_cores(secret)}
        squeezed = {_squeezed(each) for each in needles}
        self._needles = tuple(sorted(each for each in squeezed if len(each) >= _CORE))
        self._piece = min(_PIECE, len(secret) // 2) if has_pieces(secret) else len(secret)
        size = (self._piece + 1) // 2
        starts = range(0, len(secret) - size + 1, size) if self._piece < len(secret) else ()
        self._blocks = tuple((start, secret[start : start + size]) for start in starts)
        self._shortest = min(self._piece, len(secret), *map(len, self._needles))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it stands, in whatever form."""
        if len(text) >= self._shortest:
            yield from self._whole(text)
            yield from self._cut(text)
        if any_in(_MASKS, text):
            yield from self._masked(text)

    def _whole(self, text: str) -> Iterator[tuple[int, int]]:
        yield from _occurrences(self._secret, text)
        if any_in(self._marks, text):
            for found in self._spelled.finditer(text):
                yield found.span()
        squeezed = _squeezed(text)
        yield from _spread(self._needles, squeezed, _JOINT, text)
        if "0x" in squeezed or "\\" in squeezed:
            yield from _spread(self._encoded, _unmarked(squeezed), _MARKED_JOINT, text)

    @lazy
    def _spelled(self) -> re.Pattern[str]:
        return re.compile(_NO_WIDTH.join(_characters(self._secret)))

    def _cut(self, text: str) -> Iterator[tuple[int, int]]:
        """Its pieces: each has one of the blocks of half its size."""
        for offset, block in self._blocks:
            for start, end in _occurrences(block, text):
                before = _agreeing(self._secret[:offset][::-1], text[max(0, start - offset) : start][::-1])
                rest = self._secret[offset + len(block) :]
                after = _agreeing(rest, text[end : end + len(rest)])
                if before + len(block) + after >= self._piece:
                    yield start - before, end + after

    def _masked(self, text: str) -> Iterator[tuple[int, int]]:
        for found in _MASK.finditer(text):
            first = found.start()
            while first > max(0, found.start() - len(self._secret)) and _BEFORE.match(text, first - 1):
                first -= 1
            before, after = (
                text[first : found.start()],
                _AFTER.match(text, found.end(), found.end() + len(self._secret)),
            )
            start, end = overlap(before, self._secret), overlap(self._secret, after[0] if after else "")
            if start + end >= _AGREEING and (start or not before) and (end or not (after and after[0])):
                yield found.start() - start, found.end() + end


def has_pieces(secret: str) -> bool:
    """Whether a piece of the secret shows that it is one: those of a short one, or of words, occur by chance."""
    return len(secret) >= LONG and changes(secret) >= _MIXED


def overlap(before: str, after: str) -> int:
    """How much of the end of one text is the beginning of the other."""
    longest = min(len(before), len(after))
    return next((size for size in range(longest, 0, -1) if before.endswith(after[:size])), 0)


def any_in(needles: Iterable[str], text: str) -> bool:
    """Whether the text has one of the needles. Faster than `any` with a generator, in the innermost loop."""
    for needle in needles:  # noqa: SIM110 - see above
        if needle in text:
            return True
    return False


def _occurrences(needle: str, text: str) -> Sequence[tuple[int, int]]:
    if needle not in text:
        return ()
    found = []
    start = text.find(needle)
    while start >= 0:
        found.append((start, start + len(needle)))
        start = text.find(needle, start + 1)
    return found


def _agreeing(one: str, other: str) -> int:
    """How many characters both begin with."""
    size = min(len(one), len(other))
    return next((place for place in range(size) if one[place] != other[place]), size)


@lru_cache(maxsize=4)
def _squeezed(text: str) -> str:
    """The text in small letters, without what may stand between the characters of a secret."""
    return text.translate(_DROPPED).lower()


@lru_cache(maxsize=4)
def _unmarked(squeezed: str) -> str:
    return _MARK.sub("", squeezed)


def _spread(needles: Iterable[str], squeezed: str, joint: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the needles that the squeezed text has stand in the text, with joints between their characters."""
    for needle in needles:
        if needle in squeezed:
            for found in _jointed(needle, joint).finditer(text):
                yield found.span()


@lru_cache(maxsize=64)
def _jointed(needle: str, joint: str) -> re.Pattern[str]:
    return re.compile(joint.join(map(re.escape, needle)), re.IGNORECASE)


def _characters(secret: str) -> Iterator[str]:
    """A pattern for each character, and one for each run of backslashes, which could match in many ways."""
    for piece in re.findall(r"\\{2,}|.", secret, re.DOTALL):
        if len(piece) == 1:
            yield _character(piece)
        else:
            escaped = r"\\{1,15}(?:[uU]0{0,6}|x)5[cC]"
            other = rf"(?:{escaped}|%(?:25){{0,5}}5[cC]|&#(?:0{{0,6}}92|[xX]0{{0,6}}5[cC]);|=5C){{{len(piece)}}}"
            yield rf"(?:(?:\\(?:=\r?\n)?){{{len(piece)},{16 * len(piece)}}}|{other})"


def _character(char: str) -> str:
    """A pattern for one character, as it is or as JSON, a URL, HTML and Python's `repr` may write it."""
    code = ord(char)
    ways = (
        [re.escape(char), rf"\\{{1,15}}[uU]0{{0,6}}{_hex(code)}", rf"\\{{1,15}}x{_hex(code)}"]
        if code < 0x10000
        else [re.escape(char)]
    )
    ways.append("".join(rf"%(?:25){{0,5}}{_hex(byte)}" for byte in char.encode()))
    ways.append(rf"&#(?:0{{0,6}}{code}|[xX]0{{0,6}}{_hex(code)});")
    if char == " ":
        ways.append(r"\+")
    ways += [rf"={byte:02X}" for byte in char.encode()] if code < 0x80 else []  # quoted-printable
    if char in "/~":
        ways.append({"/": "~1", "~": "~0"}[char])  # in a JSON pointer
    if char in "\\/\"'\n\t":
        ways.append(r"\\{1,15}" + {"\n": "n", "\t": "t"}.get(char, re.escape(char)))
    named = {"&": "amp", "<": "lt", ">": "gt", '"': "quot"}.get(char)
    if named:
        ways.append(f"&{named};")
    return f"(?:{'|'.join(ways)})"


def _hex(code: int) -> str:
    return "".join(f"[{each}{each.upper()}]" if each.isalpha() else each for each in f"{code:02x}")


def _hex_cores(secret: str) -> Iterator[str]:
    yield from (secret.encode(name).hex() for name in _ENCODINGS)


def _other_cores(secret: str) -> Iterator[str]:
    """The characters of base32 and of both base85 that come from the secret alone, for each place of its beginning."""
    content = secret.encode()
    for shift in range(5):
        encoded = base64.b32encode(b"\0" * shift + content).decode().rstrip("=")
        yield encoded[-(-shift * 8 // 5) : (shift + len(content)) * 8 // 5]
    for shift in range(4):
        whole = content[(4 - shift) % 4 :]
        whole = whole[: len(whole) - len(whole) % 4]
        yield from (base64.b85encode(whole).decode(), base64.a85encode(whole).decode())


def _base64_cores(secret: str) -> Iterator[str]:
    """The same for base64, also of UTF-16; `-` and `_` of URLs are dropped where texts are squeezed."""
    for content in (secret.encode(name) for name in _ENCODINGS):
        for shift in range(3):
            encoded = base64.b64encode(b"\0" * shift + content).decode().rstrip("=")
            core = encoded[-(-shift * 8 // 6) : (shift + len(content)) * 8 // 6]
            yield core
            yield core.replace("+", "").replace("/", "")
