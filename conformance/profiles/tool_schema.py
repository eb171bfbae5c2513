"""Whether arguments are valid under a tool's schema.

Strangers write the schemas, so they run only within bounds: regular expressions in an engine that needs linear time,
and validation after its work was computed (`schema_work`). What exceeds the bounds is not exercised.

The compiled validator is for the frequent check; `jsonschema` explains errors.
"""

from __future__ import annotations

import marshal
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sized_cache import sized_cache
from conformance.profiles.schema_work import Shape, depth_of, length_of, shape_of, size_of, work_of

MOST_WORK = 1_000_000
"""The steps of one validation: some 30 ms."""
MOST_IN_ALL = 30_000_000
"""The steps of all validations of one exchange: some 1 s."""
_EXPLAINED = 4_000
"""The steps of a validation whose errors are explained. Each takes `_EXPLAINING` times longer."""
_EXPLAINING = 1_000
_LONG = 20_000
"""An error repeats the value: this many characters take as long as another step."""
_EXPLAINED_ITEMS = 300
"""The number of values up to which `jsonschema` compares all items with each other."""
_EXPLAINED_DEPTH = 40
_UNEXPLAINED = "", "the arguments are not valid under the schema"
_MESSAGE = 200
_UNEXPECTED = re.compile(r"\('.*' (?:was|were) unexpected\)")
"""The names of properties that no schema allows, as Python writes them."""
_PATTERNS = 500
_PATTERN_LETTERS = 100_000
_LETTER = 30
"""The steps of one regular expression at one character."""
_SMALL, _LARGE = 1 << 18, 1 << 22
r"""The bytes of a compiled regular expression: `[\\\\w.-]{1,128}` has 60 KB, `.{1,4000}` 2 MB."""


class NotExercisedError(Exception):
    """Validation would exceed a bound. The text is the reason."""


class Allowance:
    """The work that the validations of one exchange may still do."""

    def __init__(self, steps: float = MOST_IN_ALL) -> None:
        self._steps = steps

    def spend(self, steps: float) -> bool:
        """Whether there is enough left for the steps; they are then used up."""
        if steps > self._steps:
            return False
        self._steps -= steps
        return True


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A schema that is valid. `validator` is None if it must not run; `shape.refusal` is then the reason.

    `large` is whether its regular expressions need much memory and time.
    """

    validator: Any
    shape: Shape
    large: bool = False


@sized_cache(512)
def _compiled(schema: bytes) -> _Compiled | None:
    """The compiled schema, or None if the schema is not valid or refers outside itself."""
    whole = _loaded(schema)
    shape = shape_of(whole)
    if shape.patterns > _PATTERNS or shape.letters > _PATTERN_LETTERS:
        return _Compiled(None, Shape(None, refusal="the schema has too many or too long regular expressions"))
    small = _linear(whole, _SMALL)
    if small is not None:
        return _Compiled(small, shape)
    if _large(schema) is not None:
        return _Compiled(None, shape, large=True)
    if _validator(whole) is None:  # only compiled, never run: it backtracks
        return None
    return _Compiled(None, Shape(None, refusal="the schema has a regular expression that needs backtracking"))


@lru_cache(maxsize=4)
def _large(schema: bytes) -> Any:
    """The validator of a schema with large regular expressions; few of them are kept."""
    return _linear(_loaded(schema), _LARGE)


def _loaded(schema: bytes) -> Any:
    return marshal.loads(schema)  # noqa: S302 - we dumped it


def _linear(schema: Any, most: int) -> Any:
    """The validator, its regular expressions in linear time and in `most` bytes each; None if that is impossible."""
    import jsonschema_rs  # a tenth of the time of a verdict about one exchange, which may not need it

    return _validator(schema, pattern_options=jsonschema_rs.RegexOptions(size_limit=most, dfa_size_limit=_SMALL))


def _validator(schema: Any, **options: Any) -> Any:
    """The validator; None if the schema is not valid."""
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(schema, retriever=refuse, **options)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


def _dumped(schema: Any) -> bytes | None:
    """The schema's bytes, by which validators are kept: a run sends the same tools repeatedly."""
    try:
        return marshal.dumps(schema, 2)  # version 2 has no references: equal values, equal bytes
    except ValueError:  # nested too deeply, or a value that is not JSON
        return None


def refuse(uri: str) -> Any:
    """Refuses to resolve a `$ref` outside the schema: judging does not use the network."""
    raise ValueError(f"remote reference {uri} is not fetched")


def fits(value: Any, schema: Any) -> bool:
    """Whether the value is valid under the schema; an invalid schema, or one that must not run, allows everything."""
    try:
        admitted = _admitted(value, schema, Allowance())
        return admitted is None or admitted.validator.is_valid(value)
    except NotExercisedError:
        return True
    except ValueError:  # half of a surrogate pair, or the engine's own limit
        return _fits_slowly(value, schema)


def _fits_slowly(value: Any, schema: Any) -> bool:
    try:
        return next(misfits(value, schema), None) is None
    except NotExercisedError:
        return True


