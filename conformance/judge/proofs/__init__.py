"""Proofs: the examples of rules, as data in the folder of each dialect. Nothing that judges imports this package.

`proofs/bases/*.yaml` has the bases: the dialect's conforming exchanges, by name.

    call:
    - request: {method: POST, url: 'https://api.example.com/chat', headers: {…}, body: {…}}
      response: {status: 200, headers: {…}, body: {…}}
    answer:
    - base: call
      edits:
      - {put: response /text, value: 14.2 °C}
    run: [call, answer]

A base is a list: exchanges as in exchange JSONL, where a streamed response has `events` (each with `data`, and with a
name as `event`) instead of a `body`; the names of other bases; and other bases with edits.

`proofs/*.yaml` has the examples, by rule. Neutral rules have theirs in the folder of each dialect, on its wire.

    chat-user-empty:
      violating:
      - {base: call, put: request /user, value: ''}
      - base: answer
        edits:
        - {drop: request /messages/0/content}
        - {change: request /messages/2/content, old: Seoul, new: Busan}
        at: request /messages/0
      conforming: [call, answer]

An example is the name of a base, or a base with one edit, or with several as `edits`.

- `at` is the place of a violating example's one finding; the default is the place of the last edit, and for a dropped
  member the object that had it.
- `complete: false` is for exchanges of which the recording may lack parts.
- Without `conforming`, the unedited bases of the violating examples are the conforming ones.

An edit is one of these. A place is written as in findings (`conformance.judge.proofs.place`):

    {put: PLACE, value: VALUE}              sets a value
    {drop: PLACE}                           removes it
    {insert: PLACE, value: VALUE}           inserts a value before an item
    {swap: PLACE, with: PLACE}              swaps two values
    {change: PLACE, old: TEXT, new: TEXT}   replaces the first `old` in a text with `new`; '' is its start
    {cut: PLACE, by: NUMBER}                removes so many characters from the end of a text

With `times: 20` an edit is made 20 times, with 1, 2, … for each `#` in its place and its value:
`{insert: 'request /tools/#', value: {name: 'tool_#'}, times: 20}`.

A folder with one dialect leaves out its name. Where there are several, a base is called `llama3-json/call`.

The folder of the neutral rules has examples, too: they are made for each dialect that has endpoints of its own, with
the bases `plain` (the first one in the dialect's files that is one exchange with a status of 200 and one body) and
`streamed` (with events, the last of which is `event/last` in `at`). Violating or conforming examples of such a rule in
a dialect's own folder replace these; `violating: []` if it finds nothing there.
"""
