"""`python -m devtools.vendors [--write]`: compares `specs/documented` with the documents of the providers.

Prints the rows of each provider by difference. It fails if a file is not what its document has, or an exception fits
nothing; `--write` writes the files.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from devtools.documents.reading import documents
from devtools.vendors import written


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m devtools.vendors", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files")
    given = parser.parse_args()
    found = documents(None, explained=True, vendors=True)
    if not found.vendors:
        sys.stdout.write("no documents: `make documents` installs them\n")
        return 1
    wrong = []
    sys.stdout.write(f"{'':18} {'document':28} {' '.join(f'{each:>8}' for each in written.DIFFERENCES)}\n")
    for vendor in found.vendors:
        left_out: dict[str, int] = {}
        rows = written.of_vendor(vendor, found, left_out)
        counts = Counter(row["difference"] for row in rows)
        numbers = " ".join(f"{counts[each]:8}" for each in written.DIFFERENCES)
        sys.stdout.write(f"{vendor.profile:18} {vendor.document + ' ' + vendor.version:28} {numbers}\n")
        if given.write:
            written.write(vendor, rows)
        known = written.kept(vendor.profile)
        if known.get("version") != vendor.version or known["rows"][written.DIALECT] != rows:
            wrong.append(
                f"{vendor.profile}: not what {vendor.document} {vendor.version} has: `make vendors WRITE=--write`"
            )
        exceptions = json.loads(written.EXCEPTIONS.read_bytes()).get(vendor.profile, {})
        wrong += [f"{vendor.profile}: an exception that fits nothing: {each}" for each in exceptions.keys() - left_out]
    sys.stdout.writelines(f"{each}\n" for each in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
