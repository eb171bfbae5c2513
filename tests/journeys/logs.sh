# What a program printed to its log is judged: LiteLLM's debug log, vLLM's server, mitmdump with its own lines before.
# seconds: 20
logs="$DATA/../../data/logs"
sed "s/'tool_call_id': 'call_/'tool_call_id': 'x/" "$logs/litellm-debug/openai.log" > debug.log
expect 1 conformance check debug.log > report
grep "tool-result-orphaned" report
conformance show debug.log --cause 1 | grep "^-> "
conformance show "$logs/vllm/prompts.log" | grep "calls get_weather"
{ printf '[12:00:01.123] Loading\n127.0.0.1:5000: POST https://x.test/v1/chat/completions\n'; cat "$logs/har/mitmproxy.har"; } |
  conformance check - > judged 2> note
grep "^4 exchanges in 1 conversation: 0 errors" judged
grep "skipped 2 lines of a log" note
echo '[12:00:01.123] Cannot load flows' | expect 2 conformance check - 2> hint
grep -e "--set hardump=-" hint
