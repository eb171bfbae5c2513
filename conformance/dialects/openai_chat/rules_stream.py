"""The rules in `faults.yaml`."""

from conformance.dialects.openai_chat.grammar import hits
from conformance.dialects.openai_chunks import Fault
from conformance.judge.rows import add_faults

add_faults(__file__, __name__, Fault, hits)
