"""Shared parts of the rows of Gemini: JSON for protocol buffers, and fields that only one platform has.

In a request the parser accepts camel case and snake case, members of enumerations in any case or as their numbers,
numbers as strings, and one message for a list of them. Replies have camel case, and names of enumerations unless
numbers were asked for.
"""

from __future__ import annotations

import re
from typing import Any

from conformance.contract.nodes import Array, Field, Node, Number, Object
from conformance.contract.notation import *
from conformance.dialects.gemini.contract.places import GOOGLE, OWN, VERTEX

TYPES = "google-genai 3.6 google/genai/types.py"
_INT32 = 2**31

UNKNOWN = refusal("GEM-Q-018")
_ELSEWHERE = refusal("GEM-Q-021")

DURATION = text(pattern=r"-?[0-9]+(\.[0-9]{1,9})?s")
_CELLS = r"(\$?[A-Za-z]{1,3}\$?[0-9]*|\$?[0-9]+)"
CELLS = text(pattern=rf"([^!]+!)?{_CELLS}(:{_CELLS})?")
"""A range of cells in A1 notation, with the name of its sheet or without."""
TIME = text(pattern=r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:]{8}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})")

# Requests ---------------------------------------------------------------------------------------------------------


def sent(*parts: Any, **rows: Field) -> Object:
    """A message of a request, in both spellings; the parser refuses unknown names."""
    return snaked(obj(closed_at(OWN), {"unknown": UNKNOWN}, *parts, **rows))


def enum(*words: str) -> Node:
    """A member of an enumeration in a request."""
    return folded(*words) | integer(0)


def whole(low: int = -_INT32, high: int = _INT32 - 1) -> Number:
    """A 32-bit integer in a request."""
    return quoted(integer(low, high))


def real(low: float | None = None, high: float | None = None) -> Number:
    """A number in a request."""
    return quoted(number(low, high))


def many(node: Node, least: int = 0, most: int | None = None) -> Array:
    """A list of messages in a request; one counts as a list of one (13 recorded for parts, 2 for tools, all 200)."""
    return array(node, least, most, single=True)


def on_vertex(node: Node) -> Field:
    """A field that only Vertex AI has: google-genai does not send it to the Gemini API."""
    return first(may(Foreign("Vertex AI, the only platform with this field"), _ELSEWHERE, only=GOOGLE), may(node))


def on_google(node: Node) -> Field:
    """A field that only the Gemini API has: google-genai does not send it to Vertex AI."""
    return first(may(Foreign("the Gemini API, the only platform with this field"), _ELSEWHERE, only=VERTEX), may(node))


# Replies ----------------------------------------------------------------------------------------------------------

_MISPLACED = cite("GEM-R-031")

COUNT = integer(0)
NUMBER = number() | word("NaN", "Infinity", "-Infinity")


def member(*words: str) -> Node:
    """A member of an enumeration in a reply: by name, or by number if the URL has `enum-encoding=int`."""
    return known(*words) | integer(0)


def of_vertex(node: Node) -> Field:
    """A field that only Vertex AI has in its replies."""
    return first(may(Foreign("Vertex AI, the only platform with this field"), _MISPLACED, only=GOOGLE), may(node))


def of_google(node: Node) -> Field:
    """A field that only the Gemini API has in its replies."""
    return first(may(Foreign("the Gemini API, the only platform with this field"), _MISPLACED, only=VERTEX), may(node))


# Both -------------------------------------------------------------------------------------------------------------


def words_of(prefix: str, words: str) -> tuple[str, ...]:
    """Words with their prefix: `words_of("OUTCOME_", "OK FAILED")`."""
    return tuple(f"{prefix}{each}" for each in re.split(r"\s+", words.strip()))


CATEGORIES = words_of(
    "HARM_CATEGORY_",
    """UNSPECIFIED DEROGATORY TOXICITY VIOLENCE SEXUAL MEDICAL DANGEROUS HARASSMENT HATE_SPEECH SEXUALLY_EXPLICIT
    DANGEROUS_CONTENT CIVIC_INTEGRITY IMAGE_HATE IMAGE_DANGEROUS_CONTENT IMAGE_HARASSMENT IMAGE_SEXUALLY_EXPLICIT
    JAILBREAK""",
)
THRESHOLDS = words_of(
    "", "HARM_BLOCK_THRESHOLD_UNSPECIFIED BLOCK_LOW_AND_ABOVE BLOCK_MEDIUM_AND_ABOVE BLOCK_ONLY_HIGH BLOCK_NONE OFF"
)
VIDEO_LAYERS = ("CONTENT_LAYER_UNSPECIFIED", "FRAMES", "AUDIO", "TRANSCRIPT")
PAGE_LAYERS = ("CONTENT_LAYER_UNSPECIFIED", "PAGE_IMAGE", "PAGE_TEXT")
SHEET_LAYERS = ("CONTENT_LAYER_UNSPECIFIED", "VISUAL", "DATA", "FORMULAS")
MEDIA_PROCESSING = ("MEDIA_PROCESSING_UNSPECIFIED", "STATIC", "AGENTIC")
SCHEDULING = ("SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT")
OUTCOMES = words_of("OUTCOME_", "UNSPECIFIED OK FAILED DEADLINE_EXCEEDED")
LANGUAGES = ("LANGUAGE_UNSPECIFIED", "PYTHON")
SERVER_TOOLS = words_of(
    "",
    """TOOL_TYPE_UNSPECIFIED GOOGLE_SEARCH_WEB GOOGLE_SEARCH_IMAGE URL_CONTEXT GOOGLE_MAPS FILE_SEARCH
    MEDIA_PROCESSING""",
)
