"""Runs third-party clients against the reference server, without and with faults: `make clients`.

    python examples/clients/run.py --folder .clients --behaviour faults

Installs each client into a folder (environments of Python, one folder of npm packages), runs its program through
`conformance serve`, keeps the JSON reports in the folder, and prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE = {
    "node": [
        "openai@6",
        "@anthropic-ai/sdk@1",
        "@google/genai@2",
        "ai@6",
        "@ai-sdk/openai@3",
        "@ai-sdk/anthropic@3",
        "@ai-sdk/google@3",
        "langchain@1",
        "@langchain/core@1",
        "@langchain/openai@1",
        "@langchain/anthropic@1",
        "@openai/agents",
        "@mastra/core",
        "zod",
    ],
    "node-genkit": ["genkit", "@genkit-ai/compat-oai", "@genkit-ai/google-genai", "zod"],
    "node-strands": ["@strands-agents/sdk", "openai", "@anthropic-ai/sdk", "zod"],
}
"""The npm packages of each folder: Genkit and Strands need different versions of OpenTelemetry."""


@dataclass(frozen=True)
class Program:
    """One client: the group of its environment, its script and the argument of the script."""

    name: str
    group: str
    script: str
    argument: str = ""


GROUPS = {
    "sdk": ["openai", "anthropic", "google-genai"],
    "pydantic": ["pydantic-ai-slim[openai,anthropic,google]"],
    "agents": ["openai-agents"],
    "instructor": ["instructor"],
    "litellm": ["litellm", "mcp"],
    "smol": ["smolagents", "openai"],
    "lc": ["langchain", "langchain-openai", "langchain-anthropic", "langchain-google-genai"],
    "llama": ["llama-index-core", "llama-index-llms-openai"],
    "strands": ["strands-agents[openai,anthropic]"],
    "anyllm": ["any-llm-sdk[openai,anthropic]"],
    "haystack": ["haystack-ai"],
    "semantic": ["semantic-kernel[anthropic]"],
    "autogen": ["autogen-agentchat", "autogen-ext[openai,anthropic]", "anthropic<1"],
    "agno": ["agno", "openai", "anthropic"],
    "mirascope": ["mirascope[openai,anthropic]"],
    "adk": ["google-adk"],
}
PROGRAMS = [
    Program("openai (Python), Chat", "sdk", "openai_chat.py"),
    Program("openai (Python), Responses", "sdk", "openai_responses.py"),
    Program("anthropic (Python)", "sdk", "anthropic_messages.py"),
    Program("google-genai (Python)", "sdk", "google_genai.py"),
    Program("openai (Node), Chat", "node", "openai_chat.mjs"),
    Program("openai (Node), Responses", "node", "openai_responses.mjs"),
    Program("@anthropic-ai/sdk", "node", "anthropic_messages.mjs"),
    Program("@google/genai", "node", "google_genai.mjs"),
    Program("AI SDK, OpenAI Responses", "node", "ai_sdk.mjs", "openai"),
    Program("AI SDK, OpenAI Chat", "node", "ai_sdk.mjs", "openai-chat"),
    Program("AI SDK, Anthropic", "node", "ai_sdk.mjs", "anthropic"),
    Program("AI SDK, Google", "node", "ai_sdk.mjs", "google"),
    Program("LangChain (Node), Anthropic", "node", "langchain.mjs", "anthropic"),
    Program("@openai/agents", "node", "openai_agents.mjs"),
    Program("Mastra, OpenAI", "node", "mastra.mjs"),
    Program("pydantic-ai, OpenAI Chat", "pydantic", "pydantic_ai_client.py", "openai-chat"),
    Program("pydantic-ai, Anthropic", "pydantic", "pydantic_ai_client.py", "anthropic"),
    Program("pydantic-ai, Google", "pydantic", "pydantic_ai_client.py", "google"),
    Program("openai-agents, Responses", "agents", "openai_agents_client.py", "responses"),
    Program("openai-agents, Chat", "agents", "openai_agents_client.py", "chat"),
    Program("instructor, OpenAI", "instructor", "instructor_client.py"),
    Program("LiteLLM, OpenAI", "litellm", "litellm_client.py", "openai"),
    Program("LiteLLM, Anthropic", "litellm", "litellm_client.py", "anthropic"),
    Program("smolagents, OpenAI", "smol", "smolagents_client.py"),
    Program("LangChain (Python), OpenAI", "lc", "langchain_client.py", "openai"),
    Program("LangChain (Python), Anthropic", "lc", "langchain_client.py", "anthropic"),
    Program("LangChain (Python), Google", "lc", "langchain_client.py", "google"),
    Program("LlamaIndex, OpenAI", "llama", "llama_index_client.py"),
    Program("Strands, OpenAI", "strands", "strands_client.py", "openai"),
    Program("Strands, Anthropic", "strands", "strands_client.py", "anthropic"),
    Program("any-llm, OpenAI", "anyllm", "any_llm_client.py", "openai"),
    Program("any-llm, Anthropic", "anyllm", "any_llm_client.py", "anthropic"),
    Program("Haystack, OpenAI", "haystack", "haystack_client.py"),
    Program("Semantic Kernel, OpenAI", "semantic", "semantic_kernel_client.py", "openai"),
    Program("AutoGen, OpenAI", "autogen", "autogen_client.py", "openai"),
    Program("Agno, OpenAI Chat", "agno", "agno_client.py", "openai"),
    Program("Mirascope, OpenAI Chat", "mirascope", "mirascope_client.py", "openai"),
    Program("Google ADK, Gemini", "adk", "adk_client.py"),
    Program("Genkit, OpenAI Chat", "node-genkit", "genkit.mjs", "openai"),
    Program("Strands (TypeScript), OpenAI Chat", "node-strands", "strands.mjs", "openai"),
    Program("Genkit, Gemini", "node-genkit", "genkit.mjs", "google"),
    Program("Strands (TypeScript), Anthropic", "node-strands", "strands.mjs", "anthropic"),
    Program("Semantic Kernel, Anthropic", "semantic", "semantic_kernel_client.py", "anthropic"),
    Program("AutoGen, Anthropic", "autogen", "autogen_client.py", "anthropic"),
    Program("Agno, Anthropic", "agno", "agno_client.py", "anthropic"),
    Program("Mirascope, Anthropic", "mirascope", "mirascope_client.py", "anthropic"),
]


def installed(program: Program, folder: Path) -> list[str]:
    """The command of a program; its packages are installed first if they are not there."""
    more = [program.argument] if program.argument else []
    if program.group in NODE:
        home = folder / program.group
        home.mkdir(parents=True, exist_ok=True)
        if not (home / "node_modules").is_dir():
            subprocess.run(["npm", "install", "--no-audit", "--no-fund", *NODE[program.group]], cwd=home, check=True)
        for script in (HERE / "node").glob("*.mjs"):
            shutil.copy(script, home)
        return ["node", str(home / program.script), *more]
    home = folder / f"venv-{program.group}"
    if not home.is_dir():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(home / "bin" / "pip"), "install", "--quiet", *GROUPS[program.group]], check=True)
    return [str(home / "bin" / "python"), str(HERE / "python" / program.script), *more]


def report_of(program: Program, folder: Path, behaviour: str) -> Path:
    """The file of a program's JSON report."""
    return folder / f"{program.script}{program.argument}-{behaviour or 'usual'}.json"


