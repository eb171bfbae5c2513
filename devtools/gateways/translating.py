"""A gateway from Chat Completions to Messages. The name of the model is that of the fault it has, or `right`."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from devtools.gateways.serving import Answer, ask, serve

_NUMBERS = itertools.count(1)
"""Of replies, each of which has an id of its own."""

Json = dict[str, Any]

_CHOICES = {"auto": "auto", "none": "none", "required": "any"}
_STOPS = {
    "end_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "stop_sequence": "stop",
    "refusal": "content_filter",
}
_ERRORS = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}


def handle(method: str, _path: str, _headers: Mapping[str, str], body: bytes, upstream: str) -> Answer:
    """Translates a request and its answer; a fault changes one thing in either."""
    chat = json.loads(body)
    fault = chat["model"]
    if fault == "answers-alone":
        return _json(200, _completion({"content": [{"type": "text", "text": "Hello."}], "stop_reason": "end_turn"}))
    sent = to_messages(chat)
    change = UP.get(fault)
    if change is not None:
        change(sent)
    known = {"content-type": "application/json", "x-api-key": "key", "anthropic-version": "2023-06-01"}
    content = json.dumps(sent).encode()
    answer = ask(upstream, method, "/v1/messages", known, content)
    if fault == "asks-twice":
        answer = ask(upstream, method, "/v1/messages", known, content)
    status, headers, raw = answer
    if status != 200:
        code, usual, text = _failed(fault, status, json.loads(raw))
        wait = [each for each in headers if each[0].lower() == "retry-after" and fault != "forgets-the-wait"]
        return code, [*usual, *wait], text
    message = collected(raw) if sent.get("stream") else json.loads(raw)
    if message is None:
        if fault == "breaks-off":
            raise ConnectionAbortedError
        return _events([]) if fault == "error-becomes-done" else _stream_failed(chat)
    if fault in DOWN:
        DOWN[fault](message)
    if not chat.get("stream"):
        return _json(200, _completion(message))
    events = list(chunks(message, usage=bool((chat.get("stream_options") or {}).get("include_usage"))))
    if fault == "one-index":
        for call in (each for event in events for choice in event["choices"] for each in _deltas(choice)):
            call["index"] = 0
    if fault == "stream-stops-otherwise":
        for choice in (each for event in events for each in event["choices"] if each["finish_reason"]):
            choice["finish_reason"] = "stop"
    if fault == "stream-loses-last-chunk":
        events = [each for each in events if not any(choice["finish_reason"] for choice in each["choices"])]
    return _events(events)


def to_messages(chat: Json) -> Json:
    """A Chat request as one of Messages."""
    system = [text for each in chat["messages"] if each["role"] in ("system", "developer") for text in _texts(each)]
    messages: list[Json] = []
    for each in chat["messages"]:
        if each["role"] == "user":
            messages.append({"role": "user", "content": _user_content(each["content"])})
        elif each["role"] == "assistant":
            messages.append({"role": "assistant", "content": list(_blocks(each))})
        elif each["role"] == "tool":
            result = {"type": "tool_result", "tool_use_id": each["tool_call_id"], "content": each["content"]}
            if messages[-1]["role"] == "user" and isinstance(messages[-1]["content"], list):
                messages[-1]["content"].append(result)
            else:
                messages.append({"role": "user", "content": [result]})
    body: Json = {
        "model": "claude-sonnet-4-6",
        "max_tokens": chat.get("max_completion_tokens") or chat.get("max_tokens") or 4096,
        "messages": messages,
    }
    names = {"temperature": "temperature", "top_p": "top_p", "stop": "stop_sequences"}
    body |= {name: chat[key] for key, name in names.items() if key in chat}
    if system:
        body["system"] = "\n\n".join(system)
    if (form := chat.get("response_format")) is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": form["json_schema"]["schema"]}}
    if chat.get("stream"):
        body["stream"] = True
    if chat.get("tools"):
        body["tools"] = [_tool(each["function"]) for each in chat["tools"]]
    if chat.get("web_search_options") is not None:
        body["tools"] = [*body.get("tools", ()), {"type": "web_search_20250305", "name": "web_search"}]
    choice, parallel = chat.get("tool_choice"), chat.get("parallel_tool_calls")
    if choice is not None or parallel is not None:
        name = choice["function"]["name"] if isinstance(choice, dict) else None
        wanted: Json = {"type": "tool", "name": name} if name else {"type": _CHOICES[choice or "auto"]}
        if parallel is False:
            wanted["disable_parallel_tool_use"] = True
        body["tool_choice"] = wanted
    return body


def _texts(message: Json) -> list[str]:
    content = message["content"]
    return [content] if isinstance(content, str) else [part["text"] for part in content]


def _user_content(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return [_image(each["image_url"]["url"]) if each["type"] == "image_url" else each for each in content]


def _image(url: str) -> Json:
    head, _, data = url.partition(";base64,")
    source = {"type": "base64", "media_type": head.removeprefix("data:"), "data": data}
    return {"type": "image", "source": source}


def _blocks(message: Json) -> Iterator[Json]:
    if message.get("content"):
        yield {"type": "text", "text": message["content"]}
    for call in message.get("tool_calls") or ():
        function = call["function"]
        arguments = json.loads(function["arguments"] or "{}")
        yield {"type": "tool_use", "id": call["id"], "name": function["name"], "input": arguments}


def _tool(function: Json) -> Json:
    tool = {"name": function["name"], "input_schema": function.get("parameters") or {"type": "object"}}
    tool |= {"strict": True} if function.get("strict") else {}
    return {**tool, "description": function["description"]} if function.get("description") else tool


def _completion(message: Json) -> Json:
    text = "".join(block["text"] for block in message["content"] if block["type"] == "text")
    calls = [block for block in message["content"] if block["type"] == "tool_use"]
    reply: Json = {"role": "assistant", "content": text or None, "refusal": None}
    cited = [each for block in message["content"] for each in block.get("citations") or ()]
    if cited:
        reply["annotations"] = [
            {
                "type": "url_citation",
                "url_citation": {"start_index": 0, "end_index": len(text), "title": each["title"], "url": each["url"]},
            }
            for each in cited
        ]
    if calls:
        reply["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": _arguments(call)},
            }
            for call in calls
        ]
    choice = {"index": 0, "message": reply, "logprobs": None, "finish_reason": _STOPS[message["stop_reason"]]}
    head = {"id": f"chatcmpl-{next(_NUMBERS)}", "object": "chat.completion", "created": 1, "model": "right"}
    usage = _usage(message)
    return {**head, "choices": [choice], **({"usage": usage} if usage else {})}


def _arguments(call: Json) -> str:
    return call["text"] if "text" in call else json.dumps(call["input"], ensure_ascii=False)


def _usage(message: Json) -> Json | None:
    usage = message.get("usage")
    if not usage:
        return None
    read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    into, out = sum(usage.get(name) or 0 for name in read), usage["output_tokens"]
    cached = {"prompt_tokens_details": {"cached_tokens": usage.get("cache_read_input_tokens") or 0}}
    return {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out, **cached}


def collected(raw: bytes) -> Json | None:
    """The message that a stream builds up; None if the stream fails."""
    message: Json = {}
    for line in raw.decode().splitlines():
        if not line.startswith("data: "):
            continue
        event = json.loads(line.removeprefix("data: "))
        kind = event["type"]
        if kind == "error":
            return None
        if kind == "message_start":
            message = copy.deepcopy(event["message"])
        elif kind == "content_block_start":
            message["content"].append({**event["content_block"], "text_so_far": ""})
        elif kind == "content_block_delta":
            delta = event["delta"]
            added = delta.get("text") or delta.get("partial_json") or ""
            block = message["content"][event["index"]]
            block["text_so_far"] += added
            if "citation" in delta:
                block["citations"].append(delta["citation"])
        elif kind == "message_delta":
            message |= {key: value for key, value in event["delta"].items() if key == "stop_reason"}
            message["usage"] = {**message["usage"], **event["usage"]}
    for block in message["content"]:
        so_far = block.pop("text_so_far")
        if block["type"] == "text":
            block["text"] = so_far
        else:
            block["text"] = so_far or "{}"
    return message


def chunks(message: Json, *, usage: bool) -> Iterator[Json]:
    """The message as the chunks of a Chat stream."""
    whole = _completion(message)
    choice = whole["choices"][0]

    def chunk(delta: Json, finish: str | None = None) -> Json:
        made = {
            "id": whole["id"],
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "right",
            "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
        }
        return {**made, "usage": None} if usage else made

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    if choice["message"]["content"]:
        yield chunk({"content": choice["message"]["content"]})
    if choice["message"].get("annotations"):
        yield chunk({"annotations": choice["message"]["annotations"]})
    for number, call in enumerate(choice["message"].get("tool_calls", ())):
        begun = {**call, "index": number, "function": {**call["function"], "arguments": ""}}
        yield chunk({"tool_calls": [begun]})
        yield chunk({"tool_calls": [{"index": number, "function": {"arguments": call["function"]["arguments"]}}]})
    yield chunk({}, choice["finish_reason"])
    if usage:
        yield {**chunk({}), "choices": [], "usage": whole.get("usage")}


def _deltas(choice: Json) -> list[Json]:
    """The fragments of calls in a chunk."""
    found: list[Json] = choice["delta"].get("tool_calls", [])
    return found


def _json(status: int, body: Json) -> Answer:
    return status, [("content-type", "application/json")], json.dumps(body).encode()


def _events(events: list[Json]) -> Answer:
    text = "".join(f"data: {json.dumps(each)}\n\n" for each in events) + "data: [DONE]\n\n"
    return 200, [("content-type", "text/event-stream")], text.encode()


def _failed(fault: str, status: int, body: Json) -> Answer:
    message = body["error"]["message"] if fault != "error-without-words" else "Something failed."
    if fault == "error-becomes-200":
        return _json(200, _completion({"content": [{"type": "text", "text": message}], "stop_reason": "end_turn"}))
    if fault == "error-becomes-500":
        status = 500
    error = {"message": message, "type": _ERRORS.get(status, "server_error"), "param": None, "code": None}
    return _json(503 if status == 529 else status, {"error": error})


def _stream_failed(chat: Json) -> Answer:
    error = {"message": "Something went wrong.", "type": "server_error", "param": None, "code": None}
    text = f"data: {json.dumps({'error': error})}\n\n"
    if not chat.get("stream"):
        return _json(500, {"error": error})
    return 200, [("content-type", "text/event-stream")], text.encode()


def _calls(body: Json) -> list[tuple[list[Json], int]]:
    """The calls of a request's history, each with the list that it is in and its place there."""
    lists = [each["content"] for each in body["messages"] if each["role"] == "assistant"]
    return [(blocks, at) for blocks in lists for at, block in enumerate(blocks) if block["type"] == "tool_use"]


