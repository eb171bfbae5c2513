"""Shared parts of the dialects whose turns are text inside the messages of another dialect."""
