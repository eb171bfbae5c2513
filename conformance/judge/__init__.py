"""The judge: what holds exchanges against the contracts and the rules."""