def judged(program: Program, folder: Path, behaviour: str, timeout: str) -> dict:
    """The JSON report of a program's runs."""
    report = report_of(program, folder, behaviour)
    command = [sys.executable, "-m", "conformance", "serve", "--quiet", "--format", "json", "--timeout", timeout]
    chosen = ["--behaviour", behaviour] if behaviour else []
    subprocess.run([*command, "--output", str(report), *chosen, "--", *installed(program, folder)], check=False)
    return json.loads(report.read_text(encoding="utf-8"))


def row(program: Program, report: dict) -> str:
    """One line of the table: the sums, and what went wrong silently."""
    played = [each for session in report["sessions"] for each in session["conversations"]]
    ended = sum(each["outcome"] in ("complete", "handled") for each in played)
    faults = report.get("faults", [])
    counts = [
        sum(each["verdict"] == name for each in faults) for name in ("handled", "failed honestly", "silently wrong")
    ]
    silent = "; ".join(f"`{each['behaviour']}`" for each in faults if each["verdict"] == "silently wrong")
    findings = f"{report['summary']['errors']} / {report['summary']['warnings']}"
    wrong = f"{counts[2]}{f': {silent}' if silent else ''}"
    return f"| {program.name} | {ended} of {len(played)} | {findings} | {counts[0]} | {counts[1]} | {wrong} |"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(".clients"))
    parser.add_argument("--behaviour", default="faults", help="all, faults, or empty for none")
    parser.add_argument("--only", nargs="*", default=[""], help="only programs whose name contains one of these")
    parser.add_argument("--timeout", default="60")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    print("| client | scenarios finished | errors / warnings | handled | failed honestly | silently wrong |")
    print("| --- | --- | --- | --- | --- | --- |")
    for program in PROGRAMS:
        if any(word.lower() in program.name.lower() for word in chosen.only):
            found = judged(program, chosen.folder.resolve(), chosen.behaviour, chosen.timeout)
            print(row(program, found), flush=True)


if __name__ == "__main__":
    main()
