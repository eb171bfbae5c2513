"""An MCP server whose tool fails unless its argument is a date."""

from datetime import date

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("dates", version="1")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def weekday(day: str) -> str:
    """Name the day of the week of a date."""
    return date.fromisoformat(day).strftime("%A")


server.run("stdio")
