"""Checks the traffic of other projects' tests: what crosses in a test, judged, with a failure text to act on."""
