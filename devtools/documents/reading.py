"""The documents that there are: what a folder holds, recognised by its content, and what the installed packages say."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from devtools.documents import discovery
from devtools.documents.schemas import Document, Spec
from devtools.places import ROOT

ENVIRONMENT = ROOT / ".venv-documents" / "bin" / "python"
"""Of the environment that `make documents` makes; without it the interpreter that runs this stands in."""
OPENAI, ANTHROPIC = "OpenAI's OpenAPI document", "Anthropic's OpenAPI document"
_BODIES: Mapping[str, Mapping[str, str]] = {
    OPENAI: {
        "openai-chat request": "CreateChatCompletionRequest",
        "openai-chat reply": "CreateChatCompletionResponse",
        "openai-chat chunk": "CreateChatCompletionStreamResponse",
        "openai-chat error": "ErrorResponse",
        "openai-chat sister": "CreateResponse",
        "openai-completions request": "CreateCompletionRequest",
        "openai-completions reply": "CreateCompletionResponse",
        "openai-completions chunk": "CreateCompletionResponse",
        "openai-completions error": "ErrorResponse",
        "openai-completions sister": "CreateChatCompletionRequest",
        "openai-responses request": "CreateResponse",
        "openai-responses reply": "Response",
        "openai-responses event": "ResponseStreamEvent",
        "openai-responses error": "ErrorResponse",
        "openai-responses sister": "CreateChatCompletionRequest",
    },
    ANTHROPIC: {
        "anthropic-messages request": "BetaCreateMessageParams",
        "anthropic-messages reply": "BetaMessage",
        "anthropic-messages event": "BetaMessageStreamEvent",
        "anthropic-messages error": "ErrorResponse",
        "anthropic-messages sister": "CompletionRequest",
    },
}
"""The schema of each body; `sister` is the request of another API of the same provider."""
EXPECTED: Mapping[str, tuple[str, ...]] = {
    "anthropic-messages": (ANTHROPIC, "anthropic", "anthropic beta", "botocore"),
    "bedrock-converse": ("botocore",),
    "cohere-chat": ("cohere",),
    "gemini": ("google-api-python-client", "google-genai", "google-ai-generativelanguage"),
    "gemini-interactions": ("google-genai interactions",),
    "mistral-conversations": ("mistralai conversations",),
    "ollama-chat": ("ollama",),
    "openai-chat": (OPENAI, "openai"),
    "openai-completions": (OPENAI, "openai"),
    "openai-responses": (OPENAI, "openai"),
}
"""The documents that are the floor of each dialect. MCP's are the schemas of its revisions."""
VENDORS: Mapping[str, tuple[str, ...]] = {
    "groq": ("openai-chat request", "openai-chat reply", "openai-chat chunk"),
    "cerebras_cloud_sdk": ("openai-chat request",),
    "mistralai": ("openai-chat request", "openai-chat reply"),
}
"""SDKs of providers that speak the format of another, whose fields its contract may have: no floor of it. What each
vendor documents by itself is in `Documents.vendors`."""
_PUBLISHED = ("google-ai-generativelanguage", "botocore")
"""Packages that have the provider's own description of the format, and not types that were written for a client."""
_MARKS = (
    ("2026-07-28", "DiscoverRequest"),
    ("2025-11-25", "CreateTaskResult"),
    ("2025-06-18", "ResourceLink"),
    ("2025-03-26", "AudioContent"),
    ("2024-11-05", "InitializeRequest"),
)
"""The definition that came with each revision of MCP, the latest first."""


@dataclass(frozen=True)
class Vendor:
    """What a provider documents of a format that is another's: by body, under its profile's name."""

    profile: str
    document: str
    version: str
    bodies: Mapping[str, Spec]


