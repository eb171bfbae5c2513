"""Tool calls in the text of open models: one reader for the markups that `markups.yaml` describes."""

from conformance.dialects.text.markup.grammar import names
from conformance.dialects.text.markup.reader import Call, Event, Fault, Markup, opened_before

__all__ = ["Call", "Event", "Fault", "Markup", "names", "opened_before"]
