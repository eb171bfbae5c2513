"""Judging in several processes: shards of the input, a pool of workers, and one report."""