@dataclass(frozen=True)
class Documents:
    """All that was found: the documents of each body by their names, MCP's schemas by revision, and pages of text.

    A page has the name of its document and its place in it. `versions` has that of each document, by its name.
    """

    bodies: Mapping[str, Mapping[str, Spec]]
    revisions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    pages: Mapping[tuple[str, str], str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    vendors: tuple[Vendor, ...] = ()

    def of(self, body: str, *, vendors: bool = False) -> list[Spec]:
        """What the documents say of a body, `<dialect> <subject>`: those of its owner, or of the other vendors."""
        found = self.bodies.get(body, {})
        return [each for name, each in found.items() if (name in VENDORS) is vendors]

    def absent(self, dialect: str) -> list[str]:
        """The documents of a dialect that were not found."""
        there = {name for body, found in self.bodies.items() if body.startswith(f"{dialect} ") for name in found}
        return [name for name in EXPECTED[dialect] if name not in there]


def documents(
    folder: Path | None,
    *,
    packages: Mapping[str, Any] | None = None,
    explained: bool = False,
    vendors: bool = False,
) -> Documents:
    """What a folder documents, and what the packages say: by default those that are installed.

    `explained` asks for what the SDKs write about their fields, too; `vendors` for OpenAI and the vendors alone.
    """
    bodies: dict[str, dict[str, Spec]] = {}
    revisions: dict[str, Mapping[str, Any]] = {}
    versions: dict[str, str] = {}
    of_vendors: list[Vendor] = []
    for content in () if folder is None else _contents(folder):
        schemas = (content.get("components") or {}).get("schemas") or {}
        name = _openapi(schemas)
        if name:
            _add(bodies, Document(name, schemas), _BODIES[name])
            versions.setdefault(name, _digest(json.dumps(schemas, default=str)))
        revision = revision_of(content)
        if revision and revision not in revisions:
            revisions[revision] = content
            versions[revision] = _digest(json.dumps(content))
    pages = {} if folder is None else dict(_pages(folder))
    for document in dict.fromkeys(name for name, _ in pages):
        text = "\n".join(each for (name, _), each in sorted(pages.items()) if name == document)
        versions[document] = _digest(text)
    for name, found in (_installed(explained=explained, vendors=vendors) if packages is None else packages).items():
        if "vendor" in found:
            own = Document(name, found["definitions"], of_sdk=True)
            specs = {body: own.spec(root) for body, root in found["roots"].items()}
            of_vendors.append(Vendor(found["vendor"], name, found["version"], specs))
            kept = {body: root for body, root in found["roots"].items() if body in VENDORS.get(name, ())}
            _add(bodies, own, kept)
            versions |= {name: found["version"]} if kept else {}
            continue
        versions[name] = found.get("version", "")
        if "pages" in found:
            pages |= {(name, where): text for where, text in found["pages"].items()}
        elif "discovery" in found:
            _add(bodies, Document(name, discovery.definitions(found["discovery"])), discovery.ROOTS)
        else:
            of_sdk = name not in _PUBLISHED
            _add(bodies, Document(name, found["definitions"], of_sdk=of_sdk), found["roots"])
    return Documents(bodies, revisions, pages, versions, tuple(of_vendors))


def revision_of(content: Mapping[str, Any]) -> str:
    """The revision of MCP whose schema this is; empty where it is none."""
    found = content.get("$defs") or content.get("definitions") or {}
    if "JSONRPCRequest" not in found:
        return ""
    return next((revision for revision, mark in _MARKS if mark in found), "")


def _openapi(schemas: Mapping[str, Any]) -> str:
    roots = (
        (name, bodies["openai-chat request" if name == OPENAI else "anthropic-messages request"])
        for name, bodies in _BODIES.items()
    )
    return next((name for name, root in roots if root in schemas), "")


def _add(bodies: dict[str, dict[str, Spec]], document: Document, roots: Mapping[str, str]) -> None:
    for body, root in roots.items():
        if root in document.definitions:
            bodies.setdefault(body, {}).setdefault(document.name, document.spec(root))


def _contents(folder: Path) -> Iterator[Mapping[str, Any]]:
    """The JSON and YAML documents in a folder and below it; of two with one content the first counts."""
    for path in sorted(each for each in folder.rglob("*") if each.suffix in (".json", ".yaml", ".yml")):
        read = json.loads if path.suffix == ".json" else _yaml
        try:
            content = read(path.read_text(encoding="utf-8"))
        except (ValueError, yaml.YAMLError):
            continue
        if isinstance(content, dict) and isinstance(content.get("components", {}), dict):
            yield content


def _pages(folder: Path) -> Iterator[tuple[tuple[str, str], str]]:
    """MCP's specification: the pages below a folder with the name of a revision, without the copy of its schema."""
    for path in sorted(folder.rglob("*.mdx")):
        parts = path.relative_to(folder).parts
        revision = next((each for each, _ in _MARKS if each in parts), "")
        if revision and path.stem not in ("schema", "changelog"):
            where = "/".join(parts[parts.index(revision) + 1 :]).removesuffix(".mdx")
            yield (f"{revision} pages", where), path.read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _yaml(text: str) -> Any:
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@cache
def _installed(*, explained: bool, vendors: bool) -> Mapping[str, Any]:
    """What `installed` says in the environment of the documents; the types of the SDKs come from ours else."""
    found: dict[str, Any] = {}
    asked = [word for word, wanted in (("explained", explained), ("vendors", vendors)) if wanted]
    for python in (ENVIRONMENT, Path(sys.executable)):
        if python.exists():
            script = Path(__file__).with_name("installed.py")
            done = subprocess.run(
                [str(python), "-P", "-W", "ignore", str(script), *asked],
                check=True,
                capture_output=True,
                text=True,
            )
            found = {**json.loads(done.stdout), **found}
        if len(found) > len(VENDORS) + len(EXPECTED):
            break
    return found
