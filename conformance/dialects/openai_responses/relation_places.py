"""Places that several rows about Responses share."""

from __future__ import annotations

from typing import Final

from conformance.judge.relations import Identity

_ENDED = "event[type=response.completed|response.incomplete|response.failed] /response"
_DONE = "event[type=response.output_item.done] /item"
KEPT: Final = "request [previous_response_id] | request [conversation]"
"""With one of these, the server has items that the request does not show."""
ELSEWHERE: Final = f"{KEPT} | request [prompt]"


def reply(path: str = "") -> str:
    """A place in the whole response: the body, or the object in a stream's last event."""
    return f"response {path} | {_ENDED}{path}"


def output(types: str = "", path: str = "") -> str:
    """A place in the items of the output; of a stream in those that it finished."""
    kinds = f"[type={types}]" if types else ""
    return f"response /output/*{kinds}{path} | {_DONE}{kinds}{path}"


def sent(types: str, path: str = "") -> str:
    """A place in the items of the input."""
    return f"request /input/*[type={types}]{path}"


def declared(types: str, path: str = "") -> str:
    """A place in the tools of a request or of an item that adds some, or of the response."""
    tools = f"/tools/*[type={types}]{path}"
    return f"request {tools} | {reply(tools)} | request /input/*{tools}"


_ID = "response [object=response]/id | event[type=response.created] /response/id"
_UNSTORED = "request [store=false] | response [store=false] | event[type=response.created] /response[store=false]"
RESPONSE: Final = Identity("stored response", _ID, unless=_UNSTORED)
UNSTORED_RESPONSE: Final = Identity("response that was not stored", _ID, given=_UNSTORED)
ITEM: Final = Identity("stored item", output(path="/id"), unless=_UNSTORED)
UNSTORED_ITEM: Final = Identity("item that was not stored", output(path="/id"), given=_UNSTORED)
CALL: Final = Identity("call", output(path="/call_id"))
CONVERSATION: Final = Identity("conversation", reply("/conversation/id"))
DELETED: Final = Identity("end", "beside [deleted=true]/id")
