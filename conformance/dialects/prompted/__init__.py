"""prompted: `<function_call>` tags in plain chat, for models without native tool use.

There is no standard; the layout is DeepChat's (docs/contract/prompted.md). A block holds
`{"function_call": {"name", "arguments"}}`, or one of the other shapes that its parser accepts; results are sent back
as `function_call_record` blocks in user turns. The client makes up the ids; they are never on the wire.
"""

from __future__ import annotations

from conformance.dialects.prompted.claims import HOST, announced
from conformance.dialects.text.dialect import text_dialect
from conformance.dialects.text.raw import RAW_HOST

DIALECT = text_dialect(
    name="prompted",
    prefix="PFC",
    package=__name__,
    host=HOST,
    other_hosts=(RAW_HOST,),
    announced=announced,
    lacks={"tool-choice": "Tools described in text cannot be forced or forbidden."},
    reference_model="gpt-4o-mini",
)
