"""The revisions that rows of MCP apply to."""

from __future__ import annotations

from conformance.contract.situation import when

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""All published revisions; an exchange is judged by the latest one that is not newer than its own."""
STATELESS = when(api_version="2026-07-28")
TASKS = when(api_version="2025-11-25")
"""The only revision with tasks, and with elicitation that sends the user to a URL and has an id."""
BEFORE_AUDIO = when(api_version="2024-11-05")
BEFORE_LINKS = when(api_version="2025-03-26")
BEFORE_TOOLS_IN_SAMPLING = when(api_version="2024-11-05|2025-03-26|2025-06-18")
