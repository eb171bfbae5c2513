"""Amazon's SDK for Python on Bedrock Converse.

botocore builds, signs and parses; its hook `before-send` lets the HTTP client of the input carry the request. A key is
`ID:SECRET`, with a session `ID:SECRET:TOKEN`; an API key of Bedrock goes where the `auth` of the target says.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any

from conformance.drivers import DriverInput, ReadCall, arguments_of, result_text
from conformance.drivers.loop import LoopDriver, Reply, Result

_CHOICES: dict[str | None, dict[str, Any]] = {"auto": {"auto": {}}, "required": {"any": {}}}
_REGION = re.compile(r"bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.")
_THOUGHTS = 1024
"""The budget of tokens for reasoning."""


class Boto3Driver(LoopDriver):
    name = "boto3"
    dialect = "bedrock-converse"
    package = "boto3"
    since = "1.37"
    cut_off = ("max_tokens",)

    def client(self, inputs: DriverInput) -> Any:
        import boto3
        from botocore.config import Config

        key, _, rest = inputs.api_key.partition(":")
        secret, _, token = rest.partition(":")
        region = _REGION.search(inputs.origin)
        client = _session().client(
            "bedrock-runtime",
            endpoint_url=inputs.base_url(""),
            region_name=region[1] if region else "us-east-1",
            aws_access_key_id=key,
            aws_secret_access_key=secret or key,
            aws_session_token=token or None,
            config=Config(
                retries={"total_max_attempts": 1},
                signature_version="v4",
                read_timeout=inputs.timeout,
                user_agent=f"Boto3/{boto3.__version__}",  # its own also describes the machine
            ),
        )
        client.meta.events.register("before-send.bedrock-runtime", partial(_carried, inputs.http_client))
        return client

    def opening(self, inputs: DriverInput) -> list[Any]:
        return [{"role": "user", "content": [{"text": inputs.user}]}]

    def ask(self, client: Any, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The model's content goes back unchanged."""
        asked = {"modelId": inputs.model, "messages": history, **_settings(inputs, turn)}
        if inputs.stream:
            content, stop = _assembled(client.converse_stream(**asked)["stream"])
        else:
            answer = client.converse(**asked)
            content, stop = answer["output"]["message"]["content"], answer["stopReason"]
        called = [block["toolUse"] for block in content if "toolUse" in block]
        calls = [ReadCall(call["toolUseId"], call["name"], call["input"]) for call in called]
        text = "".join(block.get("text", "") for block in content)
        return Reply(text, calls, [{"role": "assistant", "content": content}], stop)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [{"role": "user", "content": [{"toolResult": _result(each)} for each in results]}]


@cache
def _session() -> Any:
    """One for all clients, without credentials: it keeps the service model, which takes long to read."""
    import boto3

    return boto3.session.Session()


def _carried(http_client: Any, request: Any, **_: Any) -> Any:
    """The response to a signed request, which our HTTP client sends."""
    from botocore.awsrequest import AWSResponse

    http = importlib.import_module(type(http_client).__module__.partition(".")[0])
    headers = [(name, value.decode() if isinstance(value, bytes) else value) for name, value in request.headers.items()]
    sent = http.Request(request.method, request.url, headers=headers, content=bytes(request.body or b""))
    response = http_client.send(sent, stream=True)
    return AWSResponse(request.url, response.status_code, dict(response.headers), _Raw(response))


class _Raw:
    """The body of a response, as botocore reads it."""

    def __init__(self, response: Any) -> None:
        self._response = response
        self.close = response.close

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield from self._response.iter_bytes()


def _settings(inputs: DriverInput, turn: int) -> dict[str, Any]:
    options = inputs.options
    sampling = options.sampling(temperature="temperature", top_p="topP", stop="stopSequences")
    found: dict[str, Any] = {"inferenceConfig": {"maxTokens": options.max_tokens, **sampling}}
    if inputs.system:
        found["system"] = [{"text": inputs.system}]
    if options.reasoning:
        found["inferenceConfig"]["maxTokens"] = options.max_tokens + _THOUGHTS
        found["additionalModelRequestFields"] = {"thinking": {"type": "enabled", "budget_tokens": _THOUGHTS}}
    choice = inputs.tool_choice(turn)
    if inputs.tools and choice != "none":  # no choice forbids calls: the tools are left out
        strict = {"strict": True} if options.strict else {}
        schemas = [{"json": tool.parameters or {"type": "object"}} for tool in inputs.tools]
        specs = [
            {**tool.heading, "inputSchema": schema, **strict}
            for tool, schema in zip(inputs.tools, schemas, strict=True)
        ]
        found["toolConfig"] = {"tools": [{"toolSpec": spec} for spec in specs]}
        if choice is not None:
            found["toolConfig"]["toolChoice"] = _CHOICES.get(choice) or {"tool": {"name": choice}}
    return found


def _result(result: Result) -> dict[str, Any]:
    """An object as JSON, anything else as text."""
    value, failed = result.outcome.value, result.outcome.is_error
    content = {"json": value} if isinstance(value, dict) and not failed else {"text": result_text(result.outcome)}
    return {"toolUseId": result.call.id, "content": [content], "status": "error" if failed else "success"}


def _assembled(events: Any) -> tuple[list[Any], str | None]:
    """The content of a streamed message, and why it stopped; botocore raises at an exception in the stream."""
    blocks: dict[int, dict[str, Any]] = {}
    stop = None
    for event in events:
        if "contentBlockStart" in event:
            started = event["contentBlockStart"]
            call = started["start"].get("toolUse")
            if call is not None:
                blocks[started["contentBlockIndex"]] = {"toolUse": {**call, "input": ""}}
        elif "contentBlockDelta" in event:
            changed = event["contentBlockDelta"]
            _grow(blocks.setdefault(changed["contentBlockIndex"], {}), changed["delta"])
        elif "messageStop" in event:
            stop = event["messageStop"]["stopReason"]
    for block in blocks.values():
        if "toolUse" in block:
            block["toolUse"]["input"] = arguments_of(block["toolUse"]["input"] or "{}")
    return [blocks[index] for index in sorted(blocks)], stop


def _grow(block: dict[str, Any], delta: dict[str, Any]) -> None:
    if "text" in delta:
        block["text"] = block.get("text", "") + delta["text"]
    elif "toolUse" in delta:
        block["toolUse"]["input"] += delta["toolUse"]["input"]
    elif "redactedContent" in delta.get("reasoningContent", {}):
        block["reasoningContent"] = delta["reasoningContent"]
    elif "reasoningContent" in delta:
        thought = block.setdefault("reasoningContent", {}).setdefault("reasoningText", {"text": ""})
        for name, piece in delta["reasoningContent"].items():
            thought[name] = thought.get(name, "") + piece


DRIVERS = (Boto3Driver(),)
