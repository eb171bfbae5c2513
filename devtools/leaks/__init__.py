"""Planted secrets: `python -m devtools.leaks` (`make secrets`) plants each kind in each spelling at each place.

`made` makes the secrets from the patterns of `specs/secrets.yaml`, `planted` puts them into exchanges, and `__main__`
looks for them in what the suite writes: cassettes, reports of every format, errors, and journals.
"""
