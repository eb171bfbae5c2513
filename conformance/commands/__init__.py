"""The commands. Every `run` returns the exit code."""
