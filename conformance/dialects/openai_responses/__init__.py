"""openai-responses: OpenAI's Responses API, `POST .../responses`, and every server that is compatible with it."""

from __future__ import annotations

from conformance.dialects.openai_headers import CONTRACT_HEADERS
from conformance.dialects.openai_responses.claims import BODIES, STEER, at_openai, claims
from conformance.model.dialect import USUAL_RULES, Dialect, Endpoint
from conformance.model.tool_limits import ToolLimits

_ROOT = "(^|/v1|/openai)"
"""What comes before a path that others have further in: `/v1/vector_stores/ID/files` lists something else."""
_STORES, _CONTAINERS = f"{_ROOT}/vector_stores", f"{_ROOT}/containers"

DIALECT = Dialect(
    name="openai-responses",
    prefix="OAR",
    package=__name__,
    path="/responses",
    claims=claims,
    bodies=BODIES,
    answers_last_call=True,
    alternates_calls=True,
    tool_limits=ToolLimits(length=128),
    headers=CONTRACT_HEADERS,
    endpoints=(
        Endpoint("steering", "GET", "/responses", STEER),
        Endpoint("input tokens", "POST", "/responses/input_tokens"),
        Endpoint("compaction", "POST", "/responses/compact"),
        Endpoint("response retrieved", "GET", "/responses/[^/]+", delivers=True),
        Endpoint("response canceled", "POST", "/responses/[^/]+/cancel"),
        Endpoint("response deleted", "DELETE", "/responses/[^/]+"),
        Endpoint("input items", "GET", "/responses/[^/]+/input_items"),
        Endpoint("conversation created", "POST", "/v1/conversations"),
        Endpoint("conversation changed", "POST", "/v1/conversations/[^/]+"),
        Endpoint("conversation retrieved", "GET", "/v1/conversations/[^/]+"),
        Endpoint("conversation deleted", "DELETE", "/v1/conversations/[^/]+"),
        Endpoint("conversation items added", "POST", "/v1/conversations/[^/]+/items"),
        Endpoint("conversation items", "GET", "/v1/conversations/[^/]+/items"),
        Endpoint("conversation item", "GET", "/v1/conversations/[^/]+/items/[^/]+"),
        Endpoint("conversation item deleted", "DELETE", "/v1/conversations/[^/]+/items/[^/]+"),
        Endpoint("files", "GET", f"{_ROOT}/files", owned=at_openai),
        Endpoint("file uploaded", "POST", f"{_ROOT}/files", owned=at_openai, file="request"),
        Endpoint("file", "GET", f"{_ROOT}/files/[^/]+", owned=at_openai),
        Endpoint("file deleted", "DELETE", f"{_ROOT}/files/[^/]+", owned=at_openai),
        Endpoint("file content", "GET", f"{_ROOT}/files/[^/]+/content", owned=at_openai, file="response"),
        Endpoint("batches", "GET", f"{_ROOT}/batches", owned=at_openai),
        Endpoint("batch created", "POST", f"{_ROOT}/batches", owned=at_openai),
        Endpoint("batch", "GET", f"{_ROOT}/batches/[^/]+", owned=at_openai),
        Endpoint("batch canceled", "POST", f"{_ROOT}/batches/[^/]+/cancel", owned=at_openai),
        Endpoint("stores", "GET", _STORES, owned=at_openai),
        Endpoint("store created", "POST", _STORES, owned=at_openai),
        Endpoint("store", "GET", f"{_STORES}/[^/]+", owned=at_openai),
        Endpoint("store changed", "POST", f"{_STORES}/[^/]+", owned=at_openai),
        Endpoint("store deleted", "DELETE", f"{_STORES}/[^/]+", owned=at_openai),
        Endpoint("store files", "GET", f"{_STORES}/[^/]+/files", owned=at_openai),
        Endpoint("store file added", "POST", f"{_STORES}/[^/]+/files", owned=at_openai),
        Endpoint("store file", "GET", f"{_STORES}/[^/]+/files/[^/]+", owned=at_openai),
        Endpoint("store file deleted", "DELETE", f"{_STORES}/[^/]+/files/[^/]+", owned=at_openai),
        Endpoint("containers", "GET", _CONTAINERS, owned=at_openai),
        Endpoint("container created", "POST", _CONTAINERS, owned=at_openai),
        Endpoint("container", "GET", f"{_CONTAINERS}/[^/]+", owned=at_openai),
        Endpoint("container deleted", "DELETE", f"{_CONTAINERS}/[^/]+", owned=at_openai),
        Endpoint("container files", "GET", f"{_CONTAINERS}/[^/]+/files", owned=at_openai),
        Endpoint("container file", "GET", f"{_CONTAINERS}/[^/]+/files/[^/]+", owned=at_openai),
        Endpoint("container file deleted", "DELETE", f"{_CONTAINERS}/[^/]+/files/[^/]+", owned=at_openai),
        Endpoint(
            "container file content",
            "GET",
            f"{_CONTAINERS}/[^/]+/files/[^/]+/content",
            owned=at_openai,
            file="response",
        ),
        Endpoint("models", "GET", f"{_ROOT}/models", owned=at_openai),
        Endpoint("model", "GET", f"{_ROOT}/models/[^/]+", owned=at_openai),
    ),
    reference_model="gpt-4o-mini",
    optional_rules=USUAL_RULES
    | {
        "credential-missing",
        "cut-call-result-unexpected",
        "history-server-result-orphaned",
        "server-result-orphaned",
        "tool-array-items-missing",
        "tool-call-id-ambiguous",
        "tool-call-kind-mismatch",
        "tool-object-properties-missing",
        "tool-root-wrong-type",
        "usage-empty",
        "usage-repeated",
    },
)
