"""The rules in `texts.yaml`."""

from conformance.dialects.rewoo import passages
from conformance.dialects.text.forms import add_texts

add_texts(__file__, __name__, passages)
