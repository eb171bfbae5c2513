"""Finds the secrets in a text as spans: in JSON at any depth, in event streams, in base64, in prose."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from urllib.parse import unquote

from conformance.cassette import compressed, fragments
from conformance.cassette.encodings import Spellings
from conformance.cassette.jsonspans import Edit, Leaf, Path, apply, leaves
from conformance.cassette.secretkinds import is_placeholder, kinds_in
from conformance.cassette.secretnames import Holder, held, literals, names_server, path_spans, query_holder
from conformance.model import jsontext
from conformance.model.lines import looks_like_lines
from conformance.model.sse import looks_like_events
from conformance.model.transcript import Malformed

StandIn = Callable[[str, Holder], str]
"""Makes the replacement of a secret, from the secret and the field that contains it."""

_DEEPEST = 6
_SHORT, _MOST_CLEAN = 256, 16_384
_LINE = re.compile(r"^(?:(data|id|event|retry|):[ ]?)?(.*?)\r?$", re.MULTILINE)
"""A line of an event stream; a comment has an empty field name, a line of newline-delimited JSON none."""
SCHEME = re.compile(r"(?i)(bearer|basic|token|aws4-hmac-sha256)\s+(?=\S)")
_PARAMETER = re.compile(r"(?:[?&;]|\\u0026|^)([A-Za-z][\w.%-]{1,40})=([^&\s\"'<>#\\]+)")
_PAIR = re.compile(
    r"""(?<!\\)(?P<q>\\{0,15}["'])(?P<name>[A-Za-z][\w .-]{1,60}?)(?P=q)\s*(?::|=>?)\s*"""
    r"""b?(?P<w>\\{0,15}["'])(?P<value>.*?)(?:(?<!\\)(?P=w)|…|$)"""
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?![A-Za-z0-9+/_=-])")
_PATH = re.compile(r"[a-z+]{2,8}://[^/?#\s]*(/[^?#\s]*)")
_OPEN = ("{", "[")
_PART = re.compile(r"[^/]{24,}")

_ZIPPED = re.compile(r"H4sI[A-Za-z0-9+/_-]{20,}={0,2}")
"""Base64 of gzip, which also begins within other text, such as a path."""


@lru_cache(maxsize=512)
def _spellings(secret: str) -> Spellings:
    """The spellings of a secret: many texts are searched for the same one, each by a `Finder` of its own."""
    return Spellings(secret)


class Finder:
    """Finds given secrets and, by `specs/secrets.yaml`, values that look like one or have the name of one."""

    def __init__(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._known: dict[str, Spellings] = {}
        self._clean: dict[str, int] = {}
        """Short texts without a secret, each with the depth at which that was found. Streams repeat theirs."""

    def know(self, secret: str) -> None:
        """From now on, the secret is found in every form."""
        if secret not in self._known:
            self._known[secret] = _spellings(secret)
            self._clean.clear()

    @property
    def known(self) -> tuple[str, ...]:
        return tuple(self._known)

    def redacted(self, text: str, path: Path = ()) -> str:
        """The text with each secret replaced."""
        return apply(text, self.edits(text, path))

    def edits(self, text: str, path: Path = (), depth: int = 0) -> list[Edit]:
        """The edits of a text; `path` are the names above it, if it is in JSON."""
        if not text or depth > _DEEPEST:
            return []
        head = text[:200].lstrip()[:1]
        if head in ("{", "[", '"') and _is_json(text):
            return self._in_leaves(list(leaves(text)), path, depth)
        if depth == 0 and looks_like_events(text):
            return self._events(text)
        if depth == 0 and looks_like_lines(text):
            return [*self._events(text), *self._prose(text, path, depth)]  # some are no lines, but values of many
        return self._prose(text, path, depth)

    def _in_leaves(self, found: Sequence[Leaf], path: Path, depth: int) -> list[Edit]:
        return [*self._neighbours(found), *(edit for leaf in found for edit in self._leaf(leaf, path, depth))]

    def _neighbours(self, found: Sequence[Leaf]) -> Iterator[Edit]:
        """The known secrets that are cut into neighbouring strings of a list."""
        if not self._known:
            return
        lists: dict[Path, list[tuple[int, Leaf]]] = {}
        for leaf in found:
            if leaf.kind == "string" and leaf.path and isinstance(leaf.path[-1], int):
                lists.setdefault(leaf.path[:-1], []).append((0, leaf))
        for pieces in lists.values():
            if len(pieces) > 1:
                joined = fragments.Joined(pieces)
                yield from joined.split(self._across(joined.text))

    def _leaf(self, leaf: Leaf, above: Path, depth: int) -> Iterator[Edit]:
        path = (*above, *leaf.path)
        value = leaf.value
        if leaf.kind == "word":
            if value[:1] in "-0123456789" and value not in ("0", "-") and _named(path) and held(path, value):
                yield Edit(leaf.start, leaf.end, "0")
            return
        holder = held(path, value) if leaf.kind == "string" else None
        inner = self.edits(value, path, depth + 1) if holder is None else [self._whole(value, holder)]
        if leaf.kind == "string" and path and isinstance(path[-1], str) and names_server(path[-1]):
            inner += self._in_path(value)
        for edit in inner:
            start, end = leaf.place(edit.start, edit.end)
            yield Edit(start, end, edit.new)

    def _in_path(self, url: str) -> Iterator[Edit]:
        """The edits of the path of a server's URL."""
        found = _PATH.match(url)
        if found is None:
            return
        for start, end in path_spans(found[1]):
            first = found.start(1) + start
            yield Edit(first, first + end - start, self._stand_in(found[1][start:end], "secret"))

    def _whole(self, value: str, holder: Holder) -> Edit:
        """A value that is a secret altogether, but for the scheme of a credential."""
        scheme = SCHEME.match(value)
        start = scheme.end() if scheme else 0
        return Edit(start, len(value), self._stand_in(value[start:], holder))

    def _events(self, text: str) -> list[Edit]:
        found: list[Edit] = []
        fields = [("line" if each[1] is None else each[1], each.start(2), each[2]) for each in _LINE.finditer(text)]
        for plain in fragments.plain(fields):
            found += plain.split(self._across(plain.text))
        lines = [(start, line, list(leaves(line)) if line[:1] in _OPEN else []) for _, start, line in fields if line]
        for piece in fragments.joined((start, parts) for start, _, parts in lines):
            # First, for a piece may by itself look like another secret, or be a piece of a known one.
            found += piece.split(self.edits(piece.text, piece.path, 1))
        found += self.given(text)
        for offset, line, parts in lines:
            edits = self._in_leaves(parts, (), 1) if parts and _is_json(line) else self.edits(line, depth=1)
            found += [Edit(offset + each.start, offset + each.end, each.new) for each in edits]
        return found

    def _across(self, text: str) -> Iterator[Edit]:
        """The edits of a text that is joined from lines or strings of their own: most forms could arise by joining."""
        yield from self.given(text)
        for kind in kinds_in(text):
            if kind.many_lines:
                for start, end in kind.spans(text):
                    yield Edit(start, end, self._stand_in(text[start:end], "secret"))
        for run in _runs(text):
            yield from self._in_run(run, 1)

    def _prose(self, text: str, path: Path, depth: int) -> list[Edit]:
        if self._clean.get(text, _DEEPEST + 1) <= depth:
            return []
        found = self._sought(text, path, depth)
        if not found and len(text) <= _SHORT and '"' not in text and "'" not in text:  # else its path could matter
            if len(self._clean) >= _MOST_CLEAN:
                self._clean.clear()
            self._clean[text] = depth
        return found

    def _sought(self, text: str, path: Path, depth: int) -> list[Edit]:
        found = self.given(text)
        for kind in kinds_in(text):
            for start, end in kind.spans(text):
                value = text[start:end]
                new = kind.stand_in if kind.stand_in != "REDACTED" else self._stand_in(value, "secret")
                found.append(Edit(start, end, new))
        if "=" in text:
            for each in _PARAMETER.finditer(text):
                holder = query_holder(unquote(each[1]), each[2])
                if holder is not None and not is_placeholder(each[2]):
                    found.append(Edit(*each.span(2), self._stand_in(unquote(each[2]), holder)))
        if '"' in text or "'" in text:
            for each in _PAIR.finditer(text):
                holder = held((*path, each["name"]), each["value"]) if each["value"] else None
                if holder is not None:
                    whole, start = self._whole(each["value"], holder), each.start("value")
                    found.append(Edit(start + whole.start, start + whole.end, whole.new))
        found += [Edit(*span, self._stand_in(text[slice(*span)], "secret")) for span in literals(text)]
        for run in _runs(text):
            found += self._in_run(run, depth)
        return found

    def _in_run(self, run: re.Match[str], depth: int) -> Iterator[Edit]:
        """The edit of a base64 text; or those of its parts, if it is a path with base64 in it."""
        decoded = self._decoded(run[0], depth)
        if decoded is not None:
            yield Edit(*run.span(), decoded)
        elif "/" in run[0]:
            for part in _PART.finditer(run[0]):
                decoded = self._decoded(part[0], depth)
                if decoded is not None:
                    yield Edit(run.start() + part.start(), run.start() + part.end(), decoded)

    def given(self, text: str) -> list[Edit]:
        return [
            Edit(start, end, self._stand_in(secret, "secret"))
            for secret, spellings in self._known.items()
            for start, end in spellings.spans(text)
        ]

    def _decoded(self, run: str, depth: int) -> str | None:
        """A base64 text without the secrets in its decoded form, as base64 again; None if it has none."""
        if depth >= _DEEPEST:
            return None
        urlsafe = "-" in run or "_" in run
        bare = run.rstrip("=")
        try:
            content = base64.b64decode(bare + "=" * (-len(bare) % 4), b"-_" if urlsafe else b"+/", validate=True)
        except (binascii.Error, ValueError):
            return None
        changed = compressed.edited(content, lambda text: apply(text, self.edits(text, depth=depth + 1)))
        if changed == content:
            return None
        if is_placeholder(word := changed.decode("latin-1")):
            return word
        encoded = (base64.urlsafe_b64encode if urlsafe else base64.b64encode)(changed).decode()
        return encoded if run.endswith("=") or not len(bare) % 4 else encoded.rstrip("=")


def _is_json(text: str) -> bool:
    return not isinstance(jsontext.parse(text), Malformed)


def _runs(text: str) -> Iterator[re.Match[str]]:
    """What may be base64."""
    yield from _BASE64.finditer(text)
    if "H4sI" in text:
        yield from _ZIPPED.finditer(text)


def _named(path: Sequence[str | int]) -> bool:
    """Whether a number here can be a secret: a password may be one, a session's number is not."""
    return bool(path) and isinstance(path[-1], str) and "pass" in path[-1].lower()
