"""The rules in the folder `relations`."""

from conformance.judge.relations.files import add_rows

add_rows(__name__)