def _results(body: Json) -> list[list[Json]]:
    """The lists of results in a request's history."""
    lists = [each["content"] for each in body["messages"] if each["role"] == "user"]
    lists = [each for each in lists if isinstance(each, list)]
    return [each for each in lists if each and each[0]["type"] == "tool_result"]


def _drop_system(body: Json) -> None:
    body.pop("system", None)


def _double_call(body: Json) -> None:
    for blocks, at in _calls(body)[:1]:
        blocks.append({**blocks[at], "id": "toolu_doubled"})


def _merge_arguments(body: Json) -> None:
    by_list: dict[int, list[tuple[list[Json], int]]] = {}
    for blocks, at in _calls(body):
        by_list.setdefault(id(blocks), []).append((blocks, at))
    for places in by_list.values():
        if len(places) > 1:
            blocks, first = places[0]
            blocks[first]["input"] = {key: str(value) * 2 for key, value in blocks[first]["input"].items()}
            del blocks[places[1][1]]


def _swap_results(body: Json) -> None:
    for results in _results(body):
        if len(results) > 1:
            results[0]["content"], results[1]["content"] = results[1]["content"], results[0]["content"]


def _reorder_results(body: Json) -> None:
    for results in _results(body):
        results.reverse()


def _lose_result(body: Json) -> None:
    for results in _results(body):
        if len(results) > 1:
            del results[0]


