# The first minute: a planted recording, its finding, and where to go from there.
# seconds: 10
conformance demo > out
grep -q "tool call call_rome (get_weather) has no result" out
conformance explain "$(sed -n 's/.*conformance explain \([a-z-]*\) .*/\1/p' out)" | grep -q "tool-call-unanswered"
expect 2 conformance demo --opne
