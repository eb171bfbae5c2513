"""The names of targets in a folder of cassettes, which older versions wrote without the port."""

from __future__ import annotations

import re
from pathlib import Path

_PORT = re.compile(r"-\d{1,5}")


def stored_target(target: str, folder: Path) -> str:
    """The name under which the folder keeps a target's cassettes.

    It is the target's own name, unless the folder has no cassette of it: then, for `host-port`, the host alone, which
    older versions wrote; and for a host alone, the only `host-port` that there is.
    """
    there = {name for path in folder.rglob("*--*.yaml") for name, dashes, _ in [path.name.partition("--")] if dashes}
    if target in there:
        return target
    host, dash, port = target.rpartition("-")
    if dash and port.isdecimal() and host in there:
        return host
    with_port = [name for name in there if name.startswith(target) and _PORT.fullmatch(name[len(target) :])]
    return with_port[0] if len(with_port) == 1 else target
