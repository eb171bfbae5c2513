"""Text dialects of chats in raw prompts: which requests are theirs, what is read, and conversations."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.judge.proofs.bases import base
from conformance.judge.proofs.example import Example
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange, Headers, Request
from conformance.model.registry import all_dialects, claimants, layers_of
from conformance.reference.answering import answer_to
from conformance.scenario.load import all_scenarios

URL = "http://reference.localhost/v1/completions"
NAMES = ("prompted", "react", "rewoo")


def body_of(name: str) -> dict[str, Any]:
    body: dict[str, Any] = base(name)[0]["request"]["body"]
    return body


def exchange(name: str) -> Exchange:
    return Example(name).exchanges()[0]


def claimed(body: Any, url: str = URL) -> list[str]:
    return [dialect.name for dialect in claimants(Request("POST", url, body=Body(body)))]


@pytest.mark.parametrize("name", NAMES)
def test_a_raw_prompt_has_two_layers(name: str) -> None:
    assert claimed(body_of(f"{name}/raw-call")) == ["openai-completions", name]
    assert claimed({**body_of(f"{name}/raw-call"), "prompt": [body_of(f"{name}/raw-call")["prompt"]]})[1:] == [name]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "changed",
    [
        {"echo": True},
        {"prompt": "How warm is it in Seoul?"},
        {"prompt": ["How warm is it", "in Seoul?"]},
        {"prompt": [1, 2, 3]},
        {"prompt": None},
    ],
    ids=["echo", "plain", "several", "tokens", "null"],
)
def test_other_raw_prompts_are_nobodys(name: str, changed: Any) -> None:
    assert claimed({**body_of(f"{name}/raw-call"), **changed}) == ["openai-completions"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("begin", ["[INST] ", "<start_of_turn>user\n", "<|user|>\n"])
def test_the_prompt_of_a_chat_template_is_not_read(name: str, begin: str) -> None:
    body = body_of(f"{name}/raw-call")
    assert claimed({**body, "prompt": f"{begin}{body['prompt']}"}) == ["openai-completions"]


@pytest.mark.parametrize("name", NAMES)
def test_the_prompt_of_qwen3_stays_qwen3s(name: str) -> None:
    body = body_of(f"{name}/raw-call")
    framed = f"<|im_start|>user\n{body['prompt']}<|im_end|>\n<|im_start|>assistant\n"
    assert claimed({**body, "prompt": framed}) == ["openai-completions", "qwen3"]


@pytest.mark.parametrize(
    "prompt",
    [
        "Which log is this?\n\nThought: I look.\nAction: search\nAction Input: {}\nObservation: nothing\n",
        "What does the tag <function_call> mean?",
        "Plan: a holiday in Seoul.",
    ],
)
def test_a_mere_mention_is_no_announcement(prompt: str) -> None:
    assert claimed({"model": "m", "prompt": prompt}) == ["openai-completions"]


@pytest.mark.parametrize("name", NAMES)
def test_a_forced_dialect_has_the_host_of_the_request(name: str) -> None:
    chat, raw = (exchange(f"{name}/{each}").request for each in ("call", "raw-call"))
    assert [each.name for each in layers_of(name, chat)] == ["openai-chat", name]
    assert [each.name for each in layers_of(name, raw)] == ["openai-completions", name]
    checker = Checker(name)
    assert checker.feed(exchange(f"{name}/raw-call")) == []


@pytest.mark.parametrize("name", ["react/raw-call", "react/raw-stream", "rewoo/raw-call", "prompted/raw-call"])
def test_the_call_of_a_raw_reply_is_read(name: str) -> None:
    found = exchange(name)
    readers = all_dialects()[name.partition("/")[0]].readers
    events = readers.sse_events(found)
    [turn] = readers.replies(None if events else found.response.body.json, events)
    [call] = turn.calls
    assert (call.name, call.arguments, turn.stop) == (
        "get_weather",
        {"latitude": 37.57, "longitude": 126.98},
        "tool-calls",
    )


def test_the_steps_of_a_raw_prompt_are_turns() -> None:
    request = exchange("react/raw-answer").request
    history = all_dialects()["react"].readers.read_request(request, request.body.json).history
    assert [turn.role for turn in history] == ["user", "assistant", "tool"]
    assert history[0].text == "How warm is it in Seoul?"


def spoken(request: Request, checker: Checker) -> str:
    """The text with which the reference server answers; nothing is found in request and answer."""
    sent = Exchange(request, answer_to(request, all_scenarios()).rendered.response, complete=True, group="talk")
    assert checker.feed(sent) == []
    layers = claimants(request)
    [turn] = layers[0].readers.replies(sent.response.body.json, layers[0].readers.sse_events(sent))
    return turn.text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("stream", [False, True])
def test_a_conversation_with_the_reference_server(name: str, stream: bool) -> None:  # noqa: FBT001
    question, checker = all_scenarios()["weather"].conversations[0].user, Checker()
    body = {**body_of(f"{name}/raw-call"), "stream": stream}

    def ask(prompt: str) -> str:
        headers = Headers([("content-type", "application/json"), ("accept", "application/json")])
        return spoken(Request("POST", URL, headers, Body({**body, "prompt": prompt})), checker)

    prompt = body["prompt"].replace("How warm is it in Seoul?", question)
    called = ask(prompt)
    assert "get_weather" in called
    if name == "react":
        answer = ask(f'{prompt}{called}\nObservation: {{"temperature": 14.2}}\nThought:')
        assert "Final Answer: " in answer
    elif name == "rewoo":
        solve = body_of("rewoo/raw-answer")["prompt"].replace("How warm is it in Seoul?", question)
        plan, evidence = called.strip(), '{"temperature": 14.2}'
        before, _, after = solve.partition("Plan: ")
        rest = after[after.index("\n\nNow begin") :]
        answer = ask(f"{before}{plan}\nEvidence:\n{evidence}{rest}")
        assert "Plan:" not in answer


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.update(tools=[{"type": "function", "function": {"name": "get_weather"}}]),
        lambda body: body["messages"][2].update(tool_calls=[{"id": "call_1"}]),
        lambda body: body["messages"][0].update(content="Write calls in <tool_call> tags; there are no <tools>."),
        lambda body: body["messages"][1].update(content="What does <|im_start|> mean?"),
    ],
    ids=["native-tools", "native-calls", "no-tools", "a-frame"],
)
def test_a_chat_is_qwen3s_only_if_its_system_message_declares_the_tools(change: Any) -> None:
    body, url = copy.deepcopy(body_of("qwen3/chat-answer")), URL.replace("/completions", "/chat/completions")
    assert claimed(body, url) == ["openai-chat", "qwen3"]
    change(body)
    assert claimed(body, url) == ["openai-chat"]


def test_the_tools_calls_and_results_of_a_chat_in_tags_are_read_at_their_messages() -> None:
    ask = View(exchange("qwen3/chat-answer"), all_dialects()["qwen3"]).ask
    assert [tool.name for tool in ask.tools or ()] == ["get_weather"]
    assert [(turn.role, turn.pointer) for turn in ask.history] == [
        ("system", "/messages/0/content"),
        ("user", "/messages/1/content"),
        ("assistant", "/messages/2/content"),
        ("tool", "/messages/3/content"),
    ]
    assert [call.arguments for call in ask.history[2].calls] == [{"city": "Seoul"}]


@pytest.mark.parametrize("form", ["llama3-custom", "llama3-json", "llama3-builtin"])
def test_a_chat_with_the_instructions_of_meta_is_read_in_their_form(form: str) -> None:
    url = URL.replace("/completions", "/chat/completions")
    body = body_of(f"{form}/chat-call")
    assert claimed(body, url) == ["openai-chat", form]
    assert claimed({**body, "tools": [{"type": "function", "function": {"name": "get_weather"}}]}, url) == [
        "openai-chat"
    ]
    assert claimed({**body, "messages": [{"role": "user", "content": "What is <function=f> in Python?"}]}, url) == [
        "openai-chat"
    ]
    view = View(exchange(f"{form}/chat-call"), all_dialects()[form])
    [call] = view.replies[0].calls
    assert call.name in {tool.name for tool in view.ask.tools or ()}
    assert Checker().feed(exchange(f"{form}/chat-call")) == []


def test_the_turn_after_a_call_in_a_chat_is_its_result() -> None:
    history = View(exchange("llama3-custom/chat-answer"), all_dialects()["llama3-custom"]).ask.history
    assert [turn.role for turn in history] == ["system", "user", "assistant", "tool"]
    assert [result.content for result in history[3].results] == ['{"temperature": 14.2}']
    assert history[3].pointer.startswith("/messages/3")


def test_definitions_in_a_prompt_without_tags_have_their_schemas() -> None:
    body = copy.deepcopy(body_of("prompted/call"))
    for tag in ("<tool_list>\n", "\n</tool_list>"):
        body["messages"][0]["content"] = body["messages"][0]["content"].replace(tag, "")
    sent = Exchange.of({"request": {"method": "POST", "url": URL, "body": body}, "response": {"status": 200}})
    [tool] = View(sent, all_dialects()["prompted"]).ask.tools or ()
    assert tool.name == "get_weather"
    assert tool.parameters["required"] == ["latitude", "longitude"]


def test_a_plan_is_asked_for_without_a_line_that_begins_it() -> None:
    asked = "Store evidence in #E. (Plan, #E1, Plan, #E2, ...)\n\nGoogle[input]: searches.\n\nTask: How warm is it?"
    body = {"model": "m", "messages": [{"role": "user", "content": asked}]}
    request = {"method": "POST", "url": URL.replace("/completions", "/chat/completions"), "body": body}
    sent = Exchange.of({"request": request, "response": {"status": 200}})
    assert [dialect.name for dialect in claimants(sent.request)] == ["openai-chat", "rewoo"]
    assert View(sent, all_dialects()["rewoo"]).ask.history[-1].text == "How warm is it?"
