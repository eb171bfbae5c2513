# A provider renamed a field, and a scenario was edited: what changed, each once, and what to do about it.
# seconds: 60
conformance new project
conformance record --scenarios scenarios --cassettes old --scenario first-call --dialect openai-chat --driver raw-http
cp -r old new
find new -name '*.yaml' -exec sed -i 's/"prompt_tokens"/"input_tokens"/; s/\\"prompt_tokens\\"/\\"input_tokens\\"/' {} +
expect 1 conformance diff old new --output diff.txt
head -1 diff.txt | grep -x 'change  field usage/prompt_tokens became usage/input_tokens'
grep 'therefore: chat-' diff.txt
grep '^1 change, 0 to review' diff.txt
sed -i 's/^user: .*/user: Something else?/' scenarios/first-call.yaml
expect 1 conformance replay --scenarios scenarios --cassettes old --output replay.txt
grep 'the scenario is newer than its cassettes' replay.txt
grep 'change.*record it again' replay.txt
conformance record --scenarios scenarios --cassettes edited --scenario first-call --dialect openai-chat --driver raw-http
sed -i 's/- text: Order .*/- text: It is {get_order.status} now./' scenarios/first-call.yaml
expect 1 conformance replay --scenarios scenarios --cassettes edited --output replay.txt
grep 'newer than its cassettes: "It is shipped now." is not in the recorded reply' replay.txt
