"""What relates several places of Responses traffic: docs/contract/openai-responses.md."""

from conformance.judge.relations import (
    Identity,
    bounded,
    part_of,
    range_of,
    refers,
    row,
    structured,
    sum_of,
    unique,
    within,
)

_ENDED = "event[type=response.completed|response.incomplete|response.failed] /response"


def _reply(path: str = "") -> str:
    """A place in the whole response: the body, or the object in a stream's last event."""
    return f"response {path} | {_ENDED}{path}"


row(
    "responses-output-item-id-duplicate",
    "OAR-R-003",
    within(_reply("/output"), unique("/*/id")),
    why="Clients keep the items by their ids, and lose one of two with the same id.",
)

row(
    "responses-usage-total-wrong",
    "OAR-R-011",
    within(_reply("/usage"), sum_of("/total_tokens", "/input_tokens", "/output_tokens")),
    why="A budget that adds up the parts differs from one that reads the total.",
)
row(
    "responses-usage-part-out-of-range",
    "OAR-R-014",
    within(
        _reply("/usage"),
        part_of("/input_tokens_details/cached_tokens", "/input_tokens"),
        part_of("/output_tokens_details/reasoning_tokens", "/output_tokens"),
    ),
    why="Clients subtract the part from the whole, and get a negative cost.",
)
row(
    "responses-annotation-out-of-range",
    "OAR-R-015",
    within(
        _reply("/output/*[type=message]/content/*[type=output_text]"),
        range_of("/annotations/*[type=url_citation|container_file_citation]", "/start_index", "/end_index", "/text"),
    ),
    why="A client that marks the cited words cuts the text at a wrong place, or fails.",
)
row(
    "responses-structured-output-invalid",
    "OAR-R-016",
    structured("request /text/format[type=json_schema]/schema", strict="request /text/format[strict=true]"),
    why="Programs read the fields that the schema promises.",
)
row(
    "responses-usage-output-out-of-range",
    "OAR-R-017",
    bounded(_reply("/usage/output_tokens"), by="request /max_output_tokens"),
    why="The limit is what bounds the cost of a request.",
)

_APPROVAL = Identity(
    "approval request",
    f"{_reply('/output/*[type=mcp_approval_request]/id')} | request /input/*[type=mcp_approval_request]/id",
)
row(
    "responses-approval-response-orphaned",
    "OAR-C-009",
    refers(
        "request /input/*[type=mcp_approval_response]/approval_request_id",
        _APPROVAL,
        unless="request [previous_response_id] | request [conversation]",
    ),
    why="The server does not find the request that the client approves.",
    refused=True,
)
