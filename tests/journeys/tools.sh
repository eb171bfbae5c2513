# Will my tools work at Gemini 3 and at Anthropic? A line for each tool first, then what to change.
# seconds: 20
expect 1 conformance tools "$DATA/tools.json" --for google/3 --output verdicts.txt
head -1 verdicts.txt | grep -x 'search_the_whole_archive_of_documents: accepted by google/3'
sed -n 2p verdicts.txt | grep '^order pizza!: refused by google/3 for `name`, '
tr '\n' ' ' < verdicts.txt | tr -s ' ' | grep -F '`--rewrite google/3` mends that'
expect 1 conformance tools "$DATA/tools.json" --for google/3 -v --output causes.txt
grep -F 'change   change `name` so that it matches [A-Za-z_]' causes.txt
expect 1 grep anthropic causes.txt
conformance tools "$DATA/tools.json" --rewrite google/3 --output rewritten.json
conformance tools rewritten.json --for google/3 | head -2 | grep 'accepted by google/3'
conformance tools "$DATA/tools.json" -v --output everywhere.txt
grep 'anthropic/messages ' everywhere.txt
expect 1 grep -e '-strict ' -e '2023-06-01' everywhere.txt
