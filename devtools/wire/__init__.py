"""The JSON Schemas of the wire formats: their generator, and the validation of bodies."""
