"""What is wrong with YAML that people write: the place where the mistake begins, and what to write instead.

The parser reports where it gave up, which may be pages after the mistake. And some words mean in YAML what nobody
meant: a bare `no` is false, `12:30` is the number 750, `2027-01-31` is no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.model.frozen import dataclass

_QUOTE_HINT = "put the text in quotes"
_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class YamlProblem:
    """A mistake at a line and a column, both from 1."""

    line: int
    column: int
    message: str
    hint: str

    @classmethod
    def at(cls, mark: Any, message: str, hint: str) -> YamlProblem:
        """A problem at a mark of the parser."""
        return cls(mark.line + 1, mark.column + 1, message, hint)


def syntax_problem(error: Any, text: str) -> YamlProblem:
    """The problem behind an error of the parser (a `yaml.YAMLError`)."""
    problem, mark, begin = (getattr(error, name, None) for name in ("problem", "problem_mark", "context_mark"))
    if mark is None:
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position)
        column = position - (text.rfind("\n", 0, position) + 1)
        return YamlProblem(line + 1, column + 1, "a character that YAML does not allow", "remove it")
    context = str(getattr(error, "context", "") or "")
    problem = str(problem or "not YAML")
    line_text = dict(enumerate(text.splitlines())).get(mark.line, "")  # the end of the file is on no line
    if "quoted scalar" in context and begin is not None:
        if "escape" in problem or "unknown" in problem:
            return YamlProblem.at(
                mark, "a backslash that does not begin an escape", "write `\\\\`, or use single quotes"
            )
        return YamlProblem.at(begin, "the quote that begins here is not closed", "close it at the end of the text")
    return _after_a_token(text, mark) or _known(problem, context, mark, begin, line_text)


def _known(problem: str, context: str, mark: Any, begin: Any, line: str) -> YamlProblem:
    here = line[mark.column : mark.column + 1]
    if "\\t" in problem or here == "\t":
        return YamlProblem.at(mark, "a tab in the indentation", "indent with spaces")
    if "cannot start any token" in problem:
        return YamlProblem.at(mark, f"text cannot begin with `{here}`", _QUOTE_HINT)
    if "alias" in problem or "alias" in context or "anchor" in context:
        start = begin if begin is not None and ("alias" in context or "anchor" in context) else mark
        return YamlProblem.at(start, "text cannot begin with `*` or `&`", _QUOTE_HINT)
    if "tag" in problem or "tag" in context:
        return YamlProblem.at(mark, "text cannot begin with `!`", _QUOTE_HINT)
    if "mapping values are not allowed" in problem:
        return _colon(mark, line)
    if "could not find expected ':'" in problem and begin is not None:
        return YamlProblem.at(begin, "neither a key nor an item", "write `key: value`, with a space after the colon")
    if re.match(r"expected ',' or '[\]}]'", problem) and begin is not None:
        bracket = "[" if "]" in problem else "{"
        hint = f"close it with `{']' if bracket == '[' else '}'}`; text that begins with `{bracket}` must be in quotes"
        return YamlProblem.at(begin, f"the `{bracket}` that begins here is not closed", hint)
    if "another document" in problem:
        return YamlProblem.at(mark, "a second document begins here", "keep one document in a file; remove `---`")
    if "<stream end>" in problem:
        return YamlProblem.at(mark, "the file ends in the middle of a value", "close its brackets and quotes")
    if "expected <block end>" in problem or "block mapping" in context or "block collection" in context:
        return YamlProblem.at(
            mark, "this line does not fit the indentation of the lines above", "indent it as the lines beside it"
        )
    return YamlProblem.at(mark, problem, "correct the syntax at this place")


def _colon(mark: Any, line: str) -> YamlProblem:
    """A colon after a value: in the middle of a text, or of a key that is indented too far."""
    key = re.match(r"(\s*)(?:- +)*[^\s:][^:]*$", line[: mark.column])
    if key and not re.search(r":\s", line[: mark.column]):
        column = len(line) - len(line.lstrip())
        return YamlProblem(
            mark.line + 1,
            column + 1,
            "a key in the middle of the value above it",
            "indent it as the keys beside it, and write a space after each key's colon",
        )
    return YamlProblem.at(mark, "a text contains `: `", _QUOTE_HINT)


def _after_a_token(text: str, mark: Any) -> YamlProblem | None:
    """A value that ended before its text did: the quote or the brace before the place where the parser stopped."""
    import yaml

    last: Any = None
    braces: list[Any] = []
    try:
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if token.end_mark.index > mark.index:
                break
            if isinstance(token, yaml.FlowMappingStartToken):
                braces.append(token)
            elif isinstance(token, yaml.FlowMappingEndToken) and braces:
                last = braces.pop()
                last.end_mark = token.end_mark
            elif isinstance(token, yaml.ScalarToken):
                last = token
    except yaml.YAMLError:
        pass
    if last is None or last.end_mark.line != mark.line or text[last.end_mark.index : mark.index].strip():
        return None
    if isinstance(last, yaml.FlowMappingStartToken):
        return YamlProblem.at(last.start_mark, "text cannot begin with `{`", _QUOTE_HINT)
    if getattr(last, "style", None) not in ("'", '"'):
        return None
    if last.start_mark.line != last.end_mark.line:
        message = f"the quote that begins here is not closed before line {last.end_mark.line + 1}"
        return YamlProblem.at(last.start_mark, message, "close it at the end of the text")
    hint = f"write {last.style * 2 if last.style == chr(39) else chr(92) + last.style} for a quote inside the text"
    return YamlProblem.at(last.start_mark, "there is text after the closing quote of the text that begins here", hint)


def meaning_problems(node: Any, *, dates: bool = False) -> Iterator[YamlProblem]:
    """Valid YAML with another meaning than it seems to have, in the order of the file; also dates, unless allowed."""
    yield from _walk(node, (), frozenset({f"{_TAG}timestamp"} if dates else ()))


def contains_itself(node: Any) -> YamlProblem:
    """The problem of a value that has an alias of itself in it."""
    return YamlProblem.at(node.start_mark, "this value contains itself", "remove the `*` that refers to it")


def _walk(node: Any, above: tuple[int, ...], allowed: frozenset[str]) -> Iterator[YamlProblem]:
    import yaml

    if id(node) in above:
        yield contains_itself(node)
        return
    inside = (*above, id(node))
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                yield YamlProblem.at(key.start_mark, "a key that is not a string", _QUOTE_HINT)
                continue
            if key.tag not in (f"{_TAG}str", f"{_TAG}merge"):
                yield YamlProblem.at(key.start_mark, f"the key {key.value} is not a string", f'write "{key.value}"')
            if key.value in seen:
                message = f"the key `{key.value}` is here twice, first in line {seen[key.value]}"
                yield YamlProblem.at(key.start_mark, message, "keep one of them")
            seen[key.value] = key.start_mark.line + 1
            yield from _walk(value, inside, allowed)
    elif isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _walk(each, inside, allowed)
    elif isinstance(node, yaml.ScalarNode) and not node.style and node.tag not in allowed:
        yield from _scalar(node)


def _scalar(node: Any) -> Iterator[YamlProblem]:
    """An unquoted word that is not a string."""
    kind, word = node.tag.removeprefix(_TAG), node.value
    if kind.startswith("!"):
        yield YamlProblem.at(node.start_mark, "text cannot begin with `!`", _QUOTE_HINT)
    elif kind == "timestamp":
        yield YamlProblem.at(node.start_mark, f"{word} is a date, which JSON does not have", f'write "{word}"')
    elif kind == "bool" and word.lower() not in ("true", "false"):
        read = "true" if word.lower() in ("yes", "on", "y") else "false"
        yield YamlProblem.at(node.start_mark, f"YAML reads {word} as {read}", f'write "{word}" for the text, or {read}')
    elif kind in ("int", "float") and ":" in word:
        yield YamlProblem.at(node.start_mark, f"YAML reads {word} as a number of base 60", f'write "{word}"')
    elif kind == "int" and re.fullmatch(r"[-+]?0\d+", word):
        read = str(int(word, 8))
        yield YamlProblem.at(
            node.start_mark, f"YAML reads {word} as the number {read}", f'write "{word}" for the text, or {read}'
        )
    elif kind == "float" and re.search(r"\.(?:nan|inf)$", word, re.IGNORECASE):
        yield YamlProblem.at(node.start_mark, f"{word} is not a JSON number", "write a number, or a text in quotes")
    elif kind not in ("str", "int", "float", "bool", "null", "merge"):
        yield YamlProblem.at(node.start_mark, f"{word} is not a JSON value", _QUOTE_HINT)
