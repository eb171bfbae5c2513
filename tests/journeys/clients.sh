# Does my client keep calls apart, and does it see that a stream broke off? With its own tools, and the lines that prove it.
# seconds: 60
expect 1 conformance serve --format json --output report.json -- python "$DATA/client.py" parallel-weather
python - <<'PYTHON'
import json
session, = json.load(open("report.json"))["sessions"]
conversation, = session["conversations"]
assert conversation["outcome"] == "silently wrong", conversation
assert conversation["wrong"] == ["lost search: 2 calls were sent, 1 come back (turn 1)"], conversation["wrong"]
evidence, = conversation["evidence"]
assert ['"index":1' in line for line in evidence["came"]] == [True], evidence
assert json.loads(evidence["had"][0])["function"]["arguments"] == '{"query":"conformance"}', evidence
PYTHON
expect 1 conformance serve --behaviour answer-ends-half-way --output report.txt -- python "$DATA/client.py" small-talk
grep -q "silently wrong" report.txt
grep -q "^          missing  " report.txt
grep -q "stopped  no request came after turn 1 of 1; the client exited with 0" report.txt
