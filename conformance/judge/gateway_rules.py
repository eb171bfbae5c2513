"""What a gateway must keep of a conversation between its two sides; `conformance gateway` compares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from conformance.model.finding import Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


class Loss(NamedTuple):
    """How much a loss matters, what the gateway must do instead, and what breaks if it does not."""

    severity: Severity
    statement: str
    why: str


PREFIX = "gateway-"

GATEWAY_RULES: Mapping[str, Loss] = {
    "gateway-request-dropped": Loss(
        ERROR,
        "A gateway must send each request on to its upstream.",
        "The client gets an error, or an answer that no model gave.",
    ),
    "gateway-request-repeated": Loss(
        ERROR,
        "A gateway must not send a request again that its upstream has answered.",
        "The model runs twice, and the client pays twice.",
    ),
    "gateway-dialect-unexpected": Loss(
        WARNING,
        "A gateway must use the dialect that its configuration names for the upstream.",
        "Many inference servers have only one dialect, and answer 404 to another.",
    ),
    "gateway-system-dropped": Loss(
        ERROR, "A gateway must pass the system prompt on.", "The model works without its instructions."
    ),
    "gateway-system-changed": Loss(
        ERROR, "A gateway must not change the system prompt.", "The model follows other instructions than intended."
    ),
    "gateway-system-unexpected": Loss(
        WARNING,
        "A gateway must not add a system prompt.",
        "The model follows instructions that the client does not know of.",
    ),
    "gateway-turn-dropped": Loss(
        ERROR, "A gateway must pass every turn of the history on.", "The model forgets a part of the conversation."
    ),
    "gateway-turn-unexpected": Loss(
        ERROR, "A gateway must not add turns to the history.", "The model reads something that nobody said."
    ),
    "gateway-text-dropped": Loss(
        ERROR, "A gateway must pass every text on.", "The reader gets less than was said, and cannot know it."
    ),
    "gateway-text-changed": Loss(
        ERROR, "A gateway must not change a text.", "The reader gets something else than was said."
    ),
    "gateway-text-repeated": Loss(
        ERROR, "A gateway must pass a text on once.", "The reader gets it twice, and a parser of the text fails."
    ),
    "gateway-text-unexpected": Loss(
        ERROR, "A gateway must not add text to a turn.", "The reader gets something that was not said."
    ),
    "gateway-reasoning-dropped": Loss(
        WARNING,
        "A gateway must pass reasoning on where the other dialect has a form for it.",
        "Users do not see it, and the model cannot go on from it.",
    ),
    "gateway-reasoning-changed": Loss(
        WARNING, "A gateway must not change reasoning.", "The provider refuses it, because its signature does not fit."
    ),
    "gateway-signature-dropped": Loss(
        ERROR,
        "A gateway must bring the signatures of reasoning and calls to the client and back to the provider.",
        "Providers refuse a history without them, or the model loses its train of thought.",
    ),
    "gateway-signature-changed": Loss(
        ERROR,
        "A signature must reach the provider as the provider sent it.",
        "Providers refuse a signature that is not their own.",
    ),
    "gateway-call-dropped": Loss(
        ERROR, "A gateway must pass every tool call on.", "The agent does not do what the model decided."
    ),
    "gateway-call-repeated": Loss(
        ERROR, "A gateway must pass a tool call on once.", "The agent does the same thing twice."
    ),
    "gateway-call-unexpected": Loss(
        ERROR, "A gateway must not add tool calls.", "The agent does something that the model did not decide."
    ),
    "gateway-call-out-of-order": Loss(
        WARNING, "A gateway must keep the order of tool calls.", "Tools run in another order than the model intended."
    ),
    "gateway-call-id-duplicate": Loss(
        ERROR,
        "Different tool calls must have different ids on both sides of a gateway.",
        "Results are paired with the wrong call.",
    ),
    "gateway-call-id-changed": Loss(
        INFO,
        "A tool call should come back to the upstream under the id that the upstream gave it.",
        "Logs of both sides cannot be brought together; an upstream that keeps state does not find the call.",
    ),
    "gateway-part-out-of-order": Loss(
        WARNING,
        "A gateway must keep the order of text, reasoning and calls in a turn.",
        "The history differs from what the model said; some providers refuse such a turn.",
    ),
    "gateway-tool-name-changed": Loss(
        ERROR, "A gateway must not rename a tool.", "The client does not know the tool that is called."
    ),
    "gateway-arguments-changed": Loss(
        ERROR, "The arguments of a call must be the same JSON value on both sides.", "The tool does something else."
    ),
    "gateway-result-dropped": Loss(
        ERROR, "A gateway must pass every tool result on.", "The model calls the tool again, or makes a result up."
    ),
    "gateway-result-changed": Loss(
        ERROR, "A gateway must not change a tool result.", "The model answers from wrong data."
    ),
    "gateway-result-repeated": Loss(
        ERROR, "A gateway must pass a tool result on once.", "Providers refuse two results of one call."
    ),
    "gateway-result-mismatch": Loss(
        ERROR,
        "Each tool result must answer the same call on both sides of a gateway.",
        "The model takes the result of one call for that of another.",
    ),
    "gateway-result-out-of-order": Loss(
        WARNING,
        "A gateway must keep the order of tool results.",
        "A provider without call ids pairs results with calls by their order.",
    ),
    "gateway-error-flag-dropped": Loss(
        WARNING,
        "A gateway must pass on that a tool failed, where the other dialect has a form for it.",
        "The model takes the error for a result.",
    ),
    "gateway-error-flag-unexpected": Loss(
        ERROR, "A gateway must not mark a tool result as an error.", "The model takes the result for an error."
    ),
    "gateway-tool-dropped": Loss(
        ERROR, "A gateway must pass every tool definition on.", "The model cannot call the tool."
    ),
    "gateway-tool-unexpected": Loss(
        ERROR, "A gateway must not add tool definitions.", "The model calls a tool that the client does not have."
    ),
    "gateway-tool-description-dropped": Loss(
        ERROR, "A gateway must pass the description of a tool on.", "The model does not know what the tool is for."
    ),
    "gateway-tool-description-changed": Loss(
        WARNING, "A gateway must not change the description of a tool.", "The model uses the tool in another way."
    ),
    "gateway-schema-dropped": Loss(
        ERROR, "A gateway must pass the parameters of a tool on.", "The model has to guess the arguments."
    ),
    "gateway-schema-keyword-dropped": Loss(
        WARNING,
        "A gateway must pass on every keyword of a tool's schema that the other dialect accepts.",
        "The model makes arguments that the tool refuses.",
    ),
    "gateway-schema-keyword-changed": Loss(
        ERROR, "A gateway must not change a tool's schema.", "The model makes arguments that the tool refuses."
    ),
    "gateway-schema-keyword-unexpected": Loss(
        INFO, "A gateway should not add keywords to a tool's schema.", "The model is restricted more than intended."
    ),
    "gateway-strict-dropped": Loss(
        WARNING, "A gateway must pass on that a tool is strict.", "The arguments need not fit the schema any more."
    ),
    "gateway-tool-choice-dropped": Loss(
        ERROR, "A gateway must pass the tool choice on.", "The model calls no tool, or another one than it was told to."
    ),
    "gateway-tool-choice-changed": Loss(
        ERROR, "A gateway must not change the tool choice.", "The model calls another tool than it was told to."
    ),
    "gateway-parallel-flag-dropped": Loss(
        ERROR,
        "A gateway must pass on that calls are not to be made in parallel.",
        "A client that can handle only one call at a time gets several.",
    ),
    "gateway-setting-dropped": Loss(
        WARNING, "A gateway must pass on the settings that both dialects have.", "The model generates differently."
    ),
    "gateway-setting-changed": Loss(
        WARNING, "A gateway must not change the settings that both dialects have.", "The model generates differently."
    ),
    "gateway-setting-unexpected": Loss(
        INFO,
        "A gateway should set nothing that the client did not set.",
        "The model generates differently from what its provider's defaults would make it.",
    ),
    "gateway-stream-flag-changed": Loss(
        INFO,
        "A gateway should ask its upstream for a stream if, and only if, the client does.",
        "The client waits for the whole answer before the first word.",
    ),
    "gateway-stop-reason-changed": Loss(
        ERROR,
        "A gateway must pass on why a turn ended.",
        "Agents decide by it whether to run tools, to go on, or to report a truncated answer.",
    ),
    "gateway-usage-dropped": Loss(
        WARNING, "A gateway must pass the token counts on.", "Budgets and bills count the run as free."
    ),
    "gateway-usage-changed": Loss(
        WARNING, "A gateway must not change the token counts.", "Budgets and bills are wrong."
    ),
    "gateway-usage-unexpected": Loss(
        INFO, "A gateway should not make token counts up.", "Budgets and bills rest on an estimate."
    ),
    "gateway-error-dropped": Loss(
        ERROR,
        "A gateway must pass an error of its upstream on as an error.",
        "The client takes a failure for an answer, and does not try again.",
    ),
    "gateway-error-changed": Loss(
        WARNING,
        "A gateway must pass an error on with a status of the same kind.",
        "Clients decide by the status whether to try again, to wait, or to give up.",
    ),
    "gateway-error-unexpected": Loss(
        ERROR, "A gateway must pass a good answer on.", "The client gets an error for an answer that it pays for."
    ),
    "gateway-error-message-dropped": Loss(
        WARNING, "A gateway must pass on what an error says.", "Nobody can know what to change."
    ),
    "gateway-stream-mismatch": Loss(
        ERROR,
        "A gateway must answer the same with and without streaming.",
        "What works in one mode fails in the other.",
    ),
}
