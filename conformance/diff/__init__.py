"""Drift: two recordings of one scenario against each other, each difference graded by one table."""
