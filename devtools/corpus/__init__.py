"""Builds the corpus of real recordings from public repositories at pinned commits: `make corpus`."""
