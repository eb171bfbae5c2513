"""Exchanges from sources that contain only parts of them: only bodies, only one side, or only messages."""

from __future__ import annotations

from dataclasses import replace

from conformance.inputs import endpoints
from conformance.model.exchange import Body, Exchange, Headers, Lack, Members, Request, Response, is_broken
from conformance.model.registry import beside

_SHOWN = {"choices", "error"}
"""Members that show what a body is."""
PENDING = 100
"""The status of a response that the source does not contain (100 Continue): there is no answer yet."""
_NO_ENDPOINT = "a reply of an unknown form, whose URL the source does not contain"
_NO_STATUS = "a failure, whose HTTP status the source does not contain"


def exchange(
    request: Body | None,
    response: Body | None,
    *,
    source: str,
    url: str | None = None,
    status: int | None = None,
    request_headers: Headers | None = None,
    response_headers: Headers | None = None,
    members: Members | None = None,
    group: str = "",
    id: str | None = None,  # noqa: A002 - as `Exchange` has it
) -> Exchange:
    """An exchange from the available parts. If `url` is None, it is derived from the bodies, as is what is missing.

    `members` are what the source contains of bodies that were put together from messages. A failure without its status
    looks like a broken reply: it is kept with a note and not judged.
    """
    missing: set[Lack] = set() if members is None else {"members", "status"}
    if url is None or members is not None:
        missing.add("url")
    path = url
    if path is None:
        path = endpoints.of_exchange(None if request is None else request.json, response) or "/"
        if response is not None and _is_unknown(response) and endpoints.of_response(response) is None:
            response = Body(response.content, note=_NO_ENDPOINT)
    if request is None:
        missing.add("request")
    if response is None:
        missing.add("response")
    elif status is None:
        missing.add("status")
        if _is_failure(response):
            response = Body(response.content, note=_NO_STATUS)
    if request_headers is None and response_headers is None:
        missing.add("headers")
    answered = PENDING if response is None else 200 if status is None else status
    asked = Request("POST", path, request_headers or Headers(), request or Body())
    if request is None and url is not None and _is_beside(asked, response):
        asked = replace(asked, method="")  # a body would show which of the endpoints at this path was asked
    return Exchange(
        request=asked,
        response=Response(answered, response_headers or Headers(), response or Body()),
        source=source,
        id=id,
        group=group,
        lacks=frozenset(missing),
        members=members,
    )


def _is_beside(asked: Request, reply: Body | None) -> bool:
    """Whether a request whose body and method are unknown may be one beside the main endpoint of a dialect."""
    if beside(asked) is not None:
        return True
    listed = beside(replace(asked, method="GET")) is not None
    return listed and reply is not None and endpoints.of_response(reply) is None


def _is_unknown(body: Body) -> bool:
    """Whether a body may be the reply of any endpoint, or a failure."""
    return (
        not body.empty and not is_broken(value := body.json) and not (isinstance(value, dict) and value.keys() & _SHOWN)
    )


def _is_failure(body: Body) -> bool:
    value = None if body.empty else body.json
    return isinstance(value, dict) and bool(value.get("error"))
