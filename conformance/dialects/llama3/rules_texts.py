"""What must hold of the messages of a prompt, its tools, and the calls of a reply (docs/contract/llama3.md)."""

from __future__ import annotations

from conformance.dialects.llama3.frame import ROLES
from conformance.dialects.llama3.passages import calls, messages, reply, tools
from conformance.dialects.llama3.tokens import BUILT_IN, ENDS, EOM, EOT, TAG
from conformance.dialects.text.forms import at_most, never
from conformance.dialects.text.rows import row
from conformance.model.finding import Severity

_CALL = '{"name": "…", "parameters": {…}}'
_BREAK = "two line feeds"
_ENVIRONMENT = "Environment: ipython in the system message"

# The messages --------------------------------------------------------------------------------------------------------
row(
    "llama-message-frame-malformed",
    "LLA-Q-002",
    messages,
    never("loose token", "header tokens without a complete header", "a start, a role and an end"),
    never("short break", "{} has fewer than two line feeds after its header", _BREAK),
    never("without its end", "{} has no end token", " or ".join(ENDS)),
    never("long break", "{} begins with an empty line", _BREAK, severity=Severity.WARNING),
    requirement="Every message must be a header, two line feeds, the body and an end token.",
    why="Otherwise the text differs from the training data: messages merge, or the model writes the user's part.",
)
row(
    "llama-system-misplaced",
    "LLA-Q-002",
    messages,
    never("system", "{} follows another message", "one system message, at the beginning", after="message"),
    severity=Severity.WARNING,
    because="the statement is about each message by itself; the documents show one system message and forbid no second",
    requirement="There must be only one system message, at the beginning.",
    why="The model was trained on this order, and follows tools and rules less well if they are elsewhere.",
)
row(
    "llama-body-token-unexpected",
    "LLA-Q-002",
    messages,
    never("token inside", "{} contains an end token", "none"),
    severity=Severity.WARNING,
    because="the message has its header and its end; whether a server reads the inner token as special is not known",
    requirement=r"A message must not contain an end token; in JSON, write it with an escape (`\u003c`).",
    why="The tokenizer treats it as a real one: the author of a tool's result can end the message and begin another.",
)
row(
    "llama-role-unknown",
    "LLA-Q-003",
    messages,
    never("unknown role", "{} has an unknown role", " or ".join(ROLES)),
    requirement="The role of every message must be `system`, `user`, `assistant` or, for a tool's result, `ipython`.",
    why="The model was not trained on other roles, and does not recognise a result under them.",
)
row(
    "llama-message-end-token-wrong",
    "LLA-Q-005",
    messages,
    never("waits for a tool", f"{{}} ends in {EOM}", EOT),
    requirement="Only an assistant message may end in `<|eom_id|>`; all others must end in `<|eot_id|>`.",
    why="The token means that a tool has to run before the turn continues; it has no meaning after other roles.",
)
row(
    "llama-text-between-messages-unexpected",
    "LLA-Q-009",
    messages,
    never("text outside", "there is text {}", "nothing"),
    requirement="There must be no text between an end token and the next header.",
    why="It belongs to no message, and the model was not trained on such text.",
)
row(
    "llama-result-unanswered",
    "LLA-C-001",
    messages,
    never(("user", "system"), "{} follows a result", "the assistant's message", right_after="ipython"),
    requirement="The message after a tool's result must be the assistant's.",
    why="The turn with the call is not complete yet: with a user message in between, the model may ignore its call.",
)

# The tools -----------------------------------------------------------------------------------------------------------
row(
    "llama-tools-line-invalid",
    "LLA-Q-007",
    tools,
    never("other tool", "the `Tools:` line has a name that is not a built-in tool", ", ".join(BUILT_IN)),
    never("no environment", "the `Tools:` line has no environment", "Environment: ipython"),
    requirement="The `Tools:` line must have only built-in tools, and be in a message with `Environment: ipython`.",
    why="The model can call these tools only by their trained names, and only if an environment runs them.",
)
row(
    "llama-function-definition-malformed",
    "LLA-Q-008",
    tools,
    never("broken function", "the description of a function is not valid JSON", "valid JSON"),
    never("incomplete function", "the function {} is incomplete", "a name, a description and parameters"),
    requirement="Every function in the list must be JSON with a name, a description and parameters.",
    why="The model invents what is missing, and a client that parses the list loses the function.",
)

