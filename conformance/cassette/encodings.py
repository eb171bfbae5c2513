"""Every way in which a known secret can be spelled: escaped, percent-encoded, base64 at any offset, hex, masked."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence

_MASKS = ("*", "...", "…", "•", "●", "xxxx", "XXXX")
_MASK = re.compile(r"[*•●…]+|\.{3,}|x{4,}|X{4,}")
_BEFORE, _AFTER = re.compile(r"[A-Za-z0-9_\-+/=.~]"), re.compile(r"[A-Za-z0-9_\-+/=]*")
_JOINT = r"[\s.,_\-|]"
_AGREEING = 4
"""How many characters of a masked secret have to agree."""
_LONG = 16
"""A shorter secret could be found in other cases, reversed or spaced by chance."""


class Spellings:
    """Finds one secret in a text."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._spelled = re.compile(r"(?:=\r?\n)?".join(_characters(secret)))  # soft breaks of quoted-printable
        self._encoded = tuple(sorted({core for core in _base64_cores(secret) if len(core) >= 8}))
        self._hex = secret.encode().hex()
        self._marks = ("\\", "%", "&", "~", "=", *("+" if " " in secret else ""))
        long = len(secret) >= _LONG
        self._cased = secret.lower() if long else None
        self._reversed = secret[::-1].lower() if long else None
        self._spaced = _spaced(secret) if long else None
        rest = set(_other_cores(secret)) if long else set()
        self._cores = (*self._encoded, *sorted(rest))
        self._shortest = min(len(each) for each in (secret, secret.lower(), *self._cores))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it stands, in whatever form."""
        if len(text) >= self._shortest:
            yield from self._whole(text)
        if any_in(_MASKS, text):
            yield from self._masked(text)

    def _whole(self, text: str) -> Iterator[tuple[int, int]]:
        yield from _occurrences(self._secret, text)
        if any_in(self._marks, text):
            for found in self._spelled.finditer(text):
                yield found.span()
        for core in self._cores:
            yield from _occurrences(core, text)
        lowered = text.lower() if len(text) >= len(self._secret) else ""
        if len(text) >= len(self._hex):
            yield from _occurrences(self._hex, lowered)
        if self._cased is not None and self._reversed is not None and len(lowered) == len(text):
            yield from _occurrences(self._cased, lowered)
            yield from _occurrences(self._reversed, lowered)
        if self._spaced is not None and len(text) >= 2 * len(self._secret) - 1:
            for found in self._spaced.finditer(text):
                yield found.span()

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


def _spaced(secret: str) -> re.Pattern[str] | None:
    """The characters with others between them. Joints in the secret may be any joints: only one way fits."""
    letters = [each for each in re.split(f"({_JOINT}+)", secret.strip(" \t\r\n.,_-|")) if each]
    pattern = ""
    for number, each in enumerate(letters):
        if number % 2:
            pattern += f"{_JOINT}{{{len(each)},{4 * len(each) + 3}}}"
        else:
            pattern += f"{_JOINT}{{1,3}}".join(map(re.escape, each))
    enough = sum(map(len, letters[::2])) >= _LONG // 2
    return re.compile(pattern, re.IGNORECASE) if enough else None


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


def _other_cores(secret: str) -> Iterator[str]:
    """The same for base32 and for both base85."""
    content = secret.encode()
    for shift in range(5):
        encoded = base64.b32encode(b"\0" * shift + content).decode().rstrip("=")
        core = encoded[-(-shift * 8 // 5) : (shift + len(content)) * 8 // 5]
        yield from (core, core.lower())
    for shift in range(4):
        whole = content[(4 - shift) % 4 :]
        whole = whole[: len(whole) - len(whole) % 4]
        yield from (base64.b85encode(whole).decode(), base64.a85encode(whole).decode())


def _base64_cores(secret: str) -> Iterator[str]:
    """The characters of a base64 text that come from the secret alone, for each place where it can begin."""
    content = secret.encode()
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + content).decode().rstrip("=")
        first = -(-shift * 8 // 6)
        last = (shift + len(content)) * 8 // 6
        core = encoded[first:last]
        yield core
        yield core.replace("+", "-").replace("/", "_")
