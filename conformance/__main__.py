"""`python -m conformance`."""

from conformance.commands import main

main()
