"""Dialects: one package each, found by where it lies (see `conformance.model.registry`).

A package defines `DIALECT`, a `conformance.model.dialect.Dialect` (or `DIALECTS`, several), and holds its `rules*.py`,
`examples.py` and `render.py`. Nothing outside the package knows a dialect by name, except for a driver the one that it
speaks. Where a dialect has more to say, the package also holds:

- `plain.py`: the plain traffic about which rules have nothing to say;
- `serving.py`: what the reference server keeps, refuses and answers besides generation (`REFUSALS`, `other`,
  `refuses`, `restored`, `remember`);
- `behaviours.py`: what the reference server can answer differently (`conformance.model.behaviour`);
- `sdk_types.py`: the SDK types that its JSON Schemas are made from (`conformance.wire.generate`);
- `prompt.py` and `parse.py`: for a raw prompt, what the driver for raw prompts needs.
"""
