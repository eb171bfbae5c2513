"""JSON-RPC messages: a request, a notification, or a response with a result or an error."""

from __future__ import annotations

from conformance.contract import notation
from conformance.contract.notation import *
from conformance.dialects.mcp.contract.calls import CLIENT, SERVER, VERSION
from conformance.dialects.mcp.contract.common import CLIENT_CAPABILITIES, DATA, ID, NO_MESSAGE, may
from conformance.dialects.mcp.contract.places import STATELESS, TASKS
from conformance.dialects.mcp.contract.results import AMBIGUOUS, NO_OBJECT, RESULT
from conformance.dialects.mcp.contract.sampling import ANSWER, ANSWERS, URL

_ONE = (excludes("result", "error", cite=AMBIGUOUS), some_of("result", "error", cite=AMBIGUOUS))
_MALFORMED = cite("MCP-A-029", rule="mcp-error-malformed")

# Errors -----------------------------------------------------------------------------------------------------------
ERROR = obj(_MALFORMED, code=need(integer()), message=need(text()), data=DATA)
ERROR_WITH_URLS = cases(
    (is_("code", -32042), obj(ERROR, data=need(obj(elicitations=need(array(URL)))))),
    otherwise=ERROR,
)
ERROR_OF_STATELESS = cases(
    (is_("code", -32021), obj(ERROR, data=need(obj(requiredCapabilities=need(CLIENT_CAPABILITIES))))),
    (is_("code", -32022), obj(ERROR, data=need(obj(supported=need(array(text(1))), requested=need(text()))))),
    otherwise=ERROR,
)
_ERROR = first(
    may(ERROR_OF_STATELESS, _MALFORMED, null=AMBIGUOUS, only=STATELESS),
    may(ERROR_WITH_URLS, _MALFORMED, null=AMBIGUOUS, only=TASKS),
    may(ERROR, _MALFORMED, null=AMBIGUOUS),
)


# Messages ---------------------------------------------------------------------------------------------------------
FROM_CLIENT = cases(
    ("method", CLIENT),
    otherwise=obj(
        cite("MCP-A-033", rule="mcp-client-result-malformed"),
        *_ONE,
        jsonrpc=VERSION,
        id=need(ID, cite("MCP-A-003")),
        result=first(
            *(
                may(node, type=NO_OBJECT, null=AMBIGUOUS, only=when(operation=method))
                for method, node in ANSWERS.items()
            ),
            may(ANSWER, type=NO_OBJECT, null=AMBIGUOUS),
        ),
        error=_ERROR,
    ),
    itself=NO_MESSAGE,
)
FROM_SERVER = cases(
    ("method", SERVER),
    # A rule compares the id of a response with the request's.
    otherwise=obj(*_ONE, jsonrpc=VERSION, id=notation.may(anything), result=RESULT, error=_ERROR),
    itself=NO_MESSAGE,
)
