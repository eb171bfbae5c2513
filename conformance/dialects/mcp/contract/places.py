"""Of which revisions rows of MCP are asked."""

from __future__ import annotations

from conformance.judge.contract.situation import when

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""All that are published; an exchange is held to the latest that is not newer than its own."""
STATELESS = when(api_version="2026-07-28")
TASKS = when(api_version="2025-11-25")
"""The one revision with tasks, and with questions that send the user to a URL under an id."""
BEFORE_AUDIO = when(api_version="2024-11-05")
BEFORE_LINKS = when(api_version="2025-03-26")
LINKS = when(no=(BEFORE_AUDIO, BEFORE_LINKS))
"""From 2025-06-18 on, and where nothing says the revision: links to resources."""
BEFORE_TOOLS_IN_SAMPLING = when(api_version="2024-11-05|2025-03-26|2025-06-18")
