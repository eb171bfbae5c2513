"""The results of server tools, in requests and in replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from conformance.contract.nodes import Node, Object
from conformance.contract.notation import *

Make = Callable[..., Object]

_EVERYWHERE = ("invalid_tool_input", "unavailable", "too_many_requests")
_RUN = (*_EVERYWHERE, "execution_time_exceeded")
_SEARCH = (*_EVERYWHERE, "max_uses_exceeded", "query_too_long", "request_too_large")
_FETCH = (
    *_EVERYWHERE,
    "url_too_long",
    "url_not_allowed",
    "url_not_in_prior_context",
    "url_not_accessible",
    "unsupported_content_type",
    "max_uses_exceeded",
    "content_too_large",
)
_ADVISED = (
    "max_uses_exceeded",
    "prompt_too_long",
    "too_many_requests",
    "overloaded",
    "unavailable",
    "execution_time_exceeded",
    "model_not_found",
)
_COUNT = integer() | null


def server_results(make: Make, document: Node, reference: Node) -> Mapping[str, Node]:
    """The `content` of each type of result; `make` builds the side's form of an object."""

    def failed(*codes: str) -> Object:
        return make(error_code=need(known(*codes)), error_message=may(text() | null))

    def file(kind: str) -> Node:
        return array(by_known({kind: make(file_id=need(text(1)))}))

    found = make(encrypted_content=need(text()), title=need(text()), url=need(text(1)), page_age=may(text() | null))
    lines = {
        "lines": may(array(text()) | null),
        **dict.fromkeys(("new_lines", "new_start", "old_lines", "old_start"), may(_COUNT)),
    }
    ran = {"return_code": need(integer()), "stderr": need(text())}
    contents: dict[str, dict[str, Node]] = {
        "web_search_tool_result": {"web_search_tool_result_error": failed(*_SEARCH)},
        "web_fetch_tool_result": {
            "web_fetch_tool_result_error": failed(*_FETCH),
            "web_fetch_result": make(content=need(document), url=need(text(1)), retrieved_at=may(text() | null)),
        },
        "code_execution_tool_result": {
            "code_execution_tool_result_error": failed(*_RUN),
            "code_execution_result": make(ran, content=need(file("code_execution_output")), stdout=need(text())),
            "encrypted_code_execution_result": make(
                ran, content=need(file("code_execution_output")), encrypted_stdout=need(text())
            ),
        },
        "bash_code_execution_tool_result": {
            "bash_code_execution_tool_result_error": failed(*_RUN, "output_file_too_large"),
            "bash_code_execution_result": make(
                ran, content=need(file("bash_code_execution_output")), stdout=need(text())
            ),
        },
        "text_editor_code_execution_tool_result": {
            "text_editor_code_execution_tool_result_error": failed(*_RUN, "file_not_found"),
            "text_editor_code_execution_view_result": make(
                content=need(text()),
                file_type=need(word("text", "image", "pdf")),
                num_lines=may(_COUNT),
                start_line=may(_COUNT),
                total_lines=may(_COUNT),
            ),
            "text_editor_code_execution_create_result": make(is_file_update=need(boolean)),
            "text_editor_code_execution_str_replace_result": make(lines),
        },
        "tool_search_tool_result": {
            "tool_search_tool_result_error": failed(*_RUN),
            "tool_search_tool_search_result": make(tool_references=need(array(reference))),
        },
        "advisor_tool_result": {
            "advisor_tool_result_error": failed(*_ADVISED),
            "advisor_result": make(text=need(text()), stop_reason=may(text() | null)),
            "advisor_redacted_result": make(encrypted_content=need(text()), stop_reason=may(text() | null)),
        },
    }
    nodes: dict[str, Node] = {name: by_known(cases) for name, cases in contents.items()}
    nodes["web_search_tool_result"] |= array(by_known(web_search_result=found))
    return nodes