# The reply -----------------------------------------------------------------------------------------------------------
row(
    "llama-text-around-call-unexpected",
    "LLA-R-001",
    reply,
    never("around", "{}", "only a call, or only text"),
    never("before", "{}", "only a call, or only text", severity=Severity.WARNING),
    requirement="A reply must be text, or a call with only its end token.",
    why="Parsers that read the whole reply as the call fail; some accept text before a call.",
)
row(
    "llama-call-form-unexpected",
    ["LLA-R-001", "LLA-R-002"],
    reply,
    never("unasked Python", "the call is in Python, which the prompt does not ask for", _ENVIRONMENT),
    never(
        "unasked tags", "the call is in tags, which the prompt does not ask for", "<function=…> in the system message"
    ),
    never("unasked list", "the call is in a list, which the prompt does not ask for", "a form of Llama 3.1"),
    severity=Severity.WARNING,
    because="the call is sound: the reference parser reads every form, whatever the prompt asks for",
    requirement="A call must have a form that the prompt asks for.",
    why="A client parses only the form that it asked for, and shows another as text.",
)
row(
    "llama-built-in-call-malformed",
    "LLA-R-002",
    reply,
    never("built-in", "{}", f'{TAG}name.call(query="...")'),
    never("untagged", "the call has no tag before it", TAG),
    never("untagged without its end", "the call has no tag before it", TAG, severity=Severity.WARNING),
    requirement='A built-in tool must be called as `name.call(query="...")` after the Python tag.',
    why="Otherwise the parser finds no call, and reads the reply as Python code or as text.",
)
row(
    "llama-call-name-missing",
    "LLA-R-002",
    reply,
    never("nameless", "a built-in call has no tool name", "name.call(query=...)"),
    requirement="A built-in call must have the tool's name before `.call`.",
    why="Without it, there is no tool to run, and the text is not valid Python either.",
)
row(
    "llama-call-whitespace-unexpected",
    ["LLA-R-002", "LLA-R-001"],
    reply,
    never("spacing", "{}", "no whitespace"),
    severity=Severity.WARNING,
    because="the reference parser finds it: it searches the text for a built-in call, and JSON permits white space",
    requirement="There must be no whitespace between tag, call and end token.",
    why="Parsers that look for the tag directly before the call miss it, and the history differs from the training "
    "data.",
)
row(
    "llama-json-call-malformed",
    "LLA-R-003",
    reply,
    never("json", "{}", _CALL),
    never("unread call", "the text has a function's name but no valid call", _CALL),
    requirement="A call in JSON must be one object with a string `name` and an object `parameters`.",
    why="The reference parser reads anything else as text: the user sees the call, and the tool never runs.",
)
row(
    "llama-call-quoting-invalid",
    "LLA-R-003",
    reply,
    never("misquoted", "a call has the wrong quotes", "a JSON object"),
    requirement="A call in JSON must be valid JSON: in double quotes, and not inside a string.",
    why="Otherwise no parser reads it as a call, and the user sees it.",
)
row(
    "llama-custom-call-malformed",
    "LLA-R-004",
    reply,
    never("custom", "{}", "<function=NAME>{…}</function>"),
    requirement="A call in tags must be `<function=NAME>`, one JSON object on one line, and `</function>`.",
    why="The reference parser matches a single line: otherwise it finds no call, or truncates its arguments.",
)
row(
    "llama-call-tag-missing",
    ["LLA-R-008", "LLA-R-002"],
    reply,
    never("unmarked", "the call has no python tag", f"{TAG} before the call"),
    because="the reference parser finds a built-in call (LLA-R-002) without the tag",
    requirement="The call of a turn that ends in `<|eom_id|>` must begin with `<|python_tag|>` or `<function=`.",
    why="Servers find the call by the tag; without it, they return the call as text.",
)
row(
    "llama-end-token-missing",
    "LLA-R-008",
    reply,
    never("without its end", "the text has no end token", f"{EOM} or {EOT}"),
    requirement="A text with the stop reason `stop` must have its end token if the request asks for special tokens.",
    why="Without it, clients cannot tell whether the turn waits for a tool, or send it back unchanged.",
)
row(
    "llama-calls-too-many",
    "LLA-R-009",
    calls,
    at_most(1, "call", "the turn has {} calls"),
    requirement="A turn of Llama 3.1 must have at most one call; later models may list several.",
    why="Most parsers for it read the first call and drop the rest, and its template cannot send two back.",
)
