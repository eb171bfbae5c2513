"""Examples of rules that are made, not written."""
