"""Options of Chat that few servers have, such as Groq's and Cerebras', and what the reply has of them."""

from conformance.judge.relations import (
    Identity,
    at_most,
    encodes,
    ends,
    excludes,
    forbids,
    has,
    increases,
    matches,
    never,
    not_less,
    once,
    refers,
    requires,
    row,
    unique,
    within,
)
from conformance.model.finding import Severity

_MESSAGE = "response /choices/*/message{0} | event /choices/*/delta{0}"
_REASONING = " | ".join(_MESSAGE.format(f"[{each}][!{each}=]/{each}") for each in ("reasoning", "reasoning_content"))
_REASONING_TOKENS = "/usage/completion_tokens_details/reasoning_tokens[!=0]"
_NO_REASONING = "request [disable_reasoning=true] | request [reasoning_effort=none]"

# Reasoning, citations and documents --------------------------------------------------------------------------------
row(
    "chat-option-mismatch",
    "OAC-R-032",
    forbids(_REASONING, "request [reasoning_format=raw|hidden] | request [include_reasoning=false]"),
    forbids(f"{_REASONING} | response {_REASONING_TOKENS} | event {_REASONING_TOKENS}", _NO_REASONING),
    within(
        "response /choices/*/message",
        matches("/content", r"(?!\s*<think>).*", "an answer without its reasoning"),
        given="request [reasoning_format=parsed|text_parsed|hidden]",
    ),
    forbids(
        "response /choices/*/reasoning_logprobs | event /choices/*/reasoning_logprobs",
        "request [reasoning_format=text_parsed]",
    ),
    forbids(_MESSAGE.format("/annotations/first"), "request [citation_options=disabled]"),
    requires("response /x_groq/debug | event /x_groq/debug", "request [debug=true]"),
    requirement="Reasoning, citations and debug information must be in the reply only as the request asks for them.",
    why="The client shows what it wanted to hide, or looks for it in vain.",
)
row(
    "chat-option-conflicting",
    "OAC-Q-032",
    forbids("request [include_reasoning]/include_reasoning", "request [reasoning_format]"),
    forbids("request /tool_choice[type]", "request [disable_tool_validation=true]"),
    requirement=(
        "`include_reasoning` must not come with `reasoning_format`, nor a named tool with `disable_tool_validation`."
    ),
    why="The server refuses the request, or follows one of the two.",
)
row(
    "chat-min-tokens-out-of-range",
    "OAC-Q-036",
    within(
        "request",
        not_less("/max_completion_tokens", "/min_completion_tokens"),
        not_less("/max_tokens", "/min_tokens"),
        given="request [min_completion_tokens] | request [min_tokens]",
    ),
    requirement="The least number of tokens must not be above the greatest.",
    why="No reply can have so many tokens.",
)
row(
    "chat-search-domains-deprecated",
    "OAC-Q-034",
    *(
        never(f"request [{each}]/{each}", f"`search_settings.{each}`")
        for each in ("include_domains", "exclude_domains")
    ),
    requirement="Domains of a search must be in `search_settings`.",
    why="The server can stop reading it.",
)
_DOCUMENT = "request /documents/*/id | request /messages/*/content/*[type=document]/document/id"
row(
    "chat-document-id-duplicate",
    "OAC-Q-033",
    once(_DOCUMENT),
    why="A citation of one of them cannot be told from one of the other.",
)
row(
    "chat-citation-orphaned",
    "OAC-R-037",
    refers(
        "response /choices/*/message/annotations/*/document_citation/document_id",
        Identity("document", _DOCUMENT, "exchange"),
        given=_DOCUMENT,
    ),
    refers(
        "response /choices/*/message/annotations/*/function_citation/tool_call_id",
        Identity(
            "call",
            "request /messages/*/tool_calls/*/id | response /choices/*/message/tool_calls/*/id",
            "exchange",
        ),
    ),
    requirement="A citation must refer to a document of the request, or to a call of the conversation.",
    why="The client has no source to show.",
)

# Tools that the server ran, and audio ------------------------------------------------------------------------------
_EXECUTED = "response /choices/*/message/executed_tools"
row(
    "chat-executed-tool-malformed",
    "OAC-R-038",
    within(_EXECUTED, increases("/*/index", by=1, start=0)),
    within(f"{_EXECUTED}/*", encodes("/arguments", "JSON")),
    requirement="Executed tools must be numbered from 0, and have arguments that are JSON.",
    why="A client that shows what the server ran fails.",
)
row(
    "chat-output-data-malformed",
    "OAC-R-034",
    within(_MESSAGE.format("/audio"), encodes("/data", "base64")),
    within(f"{_EXECUTED}/*/code_results/*", encodes("/png", "base64")),
    requirement="The data of audio and of images in a reply must be base64.",
    why="The client cannot decode it.",
)
_AUDIO = "event /choices/*/delta/audio"
row(
    "chat-audio-out-of-order",
    "OAC-S-019",
    ends(f"{_AUDIO}[expires_at]", f"{_AUDIO}[data] | {_AUDIO}[transcript]"),
    within(_AUDIO, excludes("/expires_at", "/data", "/transcript")),
    never("event /choices/*[delta.audio.expires_at][finish_reason]/finish_reason"),
    requirement="Streamed audio must end with a chunk that has `expires_at` and no data, transcript or finish reason.",
    why="A client that closes the audio there loses the rest of it.",
)
row(
    "chat-groq-field-misplaced",
    "OAC-S-020",
    at_most(2, "event /x_groq/id"),
    *(ends(f"event [x_groq.{each}]", "event /choices/*/delta/content") for each in ("usage", "usage_breakdown")),
    requirement="`x_groq.id` must be in the first and the last chunk only, and the usage of `x_groq` in the last.",
    why="A client that adds up the usage of all chunks pays twice.",
)

# What is true of every server --------------------------------------------------------------------------------------
row(
    "chat-id-reused",
    "OAC-R-035",
    once("response /id | events /first/id", within="run"),
    once("response /choices/*/message/audio/id", within="run"),
    requirement="Replies, and their audio, must have ids of their own.",
    why="A client that keeps the replies by their ids loses one.",
    elsewhere=Severity.WARNING,
)
row(
    "chat-service-tier-missing",
    "OAC-R-036",
    within("response", has("/service_tier"), given="request [service_tier]"),
    why="The client cannot see which tier it pays for.",
    elsewhere=Severity.INFO,
)
row(
    "chat-content-refusal-conflicting",
    "OAC-Q-035",
    within(
        "request /messages/*[role=assistant]/content",
        excludes("/*[type=refusal]", "/*[type=text]"),
        unique("/*[type=refusal]/type"),
        given="request /messages/*/content/*[type=refusal]",
    ),
    requirement="The content of an assistant message must be texts, or one refusal.",
    why="The model reads a refusal that it did not give, or the server refuses the request.",
)