def _mark_error(body: Json) -> None:
    for results in _results(body):
        results[0]["is_error"] = True


def _result_as_python(body: Json) -> None:
    for results in _results(body):
        results[0]["content"] = str(json.loads(results[0]["content"]))


def _rename_tool(body: Json) -> None:
    for tool in body.get("tools", ()):
        tool["name"] = f"fn_{tool['name']}"


def _drop_description(body: Json) -> None:
    for tool in body.get("tools", ()):
        tool.pop("description", None)


def _drop_schema(body: Json) -> None:
    for tool in body.get("tools", ()):
        tool["input_schema"] = {"type": "object", "properties": {}}


def _drop_enum(body: Json) -> None:
    for tool in body.get("tools", ()):
        for each in tool["input_schema"].get("properties", {}).values():
            each.pop("enum", None)


def _drop_definitions(body: Json) -> None:
    for tool in body.get("tools", ()):
        tool["input_schema"].pop("$defs", None)


def _inline_definitions(body: Json) -> None:
    for tool in body.get("tools", ()):
        definitions = tool["input_schema"].pop("$defs", {})
        for name, each in tool["input_schema"].get("properties", {}).items():
            if "$ref" in each:
                tool["input_schema"]["properties"][name] = definitions[each["$ref"].removeprefix("#/$defs/")]


