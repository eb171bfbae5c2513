"""Breaks every relation where traffic has it, and counts what is found: `python -m devtools.relation_faults`.

`sites.py` finds the traffic: recordings, then the bases and the conforming examples of proofs. How each relation is
broken stands in `exchange.py`, `references.py` and `steps.py`, how each form within a value in `value.py`. They use
`planting.py` and `growth.py`, which makes what a place describes.
"""
