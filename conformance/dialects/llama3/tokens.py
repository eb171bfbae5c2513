"""The special tokens in their text form."""

from __future__ import annotations

import re

from conformance.dialects.text.scan import shielded

BEGIN = "<|begin_of_text|>"
HEADER, HEADER_END = "<|start_header_id|>", "<|end_header_id|>"
EOM, EOT = "<|eom_id|>", "<|eot_id|>"
TAG = "<|python_tag|>"
IMAGE = "<|image|>"
ENDS = (EOM, EOT)
SPECIAL = (BEGIN, HEADER, HEADER_END, EOM, EOT, TAG, "<|end_of_text|>")
NUMBERS = {EOM: 128008, EOT: 128009}
"""The numbers of the end tokens, which some servers report as the stop reason."""

BUILT_IN = ("brave_search", "wolfram_alpha")
"""The tools that the model was trained to call as Python."""
CODE = "code_interpreter"

_NAMES = "begin_of_text|end_of_text|start_header_id|end_header_id|eom_id|eot_id|python_tag"
_MISSPELT = re.compile(rf"<(?:{_NAMES})>|<\|(?:{_NAMES})>|<(?:{_NAMES})\|>")


def misspelt(text: str) -> str | None:
    """The first token of the text that lacks a bar."""
    found = _MISSPELT.search(text)
    return found[0] if found else None


def harmless(json_text: str) -> str:
    """JSON text without tokens: the text of one inside a string is written with an escape."""
    return shielded(json_text, ("<|",))


def end_of(text: str) -> str | None:
    """The end token that the text ends with."""
    return next((end for end in ENDS if text.endswith(end)), None)
