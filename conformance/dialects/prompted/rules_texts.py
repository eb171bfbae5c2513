"""What must hold of the tags: in the system message, in earlier turns, and in the model's reply."""

from __future__ import annotations

from conformance.dialects.prompted.passages import earlier_calls, form, form_tags, history, records, reply, tool_list
from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.dialects.text.forms import never, not_both, some
from conformance.dialects.text.rows import row
from conformance.model.finding import Severity

_PAIRS = "tags in pairs"
_CALL = "name and arguments, flat or in function_call"

# The system message --------------------------------------------------------------------------------------------------
row(
    "prompted-format-missing",
    "PFC-Q-001",
    form,
    some("form", "the system message does not show the form of a call", f"{OPEN} with name and arguments, closed"),
    requirement="The system message must show the form of a call: the tags, with name and arguments between them.",
    why="Otherwise the model invents a form, which no parser expects.",
)
row(
    "prompted-form-unclosed",
    "PFC-Q-001",
    form_tags,
    never("tag", "the tag {} has no counterpart", _PAIRS),
    severity=Severity.WARNING,
    because="a prompt without any form breaks the statement; this one may show it whole in another place",
    requirement="The tags on lines of their own in the system message must be in pairs.",
    why="The model copies the form: if it writes only one tag of a pair, no client finds its calls.",
)
row(
    "prompted-tool-list-invalid",
    "PFC-Q-001",
    tool_list,
    never("no list", "the tool list is not valid JSON: {}", "a JSON array of tools, or one object per line"),
    never("incomplete tool", "a tool in the list has no name or no schema", "name and parameters"),
    requirement="A tool list in JSON must be an array, or an object on each line; each tool must have a name and a "
    "schema.",
    why="If the model cannot read a tool, it calls it wrongly, or invents one.",
)
row(
    "prompted-tool-list-missing",
    "PFC-Q-001",
    form,
    some("tool", "the system message shows the form of a call but names no tool", "the tools by name", given="form"),
    needs_complete=True,
    severity=Severity.WARNING,
    because="the tools may be named in a message of another role, or in words without a name to recognise",
    requirement="The system message must name the tools that can be called.",
    why="The model knows the form but not the tools, and invents them.",
)

# Earlier turns -------------------------------------------------------------------------------------------------------
row(
    "prompted-record-incomplete",
    "PFC-C-001",
    records,
    never("half a record", "a record lacks name, arguments or response", "name, arguments, response"),
    requirement="Every record of a call must have the tool's name, the arguments and the response.",
    why="Without ids, only the name ties a result to its call.",
)
row(
    "prompted-history-block-malformed",
    "PFC-R-002",
    history,
    never(("no JSON", "no call"), "a block in the history is malformed: {}", "a closed block with a call"),
    never("nested", "a block in the history is opened twice", "a closed block with a call"),
    never(("open", "open at the end"), "a block in the history is not closed", "a closed block with a call"),
    never("orphan", "a closing tag in the history has no opening tag", "a closed block with a call"),
    severity=Severity.WARNING,
    because="the statement is about what a model writes; DeepChat keeps a block that it cannot read as text",
    requirement="Every block of earlier turns must be closed and contain a readable call or record.",
    why="The model imitates the calls in its history, and may miss the result.",
)
row(
    "prompted-history-json-invalid",
    "PFC-R-003",
    earlier_calls,
    never("repaired", "a call is JSON only after repair", "valid JSON"),
    requirement="The calls of earlier turns must be sent back as JSON that needs no repair.",
    why="The model imitates its earlier turns, and keeps writing trailing commas, which a strict parser refuses.",
)

# The reply -----------------------------------------------------------------------------------------------------------
row(
    "prompted-tags-unclosed",
    ["PFC-R-001", "PFC-S-004"],
    reply,
    never("orphan", "a closing tag has no opening tag", _PAIRS),
    never("nested", "a block begins inside another block", _PAIRS),
    never("open", "a block is not closed", CLOSE),
    never("open at the end", "a block is not closed", CLOSE, severity=Severity.WARNING),
    requirement="Every opening tag must have a closing tag, and blocks must not be nested.",
    why="Parsers that look for pairs of tags read two calls as one, or find no call.",
)
row(
    "prompted-argument-tag-unexpected",
    "PFC-R-001",
    reply,
    never("tag inside", "a string in a block contains a tag", "an escaped <"),
    requirement=r"A string in a block must not contain one of the tags; write `\u003c` for `<`.",
    why="Parsers search for tags as plain text: a closing one ends the block in the middle of the string, and DeepChat "
    "removes an opening one from the argument.",
)
row(
    "prompted-block-malformed",
    "PFC-R-002",
    reply,
    never("no JSON", "a block is not valid JSON: {}", "a JSON object"),
    requirement="The text between the tags must be JSON, optionally in a code fence.",
    why="Clients show the block to the user as text, or a repair library guesses its meaning.",
)
row(
    "prompted-json-invalid",
    "PFC-R-003",
    reply,
    never("repaired", "a block is JSON only without its trailing commas", "valid JSON"),
    requirement="The JSON of a block must be valid without repair.",
    why="A parser without a repair library loses the call.",
)
row(
    "prompted-call-invalid",
    "PFC-R-004",
    reply,
    never("no call", "a block has {}", _CALL),
    never("wrapped", "the key around a call is an unknown one", _CALL, severity=Severity.WARNING),
    requirement="A block must have name and arguments, flat or wrapped in `function_call` or `function`.",
    why="Most parsers read no call in another shape; only some accept a wrapper with another name.",
)
row(
    "prompted-arguments-wrong-type",
    "PFC-R-005",
    reply,
    never("untyped", "the arguments of a call are not a JSON object", "an object"),
    requirement="The arguments of a call must be an object, or a string that contains one.",
    why="Tools need named arguments; the values of a list or a sentence have no names.",
)
row(
    "prompted-reply-record-unexpected",
    "PFC-R-006",
    reply,
    never("record", "the model wrote the record of a result", "calls only"),
    requirement="The model must write only calls; the client writes the records of results.",
    why="A record from the model is an invented result; a parser that accepts any wrapper as a call runs it again.",
)
row(
    "prompted-text-around-call-unexpected",
    "PFC-R-007",
    reply,
    not_both("block", "text", "the reply has text beside a call", "calls only"),
    requirement="A reply with calls must have no other content.",
    why="Text after a call is written before its result: the model guessed it, and clients show it anyway.",
)
