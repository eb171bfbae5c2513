"""What relates several places of Responses traffic: docs/contract/openai-responses.md."""

from conformance.dialects.openai_responses.relation_places import output, reply
from conformance.judge.relations import (
    bounded,
    constant,
    ends,
    forbids,
    matches,
    never,
    part_of,
    range_of,
    row,
    sum_of,
    unique,
    within,
)
from conformance.model.finding import Severity

row(
    "responses-output-item-id-duplicate",
    "OAR-R-003",
    within(reply("/output"), unique("/*/id")),
    why="Clients keep the items by their ids, and lose one of two with the same id.",
)

row(
    "responses-usage-total-wrong",
    "OAR-R-011",
    within(reply("/usage"), sum_of("/total_tokens", "/input_tokens", "/output_tokens")),
    why="A budget that adds up the parts differs from one that reads the total.",
)
row(
    "responses-usage-part-out-of-range",
    "OAR-R-014",
    within(
        reply("/usage"),
        part_of("/input_tokens_details/cached_tokens", "/input_tokens"),
        part_of("/input_tokens_details/cache_write_tokens", "/input_tokens"),
        *(
            part_of(f"/input_tokens_details/cache_write_tokens_details/ttl_{each}_tokens", "/input_tokens")
            for each in ("30m", "12h")
        ),
        part_of("/output_tokens_details/reasoning_tokens", "/output_tokens"),
    ),
    why="Clients subtract the part from the whole, and get a negative cost.",
)
row(
    "responses-annotation-out-of-range",
    "OAR-R-015",
    within(
        reply("/output/*[type=message]/content/*[type=output_text]"),
        range_of("/annotations/*[type=url_citation|container_file_citation]", "/start_index", "/end_index", "/text"),
        range_of("/annotations/*[type=file_citation|file_path]", "/index", "/index", "/text"),
    ),
    why="A client that marks the cited words cuts the text at a wrong place, or fails.",
)
row(
    "responses-usage-output-out-of-range",
    "OAR-R-017",
    bounded(reply("/usage/output_tokens"), by="request /max_output_tokens"),
    why="The limit is what bounds the cost of a request.",
)
row(
    "responses-call-type-wrong",
    "OAR-R-013",
    never(output(path="[call_id][name][arguments][type][!type=function_call|mcp_call|]/type")),
    requirement="A call must have the type `function_call`, or `custom_tool_call`.",
    why="Clients look for calls by their type: the tool never runs, and the run ends without an answer.",
)

# One response in several events ------------------------------------------------------------------------------------
_STATUSES = ("completed", "incomplete", "failed")
_SETTLED = (
    *("object", "created_at", "model", "instructions", "tools", "tool_choice", "parallel_tool_calls"),
    *("previous_response_id", "temperature", "top_p", "max_output_tokens", "metadata", "store"),
)
row(
    "responses-status-event-mismatch",
    "OAR-S-004",
    *(never(f"event[type=response.{each}] /response[status][!status={each}]/status") for each in _STATUSES),
    requirement="The type of the event that ends a stream must match the status of its response.",
    why="A client that reads the event and a client that reads the status see different outcomes.",
)
row(
    "responses-stream-response-id-changed",
    "OAR-S-014",
    within("events", constant("/*/response/id")),
    why="The next request refers to it by that id.",
)
row(
    "responses-stream-response-changed",
    ["OAR-S-014", "OAR-R-009"],
    within("events", *(constant(f"/*/response/{each}") for each in _SETTLED)),
    requirement="The request's settings in a response must be the same in every event of the stream.",
    severity=Severity.WARNING,
    because="the id is the same; other settings are a repetition",
    why="Clients read the model and the tools from the first event or from the last.",
)
row(
    "responses-event-after-error-unexpected",
    "OAR-S-015",
    ends("event[type=error]", "event[type][!type=response.failed]"),
    why="The SDK raises there and ignores what follows.",
)
row(
    "responses-done-item-incomplete",
    "OAR-R-003",
    forbids(
        "event[type=response.output_item.done] /item[type=message|function_call|custom_tool_call]"
        "[status=in_progress|incomplete]/status",
        "event[type=response.completed]",
    ),
    requirement="In a completed response, a done call or message must have the status `completed`.",
    why="A client that reads the status waits for an event that never comes.",
)
row(
    "responses-id-unexpected",
    "OAR-R-044",
    within(reply("[object=response]"), matches("/id", r"(?!chatcmpl-|msg_).*", "the id of a response")),
    why="A client continues a response by its id, and the server knows none with this one.",
)
