# My log was redacted: is it green because nothing could be judged?
# seconds: 10
expect 2 conformance check "$DATA/redacted.jsonl" --output report.txt
grep 'not judged.*its content is redacted' report.txt
