"""Scenarios: the provider-neutral scripts in YAML, their loading, and their expectations."""
