"""What single providers do otherwise in Chat, each with its evidence."""

from __future__ import annotations

REQUEST_DEVIATIONS = ()
REPLY_DEVIATIONS = ()
STREAM_DEVIATIONS = ()
