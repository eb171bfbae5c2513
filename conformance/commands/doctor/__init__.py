"""Show what is installed, what can be driven, and what is set up.

These are versions, the clients that can be driven, configuration, folders, and which keys are set. It sends nothing,
and shows no key. The exit code is 1 if there is a problem.

Example: conformance doctor
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.groups import text_or_json_option
from conformance.commands.common.options import option


@dataclass(frozen=True, kw_only=True)
class Options:
    scenario_folders: tuple[str, ...] = option(
        "--scenarios", multiple=True, metavar="DIR", help="Also load these scenarios; repeatable."
    )
    targets: tuple[str, ...] = option(
        "--targets", multiple=True, metavar="FILE", help="File that defines more targets; repeatable."
    )
    format: str = text_or_json_option()
