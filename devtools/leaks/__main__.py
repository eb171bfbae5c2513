"""`make secrets`: plants every kind of secret in every spelling at every place, and looks for it in what is written.

Then it plants secrets that only their randomness, their place or the ending of a name shows, and keys in use that are
cut or spelled with characters between.
`python -m devtools.leaks --each 1 --only openai` plants some of them.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from conformance.cassette.compressed import deflated
from conformance.cassette.redact import Redactor
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from conformance.report import FORMATS, open_report
from conformance.report.guarded import Guarded
from devtools.leaks.made import CODED, LOOSE, secrets, spellings
from devtools.leaks.placements import in_use, placed
from devtools.leaks.planted import URL, cassette, coded, written

_LONG = 16
_JOINTS = re.compile(r'\n: |"}}\]}\n\ndata: \{"choices": \[\{"delta": \{"content": "|", "')
"""What `planted` puts between the halves of a text: in comments, in events, in a list."""
OTHER_NAMES = ("google-project", "google-consumer")
"""Known by the name before them, which a dash or an underscore makes another name: `sub_project=`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints each leak, and how many were tried and failed; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=3, help="how many secrets of each kind")
    parser.add_argument("--only", default="", help="only kinds with this text in their name")
    chosen = parser.parse_args(arguments)
    kinds: set[str] = set()
    tried = number = 0
    failed: Counter[str] = Counter()
    for kind, secret, form in secrets(chosen.each):
        if chosen.only not in kind:
            continue
        kinds.add(kind)
        number += 1
        for what, count, leaked in (*_in_use(secret), *_by_form(kind, secret, form), *_reported(secret)):
            tried += count
            if leaked:
                failed[f"{kind}: {what}"] += 1
    for what, times in sorted(failed.items()):
        sys.stdout.write(f"LEAK {what} ({times} times)\n")
    sys.stdout.write(
        f"secrets: {number} of {len(kinds)} kinds in {len(spellings('x' * 20))} spellings: "
        f"{tried} places tried, {sum(failed.values())} failed\n"
    )
    return 1 if (not chosen.only and _placements()) or failed else 0


def _placements() -> int:
    """Plants secrets that no list names, and prints for each group how many were tried and kept; how many were kept."""
    tried: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for each in chain(placed(), in_use()):
        tried[each.group] += 1
        if each.kept:
            kept[each.group] += 1
            sys.stdout.write(f"KEPT {each.group}: {each.name}\n")
    for group, number in tried.items():
        sys.stdout.write(f"  {group}: {number} placements, {kept[group]} kept\n")
    sys.stdout.write(f"placements: {tried.total()} tried, {kept.total()} kept\n")
    return kept.total()


def _in_use(secret: str) -> Iterator[tuple[str, int, bool]]:
    """A secret in use, in each spelling."""
    if len(secret) < 8:
        return
    for name, content in spellings(secret).items():
        if name in LOOSE and len(secret) < _LONG:
            continue
        if name in CODED:
            left = written(coded(content), {secret})
            yield name, 1, secret in _unpacked(left.encode("latin-1", "replace"), name)
            continue
        text = content.decode()
        document, places = cassette(text)
        left = written(document, {secret})
        whole = left + _JOINTS.sub("", left)
        yield name, places, text.strip("/=\n") in whole or secret in whole


def _unpacked(left: bytes, name: str) -> str:
    body = max(left.split(b"\napplication/json"), key=len) if name == "plain" else left
    found = [body.decode("latin-1")]
    for start in range(len(left)):
        piece = left[start:]
        if piece[:2] == b"\x1f\x8b":
            found += _gunzipped(piece)
        elif piece[:2] in (b"\x78\x9c", b"\xff\xfe"):
            found += [_inflated(piece), piece.decode("utf-16", "ignore")]
        elif name == "raw deflate":
            found.append((deflated(piece) or b"").decode("utf-8", "ignore"))
    return "\n".join(found)


def _gunzipped(piece: bytes) -> list[str]:
    try:
        return [gzip.GzipFile(fileobj=io.BytesIO(piece)).read(1 << 16).decode("utf-8", "ignore")]
    except (OSError, EOFError, zlib.error):
        machine = zlib.decompressobj(31)
        try:
            return [machine.decompress(piece).decode("utf-8", "ignore")]
        except zlib.error:
            return []


def _inflated(piece: bytes) -> str:
    try:
        return zlib.decompressobj().decompress(piece).decode("utf-8", "ignore")
    except zlib.error:
        return ""


def _by_form(kind: str, secret: str, form: str) -> Iterator[tuple[str, int, bool]]:
    """A secret that nobody told us of, by its form, next to each character that may stand before it."""
    if kind == "opaque":
        return
    redactor = Redactor(learns=False)
    befores = (" ", "/", "+", "=", ":", '"', "'", "(", "\n", *(() if kind in OTHER_NAMES else ("-", "_")))
    for before in befores:
        yield f"form after {before!r}", 1, secret in redactor.text(f"x{before}{form}\n")


def _reported(secret: str) -> Iterator[tuple[str, int, bool]]:
    """A secret in use in a foreign recording, in the reports of every format, and in an error's text."""
    if len(secret) < 8:
        return
    record = {
        "id": secret,
        "conversation": secret,
        "request": {"method": "POST", "url": URL, "body": {"model": secret, "messages": [{"role": secret}], secret: 1}},
        "response": {
            "status": 200,
            "headers": {"content-type": "application/json"},
            "body": {"id": secret, "choices": [{"index": 0, "finish_reason": secret, "message": {"role": secret}}]},
        },
    }
    exchange = Exchange.of(record, source=f"{secret}.jsonl:1")
    checker = Checker()
    findings = checker.feed(exchange)
    spelled = {secret, json.dumps(secret)[1:-1], secret.replace("/", "~1")}
    for form in FORMATS:
        stream = io.StringIO()
        report = Guarded(open_report(form, stream, verbose=True, quiet=False, cause=None).inner, [secret])
        report.judged(exchange.source)
        for finding in findings:
            report.finding(finding)
        report.close(checker.summary)
        yield f"report {form}", len(findings), any(each in stream.getvalue() for each in spelled)
    checker.summary.harness_errors.clear()


if __name__ == "__main__":
    sys.exit(main())
