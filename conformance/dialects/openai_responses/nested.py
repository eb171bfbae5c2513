"""The lines of a batch's files: requests to the endpoint that each names, and their responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.nested import Nested, answered, asked, before
from conformance.judge.relations.uploads import form_of, lines_of
from conformance.judge.view import View
from conformance.model.values import get, objects_in


def nested(view: View) -> Iterator[Nested]:
    """The requests in a file for a batch, and the responses in the file that a batch wrote."""
    if view.endpoint == "file uploaded":
        yield from (asked(url, body, f"{at}/body") for url, body, _, at in _requests(view))
    elif view.endpoint == "file content":
        file = view.exchange.request.path.rstrip("/").split("/")[-2]
        batch = before(view, "batch", lambda each: get(each.response, "output_file_id") == file)
        source = get(batch.response, "input_file_id") if batch is not None else None
        upload = before(view, "file uploaded", lambda each: get(each.response, "id") == source) if source else None
        sent = {} if upload is None else {name: (url, body) for url, body, name, _ in _requests(upload)}
        for number, line in enumerate(lines_of(view.exchange.response.body.text or "")):
            name, found = line.get("custom_id"), line.get("response")
            if isinstance(name, str) and name in sent and isinstance(found, dict) and found.get("status_code") == 200:
                yield answered(*sent[name], found.get("body"), f"/lines/{number}/response/body")


def _requests(view: View) -> Iterator[tuple[str, dict[str, Any], str, str]]:
    """The requests in a file: the URL, the body, the name, and the place."""
    form, host = form_of(view.exchange.request), view.exchange.request.url.partition("/v1/")[0]
    for line, at in objects_in(form.get("file") if form.get("purpose") == "batch" else None, "lines", "/file"):
        url, body, name = line.get("url"), line.get("body"), line.get("custom_id")
        if isinstance(url, str) and isinstance(body, dict) and isinstance(name, str):
            yield f"{host}{url}", body, name, at
