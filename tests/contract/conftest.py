"""What the tests of contracts share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def forgotten() -> Iterator[None]:
    """The samples of the SDKs' types take a hundred megabytes: they end with this folder's tests."""
    yield
    from tests.contract.test_contract_schemas import judged
    from tests.contract.test_wire_schemas import drawn

    judged.cache_clear()
    drawn.cache_clear()
