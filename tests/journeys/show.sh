# A log of any tool, read as a conversation; the finding of `check` marked in it; the same as a page; the calls in the text of a model.
# seconds: 20
cp "$DATA/openinference.jsonl" log.jsonl
conformance show log.jsonl | grep -q "calls get_weather"
expect 1 conformance check log.jsonl > report
conformance show log.jsonl --cause 1 | grep -q "^-> "
conformance show log.jsonl --cause 1 --format html --output page.html
grep -q "part .* marked" page.html
echo '[{"name": "get_weather", "parameters": {"type": "object", "properties": {"zip": {"type": "string"}}}}]' > tools.json
printf 'Let me look.\n<tool_call>get_weather\n<arg_key>zip</arg_key>\n<arg_value>1234</arg_value>\n</tool_call>' > answer.txt
conformance show --markup glm answer.txt --tools tools.json | grep '"zip": "1234"'
conformance show --markup glm answer.txt | grep '"zip": 1234'
head -c 80 answer.txt | expect 1 conformance show --markup glm - | grep '"cut": true'
