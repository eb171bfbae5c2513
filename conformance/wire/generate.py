"""Writes `specs/wire/<dialect>/*.schema.json` from the installed SDKs' types and each dialect's overlay.

`python -m conformance.wire.generate` writes them all; a test holds the files against what the pinned SDKs give.
This module is the only one here that imports an SDK; nothing that judges imports it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from conformance.model.data_files import data_dir
from conformance.wire.assemble import Dialect, Source, schemas
from conformance.wire.build import Company
from conformance.wire.layout import laid_out
from conformance.wire.typereader import Field


def _openai_chat() -> Dialect:
    from openai.types import shared
    from openai.types.chat import ChatCompletion, ChatCompletionChunk
    from openai.types.chat.completion_create_params import CompletionCreateParams

    return Dialect(
        "openai",
        ("openai.types.chat", "openai.types.shared"),
        {
            "request": Source((CompletionCreateParams,), sent=True),
            "response": Source((ChatCompletion,)),
            "event": Source((ChatCompletionChunk,)),
            "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}, sent=True),
        },
    )


def _openai_completions() -> Dialect:
    from openai.types import Completion, completion_create_params, shared

    return Dialect(
        "openai",
        ("openai.types.completion_create_params",),
        {
            "request": Source((completion_create_params.CompletionCreateParams,), sent=True),
            "response": Source((Completion,)),
            "event": Source((Completion,)),
            "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}, sent=True),
        },
    )


def _openai_responses() -> Dialect:
    from openai.types import shared
    from openai.types.responses import Response, ResponseStreamEvent, response_create_params

    return Dialect(
        "openai",
        ("openai.types.responses", "openai.types.shared", "openai.types.shared_params"),
        {
            "request": Source((response_create_params.ResponseCreateParams,), sent=True),
            "response": Source((Response,)),
            "event": Source((ResponseStreamEvent,)),
            "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}, sent=True),
        },
    )


def _anthropic_messages() -> Dialect:
    from anthropic.types import (
        Message,
        RawMessageStreamEvent,
        TextBlock,
        TextBlockParam,
        TextDelta,
        ToolParam,
        beta,
        message_create_params,
    )
    from anthropic.types.shared import ErrorResponse

    blocks: Company = {
        TextBlock: (
            beta.BetaMCPToolUseBlock,
            beta.BetaMCPToolResultBlock,
            beta.BetaAdvisorToolResultBlock,
            beta.BetaCompactionBlock,
        ),
        TextDelta: (beta.BetaCompactionContentBlockDelta,),
    }
    sent_blocks: Company = {
        TextBlockParam: (
            beta.BetaMCPToolUseBlockParam,
            beta.BetaRequestMCPToolResultBlockParam,
            beta.BetaAdvisorToolResultBlockParam,
            beta.BetaCompactionBlockParam,
        ),
        ToolParam: (beta.BetaAdvisorTool20260301Param, beta.BetaMCPToolsetParam),
    }
    """Of the beta, what recordings show: tools on a server, advice, compaction."""
    return Dialect(
        "anthropic",
        ("anthropic.types", "anthropic.types.shared"),
        {
            "request": Source((message_create_params.MessageCreateParams,), sent=True, company=sent_blocks),
            "response": Source((Message,), company=blocks),
            "event": Source((RawMessageStreamEvent, ErrorResponse), company=blocks),
            "error": Source((ErrorResponse,)),
        },
    )


def _gemini() -> Dialect:
    from google.genai import types

    optional = {
        "tools": list[types.Tool],
        "toolConfig": types.ToolConfig,
        "systemInstruction": types.Content,
        "generationConfig": types.GenerationConfig,
        "safetySettings": list[types.SafetySetting],
        "cachedContent": str,
        "labels": dict[str, str],
        "serviceTier": str,
    }
    """The SDK's own config is not the wire: it lifts generationConfig's fields to the top."""
    request = {
        "contents": Field((list[types.Content],), required=True),
        **{name: Field((annotation, type(None)), required=False) for name, annotation in optional.items()},
    }
    return Dialect(
        "google-genai",
        (),
        {
            "request": Source(fields=request, sent=True, proto=True),
            "response": Source((types.GenerateContentResponse,), proto=True),
            "event": Source((types.GenerateContentResponse,), proto=True),
            "error": Source(fields={}),
        },
    )


def _mcp() -> Dialect:
    import mcp_types as types

    envelope = {"jsonrpc": Field((str,), required=True), "error": Field((types.ErrorData,), required=False)}
    calls = (types.ClientRequest, types.ClientNotification, types.ServerRequest, types.ServerNotification)
    return Dialect(
        "mcp",
        ("mcp_types._types",),
        {
            "request": Source(
                calls,
                fields={
                    **envelope,
                    "id": Field((types.RequestId,), required=False),
                    "result": Field((types.ClientResult,), required=False),
                },
                sent=True,
                batch="Message",
            ),
            "response": Source(
                calls,
                fields={
                    **envelope,
                    "id": Field((types.RequestId, type(None)), required=False),
                    "result": Field((types.ServerResult,), required=False),
                },
                sent=True,
                batch="Message",
            ),
        },
    )


DIALECTS = {
    "anthropic-messages": _anthropic_messages,
    "gemini": _gemini,
    "mcp": _mcp,
    "openai-chat": _openai_chat,
    "openai-completions": _openai_completions,
    "openai-responses": _openai_responses,
}


def texts(name: str) -> dict[str, str]:
    """The text of each schema file of a dialect, by its kind."""
    return {kind: laid_out(schema) + "\n" for kind, schema in schemas(name, DIALECTS[name]()).items()}


def write(folder: Path) -> None:
    """Writes every dialect's schemas below the folder."""
    for name in DIALECTS:
        for kind, text in texts(name).items():
            path = folder / name / f"{kind}.schema.json"
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{len(text.encode()):8} {name}/{path.name}\n")


if __name__ == "__main__":
    write(data_dir("specs") / "wire")
