"""Deviations of single providers from Responses, each with its evidence."""

from __future__ import annotations

from conformance.judge.contract.deviations import Deviation, ease
from conformance.judge.contract.situation import when
from conformance.model.finding import Severity

REQUEST_DEVIATIONS: tuple[Deviation, ...] = ()
REPLY_DEVIATIONS: tuple[Deviation, ...] = ()
STREAM_DEVIATIONS: tuple[Deviation, ...] = ()
ERROR_DEVIATIONS = (ease(when("xai"), "/error", "type", Severity.WARNING, "a string beside `code`, 1 of 1 recorded"),)
