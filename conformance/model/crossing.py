"""What a dialect can express of a conversation in another one: data for the comparison of a gateway's two sides.

The module `crossing` of a dialect's folder has an attribute `CROSSING`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Crossing:
    """The settings of a dialect, and what it has no form for.

    Attributes:
        settings: Neutral settings (`max tokens`, `temperature`), each with the JSON pointers where a request can have
            it, the usual one first. One that is missing has no form.
        switches: The same for settings whose values differ between dialects: only whether they are set is compared.
        lacks: What it has no form for, with the reason and its evidence: `error-flag`, `reasoning`, `signature`
            (of anything), `call-signature`, `text-signature`, `parallel-flag`, `strict`, `part-order`,
            `broken-arguments` (of a call that is cut off).
        usage_asked_at: Where a request for a stream asks for token counts; None if they always come.
    """

    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    switches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)
    usage_asked_at: str | None = None


NO_CROSSING = Crossing()
