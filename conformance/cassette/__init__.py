"""Cassettes: the files that keep the exchanges of one run."""
