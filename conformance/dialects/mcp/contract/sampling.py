"""A server's requests to a client and the client's results: sampling, elicitation, roots."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.mcp.contract.common import META, PLAIN_META, ROLE, URI, may
from conformance.dialects.mcp.contract.content import MESSAGE, SAMPLED
from conformance.dialects.mcp.contract.places import TASKS
from conformance.dialects.mcp.contract.tools import TOOL

TASK_ASKED = may(obj(ttl=may(integer(0))))

# Sampling ---------------------------------------------------------------------------------------------------------
_PRIORITY = may(number(0, 1))
_MODEL_PREFERENCES = obj(
    hints=may(array(obj(name=may(text())))),
    costPriority=_PRIORITY,
    speedPriority=_PRIORITY,
    intelligencePriority=_PRIORITY,
)
CREATE_MESSAGE = obj(
    messages=need(array(MESSAGE)),
    maxTokens=need(integer(1)),
    systemPrompt=may(text()),
    includeContext=may(word("none", "thisServer", "allServers")),
    temperature=may(number()),
    stopSequences=may(array(text())),
    metadata=may(mapping()),
    modelPreferences=may(_MODEL_PREFERENCES),
    tools=may(array(TOOL)),
    toolChoice=may(obj(mode=may(word("auto", "required", "none")))),
    task=TASK_ASKED,
)
CREATED_MESSAGE = obj(
    role=need(ROLE),
    content=SAMPLED,
    model=need(text(1)),
    stopReason=may(text()),
    _meta=META,
)

# Elicitation ------------------------------------------------------------------------------------------------------
_TITLED = {"title": may(text()), "description": may(text())}
_NAMED = array(obj(const=need(text()), title=need(text())))
_NUMBER = obj(_TITLED, minimum=may(number()), maximum=may(number()), default=may(number()))
_FIELD = by(
    string=obj(
        _TITLED,
        minLength=may(integer(0)),
        maxLength=may(integer(0)),
        format=may(word("email", "uri", "date", "date-time")),
        default=may(text()),
        enum=may(array(text())),
        enumNames=may(array(text())),
        oneOf=may(_NAMED),
    ),
    number=_NUMBER,
    integer=_NUMBER,
    boolean=obj(_TITLED, default=may(boolean)),
    array=obj(
        _TITLED,
        items=need(cases(("anyOf", obj(anyOf=need(_NAMED))), otherwise=obj(enum=need(array(text()))))),
        minItems=may(integer(0)),
        maxItems=may(integer(0)),
        default=may(array(text())),
    ),
)
_ASKED = obj(_meta=may(PLAIN_META))
_REQUESTED_SCHEMA = obj(
    {"$schema": may(text())},
    type=need(word("object")),
    properties=need(mapping(_FIELD)),
    required=may(array(text())),
)
_FORM = obj(
    _ASKED,
    message=need(text()),
    mode=may(word("form")),
    requestedSchema=need(_REQUESTED_SCHEMA),
    task=TASK_ASKED,
)
URL = obj(
    _ASKED,
    message=need(text()),
    mode=need(word("url")),
    url=need(URI),
    # Revision 2026-07-28 has no id here.
    elicitationId=first(need(text(1), only=TASKS), may(text(1))),
    task=TASK_ASKED,
)
ELICIT = cases((is_("mode", "url"), URL), otherwise=_FORM)
ELICITED = obj(
    action=need(word("accept", "decline", "cancel")),
    content=may(mapping(text() | number() | boolean | array(text()))),
    _meta=META,
)

# Roots ------------------------------------------------------------------------------------------------------------
_ROOT = obj(uri=need(text(1, pattern=r"file://[\s\S]*")), name=may(text()), _meta=META)
ROOTS = obj(roots=need(array(_ROOT)), _meta=META)

ANSWERS = {"sampling/createMessage": CREATED_MESSAGE, "elicitation/create": ELICITED, "roots/list": ROOTS}
"""A client's results, by the method of the server's request."""
ANSWER = later(
    "answer",
    lambda: cases(
        ("roots", ROOTS),
        ("action", ELICITED),
        ("model", CREATED_MESSAGE),
        ("role", CREATED_MESSAGE),
        otherwise=obj(resultType=may(text()), _meta=META),
    ),
)
"""A client's result to an unknown request, which its own fields identify."""
_QUESTION = later(
    "question",
    lambda: by(
        "method",
        {
            "sampling/createMessage": obj(params=need(CREATE_MESSAGE)),
            "elicitation/create": obj(params=need(ELICIT)),
            "roots/list": obj(params=may(obj(_meta=META))),
        },
    ),
)
QUESTIONS = mapping(_QUESTION)
"""`inputRequests` of revision 2026-07-28."""
