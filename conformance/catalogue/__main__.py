"""`python -m conformance.catalogue`: the rule catalogue on standard output."""

import sys

from conformance.catalogue.markdown import markdown

sys.stdout.write(markdown())
