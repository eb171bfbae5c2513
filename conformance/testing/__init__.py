"""Checks the traffic of other projects' tests, and reports findings as a test failure."""
