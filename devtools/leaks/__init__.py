"""Planted secrets: `python -m devtools.leaks` (`make secrets`) plants each kind in each spelling at each place.

`made` makes secrets from the patterns of `specs/secrets.yaml`, `planted` puts them into exchanges, `placements` makes
the product of names, places and forms that no list has, and `__main__` looks for all of them in what the suite writes:
cassettes, reports of every format, errors, and journals. `judged` (`python -m devtools.leaks.judged`) shows that
redaction changes no verdict on the shipped cassettes and the real recordings.
"""
