"""Places of Gemini traffic that several relations read, as patterns (`conformance.judge.relations`)."""

from __future__ import annotations

import re

from conformance.dialects.gemini.wire import snake


def both(path: str) -> str:
    """A path whose members are found in camel case and in snake case."""
    return re.sub(r"/([a-z]+[A-Z]\w*)", lambda found: f"/{found[1]}|{snake(found[1])}", path)


def sent(path: str) -> str:
    """A place in the request, in either spelling."""
    return f"request {both(path)}"


def received(path: str = "") -> str:
    """A place in the reply; in a stream, in each chunk."""
    return f"response {path} | event {path}"


def config(path: str) -> str:
    """A place in the settings of generation."""
    return sent(f"/generationConfig{path}")


def tool(*names: str) -> str:
    """One of the service's own tools; they may be in a cache, which no request shows."""
    return " | ".join((*(sent(f"/tools/*/{name}") for name in names), sent("/cachedContent")))


DECLARED = sent("/tools/*/functionDeclarations/*")
