"""List scenarios, cells, rules, profiles and cassettes.

By default: scenarios, dialects, drivers and the matrix of cells.

Example: conformance list --cassettes recordings --max-age 90d
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.groups import CellOptions, text_or_json_option
from conformance.commands.common.options import group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    cells: CellOptions = group(CellOptions)
    rules: bool = option("--rules", is_flag=True, help="List the rules instead of the matrix.")
    profiles: bool = option("--profiles", is_flag=True, help="List the profiles of providers instead of the matrix.")
    cassettes: str | None = option(
        "--cassettes",
        is_flag=False,
        flag_value="",
        metavar="[DIR]",
        help="List cassettes with their source and age; default DIR: the shipped ones.",
    )
    max_age: str | None = option("--max-age", metavar="AGE", help="Exit with 1 if a cassette is older: 90d, 12w, 36h.")
    as_of: str | None = option(
        "--as-of",
        metavar="DATE",
        envvar="CONFORMANCE_AS_OF",
        help="Date to measure ages from; default: today, or CONFORMANCE_AS_OF.",
    )
    format: str = text_or_json_option()
