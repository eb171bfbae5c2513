"""Scenarios: the provider-neutral scripts in YAML, how they are loaded, and what they expect."""
