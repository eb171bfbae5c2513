"""Dialects: one package each, found by where it lies (see `conformance.model.registry`).

A package defines `DIALECT`, a `conformance.model.dialect.Dialect` (or `DIALECTS`, several), and holds its `rules*.py`,
`examples.py` and `render.py`. Nothing outside the package knows a dialect by name.
"""
