"""What a server keeps and shows again, such as a batch or a file: relations between the times that it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conformance.judge.relations.comparisons import has, not_less
from conformance.judge.relations.forms import Form, equal
from conformance.judge.relations.identity import Identity, Refers
from conformance.judge.relations.joins import Matched
from conformance.judge.relations.members import at_least
from conformance.judge.relations.places import beneath
from conformance.judge.relations.rows import Relation


def kept(
    at: str,
    key: str,
    *,
    first: str = "",
    steady: Sequence[str] = (),
    once_set: Sequence[str] = (),
    rising: Sequence[str] = (),
    order: Mapping[str, Sequence[str]] | None = None,
    final: str = "",
    lasting: Sequence[str] = (),
    gone: str = "",
) -> list[Relation]:
    """What is shown at the places `at` is, by its `key`, what was shown in an exchange before, or by one at `first`.

    `steady` fields have the same value each time that they have one, and those `once_set` have it from then on;
    `rising` numbers do not fall; the words of a field come in this `order`. Once a condition (`[status=completed]`) is
    `final`, the fields `lasting` are the same for ever, but for fields of objects that are new. What a place `gone` had
    by the same key is not shown again.
    """
    before = f"{at} | {first}" if first else at
    same: list[Form] = [
        *(equal(f"/that{each}", f"/this{each}") for each in (*steady, *once_set)),
        *(not_less(f"/this{each}", f"/that{each}") for each in rising),
        *(at_least(f"/this{field}", f"/that{field}", words) for field, words in (order or {}).items()),
    ]
    joined = {
        before: same,
        **{beneath(before, f"[{_member(each)}]"): [has(f"/this{each}")] for each in once_set},
        **(
            {beneath(before, final): [equal(f"/that{each}", f"/this{each}", loosely=True) for each in lasting]}
            if final
            else {}
        ),
    }
    made: list[Relation] = [Matched(at, key, to, key, *forms, within="run") for to, forms in joined.items() if forms]
    if gone:
        shown = Identity("object", beneath(before, key))
        made.append(Refers(beneath(at, key), shown, open=True, ended=Identity("end", beneath(gone, key))))
    return made


def _member(path: str) -> str:
    """A path as the key of a condition: `/usage/total` is `usage.total`."""
    return path.strip("/").replace("/", ".")
