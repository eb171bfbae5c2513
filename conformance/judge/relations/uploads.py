"""What a client uploads or downloads: the fields of a form, and the lines of a file of JSON Lines."""

from __future__ import annotations

from typing import Any

from conformance.model import jsontext
from conformance.model.exchange import Request


def form_of(request: Request) -> dict[str, Any]:
    """The fields of a multipart form by name: texts, and files of JSON objects, one in a line, as `{"lines": […]}`.

    Other files, and forms that cannot be read, have no fields. RFC 7578.
    """
    from email import message_from_string

    kind, text = request.headers.get("content-type") or "", request.body.text
    if not kind.lower().startswith("multipart/form-data") or text is None:
        return {}
    found: dict[str, Any] = {}
    form = message_from_string(f"Content-Type: {kind}\r\n\r\n{text}")
    parts: list[Any] = form.get_payload() if form.is_multipart() else []  # type: ignore[assignment]
    for part in parts:
        name, value = part.get_param("name", header="content-disposition"), part.get_payload()
        if not isinstance(name, str) or not isinstance(value, str):
            continue
        if part.get_filename() is None:
            found[name] = value.rstrip("\r\n")
        elif lines := lines_of(value):
            found[name] = {"lines": lines}
    return found


def lines_of(text: str) -> list[dict[str, Any]]:
    """The objects of a file of JSON Lines; none if a line is no object."""
    read = [jsontext.parse(line) for line in text.split("\n") if line.strip()]
    lines = [each for each in read if isinstance(each, dict)]
    return lines if len(lines) == len(read) else []
