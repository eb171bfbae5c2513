"""The suites use the reference server in place of a provider: `conformance serve`, started for the session."""

import pytest

from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios


@pytest.fixture(scope="session")
def origin():
    with ReferenceServer(all_scenarios()) as server:
        yield server.origin


@pytest.fixture(autouse=True)
def checked():
    """Everything that a framework sends and receives in a test is recorded and checked."""
    import conformance

    with conformance.recording():
        yield
