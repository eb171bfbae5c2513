# A log of any tool, read as a conversation; the finding of `check` marked in it; the same as a page.
# seconds: 20
cp "$DATA/openinference.jsonl" log.jsonl
conformance show log.jsonl | grep -q "calls get_weather"
expect 1 conformance check log.jsonl > report
conformance show log.jsonl --cause 1 | grep -q "^-> "
conformance show log.jsonl --cause 1 --format html --output page.html
grep -q "part .* marked" page.html
