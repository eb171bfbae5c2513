"""What must hold of the turns of a prompt, and of the thoughts, the text and the calls of a reply."""

from __future__ import annotations

import re

from conformance.dialects.qwen3.parse import CLOSE, OPEN
from conformance.dialects.qwen3.passages import (
    ROLES,
    earlier_calls,
    earlier_tags,
    not_thinking,
    reply,
    tags,
    thinking,
    tools,
    turns,
)
from conformance.dialects.text.forms import closed, ends_with, never, some
from conformance.dialects.text.rows import row
from conformance.model.finding import Severity

# The frame of a prompt -----------------------------------------------------------------------------------------------
row(
    "qwen3-frame-malformed",
    "QWE-Q-001",
    turns,
    never("outside text", "there is text outside of a turn before turn {}", "one line end"),
    never("without a line end", "the line end after the role of turn {} is missing", "a line end"),
    never("without its end", "turn {} has no end token", "<|im_end|>"),
    requirement="Every turn must be a start token, the role, a line end, the text, an end token and one line end.",
    why="Otherwise the model reads two turns as one, or text that belongs to no turn.",
)
row(
    "qwen3-role-unknown",
    "QWE-Q-001",
    turns,
    never("unknown role", "turn {} has an unknown role", " or ".join(ROLES)),
    requirement="The role of a turn must be system, user or assistant; results of tools belong in a user turn.",
    why="The model was not trained on other roles, and reads them as text.",
)
row(
    "qwen3-turn-line-end-unexpected",
    "QWE-Q-001",
    turns,
    never(
        "assistant",
        "there is a line end before the end token of turn {}",
        "text<|im_end|>",
        matching=re.compile(r"\n\Z"),
    ),
    severity=Severity.WARNING,
    because="the template itself keeps a line end at the end of a text",
    requirement="The end token of a model's turn must follow its text directly.",
    why="The template writes it this way; with a line end before it, the model reads other tokens than it wrote.",
)
row(
    "qwen3-system-misplaced",
    "QWE-Q-001",
    turns,
    never(("tools", "repeated"), "a system turn follows another turn", "one, at the beginning", after="turn"),
    never(
        "system", "a system turn follows another turn", "one, at the beginning", after="turn", severity=Severity.INFO
    ),
    severity=Severity.WARNING,
    because="each turn is complete; the template itself writes a later system message, but no tools and none twice",
    requirement="There should be only one system turn, at the beginning.",
    why="The template writes the tools there; the model may read a later one as a quotation of the user's. A later one "
    "with a text of its own is an info: the template writes those, too.",
)
row(
    "qwen3-prompt-end-wrong",
    "QWE-Q-004",
    turns,
    ends_with("open", "the prompt does not end with an open turn of the model", "<|im_start|>assistant"),
    requirement="The prompt must end with an open turn of the model, with an empty think block if thinking is off.",
    why="Otherwise the model continues the user's turn, or thinks although thinking is off.",
)

# The tools -----------------------------------------------------------------------------------------------------------
row(
    "qwen3-tool-line-invalid",
    "QWE-Q-002",
    tools,
    never("broken", "line {} of the tools is not a tool object", '{"type": "function", "function": {...}}'),
    requirement="Each line between the tools tags must be one complete tool object.",
    why="The model was trained on this form, and reads a list, or an object over several lines, less well.",
)
row(
    "qwen3-instructions-mismatch",
    "QWE-Q-002",
    turns,
    never("other instructions", "the text around the tools is not the template's", "the template's text"),
    severity=Severity.WARNING,
    because="the statement is about the lines between the tags; Qwen-Agent has a second text around them, for code",
    requirement="The system turn's text around the tools must be exactly the template's.",
    why="The model was trained on this text; with other text it calls tools less reliably.",
)

