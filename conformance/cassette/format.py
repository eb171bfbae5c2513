"""How a cassette looks on disk: vcrpy's version 1 YAML, laid out for people who read pull requests.

Metadata comes first, bodies are literal blocks, and nothing about a body's bytes is changed. A body that a
literal block cannot hold (Gemini streams end their lines with CRLF) is written as a quoted scalar with one line
of the body on each line of the file.
"""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

import yaml
from yaml.emitter import Emitter, ScalarAnalysis
from yaml.representer import SafeRepresenter
from yaml.resolver import Resolver
from yaml.serializer import Serializer


def header(recorder: str) -> str:
    """The first line of a cassette; `recorder` is the command that records it."""
    return f"# Recorded by `{recorder}`; never edit by hand. `conformance show` prints it as a conversation.\n"


_HEADER = header("conformance record")
_ENDLESS = 1 << 30
_END = "...\n"
"""The mark that PyYAML puts after a document that ends with a block whose last line breaks count."""
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_SPECIAL = re.compile("[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What PyYAML allows only in double quotes."""
_LONG = 1 << 12
_ORDER = {
    "cassette": ("version", "metadata", "interactions"),
    "interaction": ("request", "response"),
    "request": ("method", "uri", "headers", "body"),
    "response": ("status", "headers", "body"),
}


class _Dumper(Emitter, Serializer, SafeRepresenter, Resolver):
    """PyYAML's safe dumper in Python, with long lines kept and quoted text broken where the text breaks."""

    def __init__(self, stream: Any) -> None:
        Emitter.__init__(self, stream, width=_ENDLESS, allow_unicode=True)
        Serializer.__init__(self)
        SafeRepresenter.__init__(self, sort_keys=False)
        Resolver.__init__(self)

    def ignore_aliases(self, data: Any) -> bool:
        """Values that occur twice are written twice: a cassette is read by people."""
        return True

    def write_double_quoted(self, text: str, split: bool = True) -> None:  # noqa: FBT001, FBT002 - PyYAML's own signature
        """A quoted scalar that continues on a new line of the file after each line feed of the text."""
        self.write_indicator('"', need_whitespace=True)
        for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", text)):
            escaped = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(line, ensure_ascii=False)[1:-1])
            if number:
                self._write("\\")
                self.write_indent()
                if escaped.startswith(" "):
                    escaped = f"\\{escaped}"
            self._write(escaped)
        self.write_indicator('"', need_whitespace=False)

    def analyze_scalar(self, scalar: str) -> ScalarAnalysis:
        """The same as PyYAML's for a text that is too long to be plain, without looking at each character."""
        if len(scalar) < _LONG:
            return Emitter.analyze_scalar(self, scalar)  # type: ignore[no-any-return]
        quoted = _SPECIAL.search(scalar) is not None or " \n" in scalar
        return ScalarAnalysis(
            scalar=scalar,
            empty=False,
            multiline="\n" in scalar,
            allow_flow_plain=False,
            allow_block_plain=False,
            allow_single_quoted=not quoted,
            allow_double_quoted=True,
            allow_block=not quoted and not scalar.endswith(" "),
        )

    def write_literal(self, text: str) -> None:
        """A block with all its lines at once. Line breaks other than a line feed are never in one (`_represent`)."""
        hints = self.determine_block_hints(text)
        self.write_indicator(f"|{hints}", need_whitespace=True)
        self.open_ended = self.open_ended or hints.endswith("+")
        self.write_line_break()
        lines = text.split("\n")
        space = " " * (self.indent or 0)
        self.stream.write("\n".join(space + line if line else "" for line in lines))
        self.line += len(lines) - 1
        self.column = len(space) + len(lines[-1]) if lines[-1] else 0
        self.whitespace = self.indention = not lines[-1]

    def _write(self, data: str) -> None:
        self.column += len(data)
        self.stream.write(data)


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    return _represent(dumper, text, "|" if "\n" in text else None)


class _Literal(str):
    """A body: always a literal block, even if it is one line."""

    __slots__ = ()


def _represent_literal(dumper: _Dumper, text: _Literal) -> yaml.ScalarNode:
    return _represent(dumper, str(text), "|")


def _represent(dumper: _Dumper, text: str, style: str | None) -> yaml.ScalarNode:
    """YAML has more line break characters than JSON; text with one of those is quoted and escaped."""
    if "\r" in text or _UNSAFE.search(text):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(_Literal, _represent_literal)


def dump(cassette: dict[str, Any], first_line: str = _HEADER) -> str:
    """The text of a cassette, from vcrpy's dictionary form."""
    document = _ordered("cassette", cassette)
    document["interactions"] = [_interaction(each) for each in cassette["interactions"]]
    return first_line + _dumped(document)


def extended(text: str, interaction: dict[str, Any]) -> str:
    """The text of a cassette that has interactions, with another one at its end."""
    return text.removesuffix(_END) + _dumped([_interaction(interaction)])


def _dumped(value: Any) -> str:
    stream = StringIO()
    dumper = _Dumper(stream)
    dumper.open()
    dumper.represent(value)
    dumper.close()
    return stream.getvalue()


def _ordered(kind: str, mapping: dict[str, Any]) -> dict[str, Any]:
    names = [*_ORDER[kind], *(name for name in mapping if name not in _ORDER[kind])]
    return {name: mapping[name] for name in names if name in mapping}


def _interaction(interaction: dict[str, Any]) -> dict[str, Any]:
    interaction = _ordered("interaction", interaction)
    request = _ordered("request", interaction["request"])
    response = _ordered("response", interaction["response"])
    if isinstance(request.get("body"), str):
        request["body"] = _Literal(request["body"])
    body = response.get("body")
    if isinstance(body, dict) and isinstance(body.get("string"), str):
        response["body"] = {**body, "string": _Literal(body["string"])}
    return {**interaction, "request": request, "response": response}
