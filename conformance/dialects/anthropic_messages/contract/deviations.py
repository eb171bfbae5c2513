"""Deviations of single providers from Messages, each with its evidence."""

from __future__ import annotations

from conformance.judge.contract.deviations import Deviation

REQUEST_DEVIATIONS: tuple[Deviation, ...] = ()
REPLY_DEVIATIONS: tuple[Deviation, ...] = ()
STREAM_DEVIATIONS: tuple[Deviation, ...] = ()
ERROR_DEVIATIONS: tuple[Deviation, ...] = ()
