"""Drives a foreign MCP server through the protocol and judges what it sends."""