# Earlier turns -------------------------------------------------------------------------------------------------------
row(
    "qwen3-results-misplaced",
    "QWE-C-001",
    turns,
    never("results", "results are in two consecutive turns", "one user turn", right_after="results"),
    requirement="The results of one turn's calls must share one user turn.",
    why="The template writes them in one; a second turn looks like a new message of the user.",
)
row(
    "qwen3-result-tags-malformed",
    "QWE-C-001",
    turns,
    never("half a result", "a result is not between its own tags", "tags in pairs"),
    requirement="Every result must have its own pair of tags.",
    why="Two results without tags between them are one result, and the second call has none.",
)
row(
    "qwen3-result-quotes-unexpected",
    "QWE-C-003",
    turns,
    never("quoted result", "a JSON result is in quotes", "the JSON itself"),
    requirement="A JSON result must be inserted unchanged, without quotes around it.",
    why="In quotes it is a string, or invalid JSON, and the model has to guess the result.",
)
row(
    "qwen3-old-thoughts-unexpected",
    "QWE-C-004",
    turns,
    never("thoughts", "thoughts from before the last question are kept", "no think block", before="question"),
    requirement="Thoughts from before the last question should be dropped.",
    why="The template drops them; the model was not trained on a context with them.",
)
row(
    "qwen3-history-call-malformed",
    ["QWE-R-001", "QWE-R-002"],
    earlier_calls,
    never("broken", "a call in the history is malformed", "a closed call, name and arguments"),
    severity=Severity.WARNING,
    because="the statements are about replies; Qwen-Agent sends back arguments that are no JSON as a string",
    requirement="Every call in the model's earlier turns must be closed JSON with a name and an object of arguments.",
    why="The model imitates the calls in its history; the template itself fails on some of them.",
)
row(
    "qwen3-history-tag-unclosed",
    "QWE-Q-001",
    earlier_tags,
    never("tag", "the tag {} has no counterpart in an earlier turn", "tags in pairs"),
    severity=Severity.WARNING,
    because="the statement is about the frame of a turn, which is complete",
    requirement="The tags in earlier turns must be in pairs.",
    why="The model imitates them in its next call.",
)

# The reply -----------------------------------------------------------------------------------------------------------
row(
    "qwen3-call-unclosed",
    "QWE-R-001",
    reply,
    never("open", "a call is not closed", CLOSE),
    never("open at the end", "a call is not closed", CLOSE, severity=Severity.WARNING),
    requirement="Every call must have its closing tag.",
    why="Some parsers drop the call, others show its text to the user; most still accept the last call of a turn.",
)
row(
    "qwen3-call-malformed",
    "QWE-R-001",
    reply,
    never("no JSON", "a call is not valid JSON: {}", "one JSON object"),
    requirement="The text between a call's tags must be one JSON value.",
    why="Otherwise the user sees the whole block as text, and the tool never runs.",
)
row(
    "qwen3-call-invalid",
    "QWE-R-002",
    reply,
    never("no call", "a call has no valid name or arguments", "name and arguments"),
    requirement="A call must be an object with a string `name` and an object `arguments`.",
    why="Parsers look these two keys up, and fail on others.",
)
row(
    "qwen3-tag-orphaned",
    ["QWE-R-001", "QWE-R-007"],
    tags,
    never("hides a call", "the tag {} has no counterpart", "tags in pairs"),
    never("surplus", "the tag {} has no counterpart", "tags in pairs", severity=Severity.WARNING),
    because="vLLM and Qwen-Agent read a call without its opening tag as text; a think tag (QWE-R-007) is a warning",
    requirement="Every closing tag must have its opening tag.",
    why="Without it, a call is text: the user sees JSON, and the tool never runs. A surplus tag beside a whole call, "
    "or one of thoughts, is a warning: parsers find the call.",
)
row(
    "qwen3-text-after-call-unexpected",
    "QWE-R-004",
    reply,
    never("text", "text follows a call", "the end of the turn", after="call"),
    never("after the end", "text follows the end token", "the end of the turn"),
    requirement="Only further calls may follow a call, and nothing may follow the end token.",
    why="The model continues without the result and invents it; parsers drop the text.",
)
row(
    "qwen3-call-misplaced",
    "QWE-R-005",
    reply,
    never(
        "thought",
        "a call is inside the think block",
        "calls after the think block",
        matching=re.compile(rf"{OPEN}\s*\{{.*{CLOSE}", re.DOTALL),  # the tags alone may be part of a thought
    ),
    severity=Severity.WARNING,
    because="the statement is about readers, and Qwen-Agent and this suite take no call from it",
    requirement="Calls must come after the think block, not inside it.",
    why="A call inside the think block is not a real call: a parser that accepts it runs what the model only "
    "considered.",
)
row(
    "qwen3-think-unclosed",
    "QWE-R-007",
    reply,
    closed("thought", "the think block is not closed", "</think>"),
    requirement="A think block must be closed before the text and the calls.",
    why="Otherwise everything that follows counts as thought, and the calls are lost.",
)
row(
    "qwen3-think-missing",
    ["QWE-R-007", "QWE-Q-004"],
    thinking,
    some("thought", "the reply has no think block", "<think>"),
    because="QWE-Q-004 is about the prompt; the reply does not show which side left the thoughts out",
    requirement="A thinking model must begin with a think block, unless the prompt ends with an empty one.",
    why="The thoughts were stripped on the way, or the prompt is not the template's.",
)
row(
    "qwen3-think-unexpected",
    "QWE-Q-004",
    not_thinking,
    never("thought", "the reply has thoughts although thinking is off", "no think block"),
    severity=Severity.WARNING,
    because="the statement is about the prompt, which has the empty block; parsers drop another one like any thought",
    requirement="A reply to a prompt with an empty think block must not have another one.",
    why="Thinking was disabled to save tokens, and clients do not expect thoughts in the reply.",
)
