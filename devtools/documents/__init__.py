"""The published documents, held against the contracts: `make contract` and `make faults`.

`reading` finds the documents, `schemas` and `documented` are what they say, `ruled` is what a contract says, and
`comparing` walks both. `drawing` makes faults from what the documents say, `trials` asks whether they are caught.
Nothing of a document is in this repository.
"""
