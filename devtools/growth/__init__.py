"""Growth: each structural dimension of each dialect, made longer and longer. Reading and judging must stay linear.

`dimensions` makes the cases from the conforming examples of every dialect, `measuring` runs one of them at several
sizes.
`python -m devtools.growth` (`make scaling`) measures CPU time from 1,000 to 8,000; `tests/devtools/test_growth.py`
counts operations at smaller sizes.
"""
