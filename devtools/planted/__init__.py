"""How many faults in the judge's own code `make test` finds, of those that all tests find.

`python -m devtools.planted` copies the tree, plants one fault after another in the copy (`faults`), and runs the tests
that reach its line (`reached`): those that `make test` chooses, and, if none of them fails, the rest of `make full`
(`trials`). What only the rest finds is what the samples of `make test` miss. The tree itself is never changed.
"""