def _drop_additional(body: Json) -> None:
    for tool in body.get("tools", ()):
        tool["input_schema"].pop("additionalProperties", None)


def _drop_top_p(body: Json) -> None:
    body.pop("top_p", None)


def _change_type(body: Json) -> None:
    for tool in body.get("tools", ()):
        for each in tool["input_schema"].get("properties", {}).values():
            each["type"] = "object"


def _drop_tool(body: Json) -> None:
    del body["tools"][-1]


def _drop_choice(body: Json) -> None:
    body.pop("tool_choice", None)


def _same_ids(body: Json) -> None:
    for blocks, at in _calls(body):
        blocks[at]["id"] = f"call_{blocks[at]['name']}"
    for results in _results(body):
        for result in results:
            result["tool_use_id"] = "call_get_weather"


def _lose_history(body: Json) -> None:
    if len(body["messages"]) > 3:
        del body["messages"][1:3]


def _change_max_tokens(body: Json) -> None:
    body["max_tokens"] = 4096


def _drop_stop(body: Json) -> None:
    body.pop("stop_sequences", None)


def _drop_strict(body: Json) -> None:
    for tool in body.get("tools", ()):
        tool.pop("strict", None)


def _drop_flag(body: Json) -> None:
    body.get("tool_choice", {}).pop("disable_parallel_tool_use", None)


def _change_top_p(body: Json) -> None:
    body["top_p"] = 1


def _drop_image(body: Json) -> None:
    for message in body["messages"]:
        if isinstance(message["content"], list):
            message["content"] = [each for each in message["content"] if each["type"] != "image"]


def _change_image_type(body: Json) -> None:
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "image":
                block["source"]["media_type"] = "image/jpeg"


def _drop_falsy(body: Json) -> None:
    if not body.get("temperature"):
        body.pop("temperature", None)


def _keep_first_result_part(body: Json) -> None:
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_result" and isinstance(block["content"], list):
                block["content"] = block["content"][:1]


def _drop_empty_result(body: Json) -> None:
    for message in body["messages"]:
        if isinstance(message["content"], list):
            message["content"] = [each for each in message["content"] if each.get("content", "x") != ""]
    body["messages"] = [each for each in body["messages"] if each["content"]]


def _drop_output(body: Json) -> None:
    body.pop("output_config", None)


def _drop_output_required(body: Json) -> None:
    if "output_config" in body:
        body["output_config"]["format"]["schema"] = {**body["output_config"]["format"]["schema"], "required": []}


def _keep_first_part(body: Json) -> None:
    if "\n\n" in body.get("system", ""):
        body["system"] = body["system"].partition("\n\n")[0]


def _drop_result_parts(body: Json) -> None:
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_result" and isinstance(block["content"], list):
                block["content"] = ""


def _set_temperature(body: Json) -> None:
    body["temperature"] = 1.0


