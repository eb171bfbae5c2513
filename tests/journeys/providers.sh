# Requests to providers that speak Chat: each is judged by what its provider documents, or by a profile of one's own.
# seconds: 20
expect 1 conformance check "$DATA/providers.jsonl" -v > out
grep -q "actual    1.8" out
grep -q "use the base URL https://api.deepseek.com/beta" out
expect 1 grep -q "max_tokens" out
printf 'about: Ours.\ndeviations:\n  openai-chat:\n    - {at: request /top_a, unsupported: "", path: ^/api/, evidence: our page}\n' > ours.yaml
conformance check "$DATA/providers.jsonl" --profile ours.yaml -v > own
grep -q "/top_a" own
