"""What relates several places of completions: docs/contract/openai-completions.md."""

from conformance.judge.relations import (
    bounded,
    concatenates,
    forbids,
    increases,
    not_less,
    omits,
    once,
    part_of,
    requires,
    row,
    same_length,
    sum_of,
    within,
)
from conformance.model.finding import Severity

_USAGE = "response /usage | event /usage"
_PLAIN = "request [!include_stop_str_in_output=true][!echo=true]"
"""Without `echo`, which puts the prompt before the text, and an option of inference servers."""
_SCORES = "response /choices/*/logprobs | event /choices/*/logprobs"

row(
    "completions-usage-total-wrong",
    "OAT-R-005",
    within(_USAGE, sum_of("/total_tokens", "/prompt_tokens", "/completion_tokens")),
    why="Billing and limits by the total differ from those by the two counts.",
)
row(
    "completions-usage-part-out-of-range",
    "OAT-R-007",
    within(
        _USAGE,
        *(
            part_of(f"/prompt_tokens_details/{each}_tokens", "/prompt_tokens")
            for each in ("cached", "audio", "text", "image", "cache_write")
        ),
        *(
            part_of(f"/completion_tokens_details/{each}_tokens", "/completion_tokens")
            for each in ("reasoning", "audio", "text", "accepted_prediction", "rejected_prediction")
        ),
    ),
    why="Clients subtract the part from the whole, and get a negative cost.",
)
row(
    "completions-choice-index-wrong",
    "OAT-R-003",
    within("response /choices", increases("/*/index", by=1, start=0)),
    why="With several prompts or samples, clients assign the texts by index.",
)
row(
    "completions-stop-sequence-unexpected",
    "OAT-R-008",
    omits(f"{_PLAIN}/stop | {_PLAIN}/stop/*"),
    why="Programs that cut the text at the sequence, or count on its absence, read too much.",
)
row(
    "completions-logprobs-mismatch",
    "OAT-R-009",
    within(
        _SCORES,
        same_length("/tokens", "/token_logprobs"),
        same_length("/tokens", "/top_logprobs"),
        same_length("/tokens", "/text_offset"),
        increases("/text_offset/*"),
    ),
    within("response /choices/* | event /choices/*", concatenates("/logprobs/tokens/*", "/text")),
    requirement="The arrays of the log probabilities must belong together, and their tokens add up to the text.",
    why="A client that marks the tokens in the text marks the wrong ones.",
)
row(
    "completions-logprobs-unexpected",
    "OAT-R-010",
    requires(
        "response /choices/*/logprobs/tokens/first | event /choices/*/logprobs/tokens/first", "request [logprobs]"
    ),
    why="The reply is several times as large as the client expects.",
)
row(
    "completions-best-of-out-of-range",
    "OAT-Q-004",
    within("request", not_less("/best_of", "/n")),
    why="The server refuses to return more texts than it made.",
    refused=True,
)
row(
    "completions-id-reused",
    "OAT-R-011",
    once("response /id | events /first/id", within="run"),
    why="A client that keeps the replies by their ids loses one.",
    elsewhere=Severity.WARNING,
)
row(
    "completions-top-logprobs-too-many",
    "OAT-R-012",
    bounded(
        "response /choices/*/logprobs/top_logprobs/* | event /choices/*/logprobs/top_logprobs/*",
        by="request /logprobs",
        more=1,
    ),
    why="Clients that reserve room for so many alternatives overflow it.",
)
row(
    "completions-usage-completion-out-of-range",
    "OAT-R-013",
    bounded(
        "response /usage/completion_tokens | event /usage/completion_tokens",
        by="request /max_tokens",
        unless="request [n][!n=1] | request [best_of][!best_of=1] | request /prompt/first",
    ),
    why="The limit is what bounds the cost of a request.",
)
row(
    "completions-obfuscation-unexpected",
    "OAT-S-007",
    forbids("event /obfuscation", "request /stream_options[include_obfuscation=false]"),
    why="The client pays for bytes that it switched off.",
)
