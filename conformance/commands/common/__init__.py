"""What several verbs share. Every other module of `conformance.commands` is a verb."""
