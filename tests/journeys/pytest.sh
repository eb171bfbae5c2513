# A project's own tests with mocks: what the client sends and gets is checked, without a change to them.
# seconds: 20
cp "$DATA/mocked_agent.py" test_agent.py
expect 1 pytest -q -p no:cacheprovider --conformance-check > out
grep -q "tool call call_1 (get_weather) has no result" out
grep -q "^  change " out
grep -q "conformance: 2 exchanges checked: 1 error," out
