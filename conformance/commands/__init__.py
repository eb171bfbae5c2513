"""The command line: a module for each verb, with its options (`conformance.commands.common.verbs`)."""

from conformance.commands.common.program import app, main

__all__ = ["app", "main"]