def misfits(value: Any, schema: Any, allowance: Allowance | None = None) -> Iterator[tuple[str, str]]:
    """The violations of the schema, as (JSON pointer into the value, what is wrong).

    Raises:
        NotExercisedError: the work of the validation would exceed a bound.
    """
    allowance = allowance or Allowance()
    admitted = _admitted(value, schema, allowance)
    if admitted is None:
        return
    validator, shape, work = admitted
    try:
        if validator.is_valid(value):
            return
        if work > _EXPLAINED:
            work = min(work, work_of(schema, value))
        if not (_explicable(value, work, shape) and allowance.spend(_EXPLAINING * work)):
            yield _first(validator, value)
            return
    except UnicodeEncodeError as error:  # half of a surrogate pair: JSON can escape it, UTF-8 cannot encode it
        if shape.patterns or not _explicable(value, work, shape):
            raise NotExercisedError("the arguments have half of a surrogate pair") from error
    except ValueError as error:  # the engine's own limit
        raise NotExercisedError("the arguments are nested too deeply") from error
    yield from _explained(value, schema)


class _Admitted(NamedTuple):
    """A validation that may run, and the steps that it takes at most."""

    validator: Any
    shape: Shape
    work: float


def _admitted(value: Any, schema: Any, allowance: Allowance) -> _Admitted | None:
    """The validation of a value; None if the schema is not valid.

    Raises:
        NotExercisedError: its work would exceed a bound.
    """
    dumped = _dumped(schema)
    compiled = None if dumped is None else _compiled(dumped)
    if dumped is None or compiled is None:
        return None
    if compiled.shape.refusal is not None:
        raise NotExercisedError(compiled.shape.refusal)
    work = _allowed(value, schema, compiled, allowance)
    return _Admitted(_large(dumped) if compiled.large else compiled.validator, compiled.shape, work)


def _allowed(value: Any, schema: Any, compiled: _Compiled, allowance: Allowance) -> float:
    """The steps that a validation takes at most.

    Raises:
        NotExercisedError: they exceed a bound.
    """
    shape = compiled.shape
    work = math.inf
    if shape.expanded is not None:
        work = shape.expanded * size_of(value, MOST_WORK)
    if work > MOST_WORK:
        work = work_of(schema, value)
    if work > MOST_WORK:
        raise NotExercisedError("the schema and the arguments are too large, or the schema refers to itself too often")
    letters = _LETTER * shape.patterns * length_of(value) if shape.patterns else 0
    if compiled.large and letters > MOST_WORK:
        raise NotExercisedError("the regular expressions of the schema are too large for such long text")
    if not allowance.spend(work + letters):
        raise NotExercisedError("the calls before it took all the work that one exchange may take")
    return work


def _explicable(value: Any, work: float, shape: Shape) -> bool:
    """Whether `jsonschema` explains the errors soon: its regular expressions backtrack, but for `pattern`."""
    size = size_of(value, _EXPLAINED_ITEMS)
    return (
        not shape.named
        and work * (1 + length_of(value) / _LONG) <= _EXPLAINED
        and not (shape.unique and size > _EXPLAINED_ITEMS)
        and depth_of(value) <= _EXPLAINED_DEPTH
    )


def _first(validator: Any, value: Any) -> tuple[str, str]:
    """One error, in the words of the compiled validator."""
    import jsonschema_rs

    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return join("", *error.instance_path), _cut(error.message)
    return _UNEXPLAINED


def _explained(value: Any, schema: Any) -> Iterator[tuple[str, str]]:
    import jsonschema

    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    validator = jsonschema.validators.extend(kind, {"pattern": _pattern})(schema)  # type: ignore[no-untyped-call]
    for error in sorted(validator.iter_errors(value), key=lambda each: [str(step) for step in each.absolute_path]):
        message = error.message.replace(repr(error.instance), brief(error.instance), 1)  # JSON, not Python
        message = _UNEXPECTED.sub(lambda names: names[0].replace("'", "`"), message)
        yield join("", *error.absolute_path), _cut(message)


def _cut(message: str) -> str:
    """A message of a bearable length. The mark at its end shows redaction that a secret may be cut off there."""
    return message if len(message) <= _MESSAGE else f"{message[: _MESSAGE - 1]}…"


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[Exception]:
    """The keyword `pattern` as in `jsonschema`, but in linear time."""
    import jsonschema

    if isinstance(value, str) and not _linear({"pattern": pattern}, _LARGE).is_valid(value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


def is_valid_schema(schema: Any) -> bool:
    """Whether the schema is valid under the meta-schema that it names (2020-12 by default)."""
    dumped = _dumped(schema)
    return dumped is not None and _compiled(dumped) is not None


def wrong_in_schema(schema: Any) -> str:
    """The first thing the meta-schema finds, with its place, or a reference that leads nowhere; empty if unknown."""
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate(schema)
        jsonschema_rs.validator_for(schema, retriever=refuse)
    except jsonschema_rs.ValidationError as error:
        message = error.message.rpartition("ValueError: ")[2]  # of `refuse`
        return f"{join('', *error.instance_path) or 'the schema'}: {_cut(message)}"
    except (ValueError, jsonschema_rs.ReferencingError):  # nested too deeply, or an unknown meta-schema
        pass
    return ""
