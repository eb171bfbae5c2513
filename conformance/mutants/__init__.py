"""Mutants: conforming exchanges with one fault put in, to see whether a rule catches it.

A development tool of the suite itself: `python -m conformance.mutants`. What no rule catches is a statement that is
missing, or a fault that is none; the latter are listed in `specs/mutants.yaml`, each with its reason.
"""
