"""Drivers are known without their SDKs, and one whose SDK is not installed stands in nobody's way."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.drivers import all_drivers, installed, why_unavailable
from conformance.matrix.cells import Filter, all_cells
from conformance.matrix.replaying import replay_all
from tests.cassettes import SHIPPED

NOT_INSTALLED = "langchain-openai is not installed: pip install 'tool-use-conformance[langchain]'"
SDKS = ("openai", "anthropic", "google.genai", "langchain_core", "langchain_openai", "langsmith")


@pytest.fixture
def no_langchain(monkeypatch: pytest.MonkeyPatch) -> None:
    found = installed.version_of
    monkeypatch.setattr(installed, "version_of", lambda name: None if "langchain" in name else found(name))


def test_each_dialect_has_a_driver_of_a_name_once() -> None:
    names = Counter((driver.dialect, driver.name) for driver in all_drivers())
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.process
def test_finding_the_drivers_imports_no_sdk() -> None:
    code = f"import sys; from conformance.drivers import all_drivers; all_drivers(); print({SDKS} & sys.modules.keys())"
    code = code.replace(str(SDKS), str(set(SDKS)))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


@pytest.mark.usefixtures("no_langchain")
def test_a_driver_whose_sdk_is_not_installed_has_the_reason() -> None:
    reasons = {driver.package: why_unavailable(driver) for driver in all_drivers()}
    assert reasons["openai"] is None
    assert reasons["langchain-openai"] == NOT_INSTALLED


@pytest.mark.usefixtures("no_langchain")
def test_its_cells_are_skipped_with_the_reason_and_the_others_are_played() -> None:
    cells = all_cells(Filter(["weather"], ["openai-chat"], ["langchain", "openai"], stream=False))
    verdicts = {each.cell.driver.name: each for each in replay_all(cells, SHIPPED) if each.cell}
    assert verdicts["langchain"].skipped == NOT_INSTALLED
    assert verdicts["langchain"].passed
    assert verdicts["openai"].skipped is None
    assert verdicts["openai"].exchanges == 2


@pytest.mark.parametrize(("error", "words"), [(SimpleNamespace(message="It broke."), "It broke."), (None, "without")])
def test_a_response_that_fails_is_an_error_though_the_sdk_raises_none(error: Any, words: str) -> None:
    from conformance.drivers.openai_responses import _last_of

    failed = SimpleNamespace(type="response.failed", response=SimpleNamespace(error=error))
    with pytest.raises(RuntimeError, match=f"the response failed: {words}"):
        _last_of([failed])
