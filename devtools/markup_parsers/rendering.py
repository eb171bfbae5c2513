"""Renders calls with a published chat template itself, as Transformers does, to see whether we read what it writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2.sandbox import SandboxedEnvironment

from conformance.dialects.text.markup import Call, Markup
from devtools.markup_parsers.texts import Sample
from devtools.markup_parsers.writing import Called

TEMPLATES = {
    "qwen3-coder": "Qwen3-Coder",
    "glm": "GLM-4.6",
    "kimi": "Kimi-K2-Instruct",
    "deepseek": "deepseek-ai-DeepSeek-V3.1",
    "minimax": "MiniMax-M2",
    "gpt-oss": "openai-gpt-oss-120b",
    "mistral": "unsloth-mistral-Devstral-Small-2507",
    "granite": "ibm-granite-granite-4.0",
    "deepseek-r1": "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
    "deepseek-v3.2": "deepseek-ai-DeepSeek-V3.2",
    "deepseek-v4": "deepseek-ai-DeepSeek-V4",
    "mistral-nemo": "mistralai-Mistral-Nemo-Instruct-2407",
}
"""The templates that llama.cpp keeps; that of Granite 3.3 writes no calls."""


def rendered(markup: str, template: str, calls: Sequence[Called]) -> str:
    """The model's turn with the calls."""
    environment = SandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.filters["tojson"] = lambda value, **_options: json.dumps(value, ensure_ascii=False)
    environment.globals |= {"raise_exception": _refuse, "strftime_now": lambda form: datetime.now(UTC).strftime(form)}
    turn = environment.from_string(template)
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Hi"}]
    before = turn.render(messages=messages, add_generation_prompt=False, bos_token="", eos_token="")
    called = [_called(number, *call) for number, call in enumerate(calls)]
    turns = [[each] for each in called] if markup == "gpt-oss" else [called]
    messages += ({"role": "assistant", "content": "", "tool_calls": each} for each in turns)
    whole = turn.render(messages=messages, add_generation_prompt=False, bos_token="", eos_token="")
    return whole.removeprefix(before)


def _called(number: int, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": f"call{number:05}", "type": "function", "function": {"name": name, "arguments": dict(arguments)}}


def _refuse(message: str) -> None:
    raise ValueError(message)


def misread(samples: Sequence[Sample], folder: Path) -> Iterator[tuple[Sample, str]]:
    """The samples whose calls we do not read from what the template writes, with that text."""
    for sample in samples:
        template = (folder / f"{TEMPLATES[sample.markup]}.jinja").read_text(encoding="utf-8")
        text = rendered(sample.markup, template, sample.calls)
        reader = Markup(sample.markup, tools=sample.tools)
        found = [
            (each.name, each.arguments) for each in (*reader.feed(text), *reader.finish()) if isinstance(each, Call)
        ]
        if found != [(name, dict(arguments)) for name, arguments in sample.calls]:
            yield sample, text
