"""Fuzzing: inputs of every kind, broken in every way, through all readers and verbs in this process.

`surfaces` are the inputs that a user brings, each with its seeds and the commands that read it; `breaking` breaks a
seed; `campaign` runs one input and reports what was wrong. `python -m devtools.fuzzing` (`make fuzz`) runs them for a
time, in one process for each core. What was tried is added up in `.fuzz/total.json`, and an input that failed is kept
beside it.
"""
