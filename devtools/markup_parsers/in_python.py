"""Runs the parsers of vLLM and SGLang, each as it is in its wheel, over texts: started by `__main__` with their Python.

Reads one JSON object a line, and writes one. What the packages import around their parsers, and no parser uses (torch,
xgrammar), is replaced by modules without content; the packages' own `__init__` is not run.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.abc
import importlib.machinery
import json
import logging
import sys
import types
from typing import Any

ABSENT = (
    *("IPython", "cbor2", "cpuinfo", "ijson", "pybase64", "torch", "torchaudio", "torchvision", "tqdm", "uvloop"),
    *("xgrammar", "zmq"),
)
UNUSED = (
    *("vllm.config", "vllm.distributed", "vllm.inputs", "vllm.lora", "vllm.model_executor", "vllm.multimodal"),
    *("vllm.platforms", "vllm.transformers_utils", "vllm.v1.attention", "vllm.v1.core", "vllm.v1.engine"),
    *("vllm.v1.sample", "vllm.v1.spec_decode", "vllm.v1.worker"),
)
NAMES = {
    "vllm": {
        "qwen3-coder": "qwen3_coder",
        "glm": "glm45",
        "kimi": "kimi_k2",
        "deepseek": "deepseek_v31",
        "minimax": "minimax_m2",
        "mistral": "mistral",
        "granite": "granite4",
    },
    "sglang": {
        "qwen3-coder": "qwen3_coder",
        "glm": "glm45",
        "kimi": "kimi_k2",
        "deepseek": "deepseekv31",
        "minimax": "minimax-m2",
        "gpt-oss": "gpt-oss",
        "mistral": "mistral",
        "granite": "hermes",
    },
}
"""How each program calls the parser of a markup."""


class _Kind(type):
    """What has every name, and does nothing."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing

    def __getitem__(cls, _key: Any) -> Any:
        return cls

    def __setitem__(cls, _key: Any, _value: Any) -> None: ...

    def __or__(cls, _other: Any) -> Any:
        return cls

    def __ror__(cls, _other: Any) -> Any:
        return cls


class Nothing(metaclass=_Kind):
    """A value of a module that is not there."""

    def __init__(self, *_args: Any, **_kwargs: Any) -> None: ...

    def __call__(self, *args: Any, **_kwargs: Any) -> Any:
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    def __bool__(self) -> bool:
        return False

    def __lt__(self, _other: Any) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__

    @classmethod
    def __get_pydantic_core_schema__(cls, *_args: Any) -> Any:
        return importlib.import_module("pydantic_core").core_schema.any_schema()


class _Module(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name: str, _path: Any, _target: Any = None) -> Any:
        if any(name == each or name.startswith(f"{each}.") for each in (*ABSENT, *UNUSED)):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> Any:
        return _Module(spec.name)

    def exec_module(self, module: Any) -> None:
        module.__version__ = "0"


class _Tokens:
    """A tokenizer that has a token for each mark, and no other."""

    all_special_tokens: tuple[str, ...] = ()
    all_special_ids: tuple[int, ...] = ()

    def __init__(self, marks: list[str]) -> None:
        self.vocab = {mark: number for number, mark in enumerate(marks)}

    def get_vocab(self) -> dict[str, int]:
        return self.vocab

    def encode(self, _text: str, **_options: Any) -> list[int]:
        return []

    def decode(self, _ids: list[int], **_options: Any) -> str:
        return ""


def _of_vllm(name: str, text: str, tools: list[Any], marks: list[str]) -> list[Any]:
    protocol = importlib.import_module("vllm.entrypoints.openai.chat_completion.protocol")
    manager = importlib.import_module("vllm.tool_parsers").ToolParserManager
    request = protocol.ChatCompletionRequest(messages=[], model="m", tools=tools)
    parser = manager.get_tool_parser(name)(_Tokens(marks), request.tools)
    found = parser.extract_tool_calls(text, request)
    return [[each.function.name, each.function.arguments] for each in found.tool_calls]


def _of_sglang(name: str, text: str, tools: list[Any], _marks: list[str]) -> list[Any]:
    protocol = importlib.import_module("sglang.srt.entrypoints.openai.protocol")
    parser = importlib.import_module("sglang.srt.function_call.function_call_parser").FunctionCallParser
    _, found = parser([protocol.Tool(**each) for each in tools], name).parse_non_stream(text)
    return [[each.name, each.parameters] for each in found]


def main(program: str, site: str) -> None:
    """Writes the calls that the parser finds in each text, or what it raised."""
    package = types.ModuleType(program)
    package.__path__ = [f"{site}/{program}"]
    sys.modules[program] = package
    sys.path.insert(0, site)
    sys.meta_path.insert(0, _Finder())
    logging.disable(logging.CRITICAL)
    read = {"vllm": _of_vllm, "sglang": _of_sglang}[program]
    for line in sys.stdin:
        given = json.loads(line)
        name = NAMES[program].get(given["markup"])
        try:
            if name is None:
                result: Any = None
            else:
                result = read(name, given["text"], given["tools"], given["marks"])
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the result
            result = f"{type(error).__name__}: {error}"
        print(json.dumps(result), flush=True)  # noqa: T201 - its output


if __name__ == "__main__":
    asyncio.set_event_loop(asyncio.new_event_loop())
    main(*sys.argv[1:])
