"""A proxy that forwards HTTP or MCP over stdio unchanged, records what passes, and judges both sides."""