def _change_text(body: Json) -> None:
    for message in body["messages"]:
        if isinstance(message["content"], str):
            message["content"] = message["content"].encode("ascii", "replace").decode()


def _no_stream(body: Json) -> None:
    body.pop("stream", None)


def _drop_usage(message: Json) -> None:
    message.pop("usage", None)


def _change_usage(message: Json) -> None:
    message["usage"]["output_tokens"] += 7


def _forget_cache(message: Json) -> None:
    usage = message["usage"]
    usage["input_tokens"] += usage.pop("cache_read_input_tokens", 0)


def _change_stop(message: Json) -> None:
    message["stop_reason"] = "end_turn"


def _lose_call(message: Json) -> None:
    calls = [block for block in message["content"] if block["type"] == "tool_use"]
    if len(calls) > 1:
        message["content"].remove(calls[1])


def _collide_ids(message: Json) -> None:
    for block in message["content"]:
        if block["type"] == "tool_use":
            block["id"] = "call_1"


def _lose_text(message: Json) -> None:
    if any(block["type"] == "tool_use" for block in message["content"]):
        message["content"] = [block for block in message["content"] if block["type"] != "text"]


def _strip_text(message: Json) -> None:
    for block in message["content"]:
        if block["type"] == "text":
            block["text"] = block["text"].strip()


def _double_text(message: Json) -> None:
    for block in message["content"]:
        if block["type"] == "text":
            block["text"] *= 2


def _round_numbers(message: Json) -> None:
    for block in message["content"]:
        if block["type"] == "tool_use":
            arguments = json.loads(block.pop("text")) if "text" in block else block["input"]
            block["input"] = {
                key: float(value) * 1.5 if isinstance(value, int) and not isinstance(value, bool) else value
                for key, value in arguments.items()
            }


def _reorder_calls(message: Json) -> None:
    message["content"].reverse()


def _rename_call(message: Json) -> None:
    for block in message["content"]:
        if block["type"] == "tool_use":
            block["name"] = block["name"].replace("_", "-")


UP = {
    "drops-system": _drop_system,
    "doubles-call": _double_call,
    "merges-arguments": _merge_arguments,
    "swaps-results": _swap_results,
    "reorders-results": _reorder_results,
    "loses-result": _lose_result,
    "marks-error": _mark_error,
    "result-as-python": _result_as_python,
    "renames-tool": _rename_tool,
    "drops-description": _drop_description,
    "drops-schema": _drop_schema,
    "drops-enum": _drop_enum,
    "drops-definitions": _drop_definitions,
    "inlines-definitions": _inline_definitions,
    "drops-additional-properties": _drop_additional,
    "drops-top-p": _drop_top_p,
    "changes-type": _change_type,
    "drops-tool": _drop_tool,
    "drops-choice": _drop_choice,
    "same-ids": _same_ids,
    "loses-history": _lose_history,
    "changes-max-tokens": _change_max_tokens,
    "changes-text": _change_text,
    "sets-temperature": _set_temperature,
    "drops-stop": _drop_stop,
    "drops-image": _drop_image,
    "changes-image-type": _change_image_type,
    "drops-falsy": _drop_falsy,
    "keeps-first-result-part": _keep_first_result_part,
    "drops-empty-result": _drop_empty_result,
    "drops-output": _drop_output,
    "drops-output-required": _drop_output_required,
    "keeps-first-part": _keep_first_part,
    "drops-result-parts": _drop_result_parts,
    "drops-strict": _drop_strict,
    "drops-flag": _drop_flag,
    "changes-top-p": _change_top_p,
    "asks-without-stream": _no_stream,
}
DOWN = {
    "drops-usage": _drop_usage,
    "changes-usage": _change_usage,
    "forgets-cache": _forget_cache,
    "changes-stop": _change_stop,
    "loses-call": _lose_call,
    "collides-ids": _collide_ids,
    "loses-text": _lose_text,
    "strips-text": _strip_text,
    "doubles-text": _double_text,
    "rounds-numbers": _round_numbers,
    "reorders-calls": _reorder_calls,
    "renames-call": _rename_call,
}

if __name__ == "__main__":
    serve(handle)
