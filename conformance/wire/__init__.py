"""The JSON Schemas of the wire: their generator, and what admits or refuses a body by them."""
