# Does my MCP server keep to the protocol, with arguments for its tools from a file?
# seconds: 60
conformance run --dialect mcp --scenario tools-call --driver raw-http --revision 2025-11-25 --jobs 2 \
  --arguments @"$DATA/weekday_arguments.json" --save calls --output report.txt -- python "$DATA/weekday_server.py"
grep '1 of 1 cells run without an error' report.txt
grep -rq Thursday calls
# An unknown tool: what its SDK does with that is no fault of the server's author.
conformance run --dialect mcp --driver raw-http --revision 2025-11-25 --scenario unknown-tool --scenario invalid-arguments \
  --output own.txt -- python "$DATA/weekday_server.py"
grep '^1 finding about mcp for Python (MCPServer, FastMCP), not about this server' own.txt
expect 1 conformance run --dialect mcp --driver raw-http --revision 2025-11-25 --scenario unknown-tool --profile none \
  --scenario invalid-arguments --output all.txt -- python "$DATA/weekday_server.py"
