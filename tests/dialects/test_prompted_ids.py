"""The ids that a client makes up for calls that come as text: no recording shows them, the driver does."""

from __future__ import annotations

import pytest

from conformance.campaign.targets import all_targets
from conformance.matrix.cells import Filter, all_cells
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.perform import act
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios


@pytest.mark.statement("PFC-R-008")
@pytest.mark.parametrize("stream", [False, True], ids=["sync", "stream"])
@pytest.mark.parametrize("scenario", ["parallel-weather", "geocode-then-weather"])
def test_no_two_calls_of_a_run_have_one_id(scenario: str, *, stream: bool) -> None:
    """PFC-R-008: two calls of one tool in one turn, and calls of two turns."""
    [played] = all_cells(Filter([scenario], ["prompted"], ["openai"], stream))
    model = all_targets()["reference"].models["prompted"]
    with ReferenceServer(all_scenarios()) as server:
        performance = act(played, Endpoint("reference", server.origin, model, "k", "reference"))
    for each in performance.conversations:
        assert each.error is None
        ids = [call.id for call in each.reading.calls]
        assert len(ids) > 1
        assert all(ids)
        assert len(set(ids)) == len(ids)
