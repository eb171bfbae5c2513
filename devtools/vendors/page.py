"""The table of what providers document otherwise, as Markdown: `make tables`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from devtools.vendors.written import DIALECT, DIFFERENCES, FOLDER

_SHOWN = 12
_ABOUT = """# What providers document otherwise

Where the SDK or the server of a provider has another Chat Completions than OpenAI's, from `specs/documented`;
`make tables` writes this page. *adds*: fields, values and kinds that only the provider has. *lacks*: what only OpenAI
has. *type*, *values*, *range*: what the provider has otherwise. *limit*: what only OpenAI limits. *required*: what only
one of the two demands. *relation*: fields that are refused together, or one without the other.
"""


def page() -> Iterator[str]:
    """The lines of the page."""
    found = {file.stem: json.loads(file.read_bytes()) for file in sorted(FOLDER.glob("*.json"))}
    yield _ABOUT
    yield f"| profile | document | read | {' | '.join(DIFFERENCES)} |"
    yield f"| --- | --- | --- |{' ---: |' * len(DIFFERENCES)}"
    for name, each in found.items():
        counts = Counter(row["difference"] for row in each["rows"][DIALECT])
        numbers = " | ".join(str(counts[difference]) for difference in DIFFERENCES)
        yield f"| [{name}](#{name}) | {each['document']} {each['version']} | {each['read']} | {numbers} |"
    for name, each in found.items():
        yield f"\n## {name}\n"
        yield from _of_provider(each["rows"][DIALECT])


def _of_provider(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """The fields of requests, and how many rows there are of each body and difference."""
    yield "| | request | reply | chunk | error |\n| --- | ---: | ---: | ---: | ---: |"
    for difference in DIFFERENCES:
        subjects = Counter(row["at"].split(" ")[0] for row in rows if row["difference"] == difference)
        if subjects:
            numbers = " | ".join(str(subjects[each] or "") for each in ("request", "reply", "chunk", "error"))
            yield f"| {difference} | {numbers} |"
    for difference in ("adds", "lacks"):
        places = [row["at"] for row in rows if row["difference"] == difference and row["at"].count("/") == 1]
        names = [f"`{each.partition('/')[2]}`" for each in places if each.startswith("request ")]
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            yield f"\nA request {difference}: {', '.join(names[:_SHOWN])}{more}."


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()) + "\n")
