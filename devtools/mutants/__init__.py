"""Mutants: conforming exchanges with one fault put in, to see whether a rule catches it.

A development tool of the suite itself: `python -m devtools.mutants`. A mutant that no rule catches shows a missing
statement, or is not a fault; the latter are listed in `specs/mutants.yaml`, each with its reason.
"""
