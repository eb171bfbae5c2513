"""Show what a finding looks like, on a recording in this package.

In it, an agent asks for the weather in two cities, and returns only one of the two results. With --open, the same
report is a page in the browser. It needs no key and no network, and writes nothing into the current folder.

Example: conformance demo --open
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.options import option


@dataclass(frozen=True, kw_only=True)
class Options:
    open: bool = option("--open", is_flag=True, help="Also show the report as a page in the browser.")
