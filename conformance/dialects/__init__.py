"""Dialects: one package each, found by where it lies (see `conformance.model.registry`).

A package defines `DIALECT`, a `conformance.model.dialect.Dialect` (or `DIALECTS`, several), and holds its `readers.py`,
`rules*.py`, `proofs/` and `render.py`. Every command imports the package and what claims its requests, and the
rest when one is claimed. Nothing outside the package knows a dialect by name, except for a driver the one that it
speaks. Where a dialect needs more, the package also holds:

- `plain.py`: the plain traffic about which rules have no findings;
- `serving.py`: what the reference server keeps, refuses and answers besides generation (`REFUSALS`, `other`,
  `refuses`, `restored`, `remember`);
- `behaviours.py`: what the reference server can answer differently (`conformance.model.behaviour`);
- `sdk_types.py`: the SDK types that its JSON Schemas are made from (`devtools.wire.generate`);
- `prompt.py` and `parse.py`: for a raw prompt, what the driver for raw prompts needs.
"""
