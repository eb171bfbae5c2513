"""What the tests of reports share."""

from __future__ import annotations

import pytest

from conformance.report.catalogue.pages import rule_pages


@pytest.fixture(scope="package")
def pages() -> dict[str, str]:
    """The pages of the rules, which take seconds."""
    return dict(rule_pages())
