# Does my MCP server keep to the protocol, with arguments for its tools from a file?
# seconds: 60
conformance run --dialect mcp --scenario tools-call --driver raw-http --revision 2025-11-25 --jobs 2 \
  --arguments @"$DATA/weekday_arguments.json" --save calls --output report.txt -- python "$DATA/weekday_server.py"
grep '1 of 1 cells run without an error' report.txt
grep -rq Thursday calls
