# An endpoint of one's own: the wire decides, what follows from a finding is folded under it, a known one is accepted.
# seconds: 30
conformance serve --port 0 --behaviour role-gone > server 2>&1 &
trap 'kill $!' EXIT
until grep -q "http://" server; do sleep 0.2; done
url=$(grep -o 'http://127[0-9.:]*' server | head -1)
ask() { conformance run --base-url "$url" --dialect openai-chat --model m --scenario parallel-weather "$@"; }
expect 1 ask > out 2> progress
grep -q "1  error *chat-role-missing" out
grep -q "follows .*tool-result-orphaned" out
grep -q "5 of 6 cells run without an error" out
test "$(grep -c "^conformance:" progress)" -eq 1
ask --baseline known.yaml --baseline-update > accepted
sed -i 's/reason: .*/reason: the server is to be mended/' known.yaml
ask --baseline known.yaml
expect 2 ask --baseline known.yaml --baseline-prune
