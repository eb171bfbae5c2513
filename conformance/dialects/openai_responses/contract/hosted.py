"""Items of OpenAI's hosted tools, and their outputs: the same in the input and in the output."""

from __future__ import annotations

from conformance.contract.nodes import Field, Node, Object
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract.places import SENT, Way
from conformance.dialects.openai_responses.contract.tools import ECHOED, LATE_TOOLS, environments

_MOST = 10_485_760
_RUN = ("in_progress", "completed", "incomplete")
_DRAWING = ("in_progress", "completed", "generating", "failed")
_ROLES = ("unknown", "user", "assistant", "system", "critic", "discriminator", "developer", "tool")
CALLER = by(direct=obj(), program=obj(caller_id=need(text(1, 64))))


def call_id(way: Way) -> Field:
    """The id that the output of a call refers to."""
    return way.must(text(1, 64))


def _actions(way: Way) -> Node:
    keys = way.may(array(text()))
    x, y = way.must(integer()), way.must(integer())
    return by_known(
        click=obj(
            button=way.must(way.word("left", "right", "wheel", "back", "forward")),
            x=x,
            y=y,
            keys=keys,
        ),
        double_click=obj(x=x, y=y, keys=keys),
        drag=obj(path=way.must(array(obj(x=x, y=y))), keys=keys),
        keypress=obj(keys=way.must(array(text()))),
        move=obj(x=x, y=y, keys=keys),
        screenshot=obj(),
        scroll=obj(x=x, y=y, scroll_x=way.must(integer()), scroll_y=way.must(integer()), keys=keys),
        type=obj(text=way.must(text())),
        wait=obj(),
    )


def _searches(way: Way) -> Node:
    sources = array(by_known(url=obj(url=way.must(text(1))), api=obj(name=may(text()))))
    return by_known(
        search=obj(
            query=way.may(text()),
            queries=way.may(array(text())),
            sources=way.may(sources),  # null was sent, and sent back, 2
        ),
        open_page=obj(url=may(text() | null)),
        find_in_page=obj(url=way.must(text(1)), pattern=way.must(text())),
    )


def _mcp(way: Way) -> dict[str, Object]:
    error = cases(
        (
            "type",
            by_known(
                mcp_protocol_error=obj(code=way.must(integer()), message=way.must(text())),
                mcp_tool_execution_error=obj(content=way.must(anything)),
                http_error=obj(code=way.must(integer()), message=way.must(text())),
            ),
        ),
        otherwise=obj(type=may(text())),
    )
    listed = obj(
        name=way.must(text(1)),
        description=may(text() | null),
        input_schema=way.must(mapping()),
        annotations=may(mapping() | null),
    )
    server = way.must(text(1))
    return {
        "mcp_list_tools": obj(
            id=way.must(text(1)),
            server_label=server,
            tools=way.must(array(listed)),
            error=may(
                text() | obj() | null
            ),  # the document has a text; OpenAI sent objects (openai/openai-openapi#531)
        ),
        "mcp_approval_request": obj(
            id=way.must(text(1)), server_label=server, name=way.must(text(1)), arguments=way.must(text())
        ),
        "mcp_approval_response": obj(
            id=way.given(text(1)),
            approval_request_id=way.must(text(1)),
            approve=way.must(boolean),
            reason=may(text() | null),
        ),
        "mcp_call": obj(
            id=way.must(text(1)),
            server_label=server,
            name=way.must(text(1)),
            arguments=way.must(text()),
            output=may(text() | null),
            error=may(error | null),
            status=may(way.word(*_RUN, "calling", "failed")),
            approval_request_id=may(text() | null),
        ),
    }


def _shells(way: Way) -> dict[str, Object]:
    outcome = by(timeout=obj(), exit=obj(exit_code=way.must(integer())))
    operations = by(
        dict.fromkeys(("create_file", "update_file"), obj(path=way.must(text(1)), diff=way.must(text(0, _MOST)))),
        delete_file=obj(path=way.must(text(1))),
    )
    status = way.given(way.word(*_RUN))
    local_action = by(
        exec=obj(
            command=way.must(array(text())),
            env=way.must(mapping(text())),
            timeout_ms=may(integer() | null),
            working_directory=may(text() | null),
            user=may(text() | null),
        ),
    )
    shell_action = obj(
        commands=way.must(array(text())),
        timeout_ms=way.given(integer() | null),
        max_output_length=way.given(integer() | null),
    )
    output = obj(
        created_by=may(text() | null),
        stdout=way.must(text(0, _MOST)),
        stderr=way.must(text(0, _MOST)),
        outcome=way.must(outcome),
    )
    return {
        "local_shell_call": obj(
            id=way.must(text(1)),
            call_id=call_id(way),
            action=way.must(local_action),
            status=way.must(way.word(*_RUN)),
        ),
        "local_shell_call_output": obj(id=way.must(text(1)), output=way.must(text()), status=way.may(way.word(*_RUN))),
        "shell_call": obj(
            id=way.given(text(1)),
            call_id=call_id(way),
            caller=may(CALLER | null),
            action=way.must(shell_action),
            status=status,
            environment=way.given(by(environments(way)) | null),
        ),
        "shell_call_output": obj(
            id=way.given(text(1)),
            call_id=call_id(way),
            caller=may(CALLER | null),
            output=way.must(array(output)),
            status=status,
            max_output_length=way.given(integer() | null),
        ),
        "apply_patch_call": obj(
            id=way.given(text(1)),
            call_id=call_id(way),
            caller=may(CALLER | null),
            status=way.must(way.word("in_progress", "completed")),
            operation=way.must(operations),
        ),
        "apply_patch_call_output": obj(
            id=way.given(text(1)),
            call_id=call_id(way),
            caller=may(CALLER | null),
            status=way.must(way.word("completed", "failed")),
            output=may(text(0, _MOST) | null),
        ),
    }


def _searched(way: Way) -> dict[str, Object]:
    run, found = way.given(way.word("server", "client")), LATE_TOOLS if way is SENT else ECHOED
    return {
        "tool_search_call": obj(
            id=way.given(text(1)),
            call_id=way.given(text(1, 64) | null),
            execution=run,
            arguments=way.must(anything),
            status=way.given(way.word(*_RUN)),
        ),
        "tool_search_output": obj(
            id=way.given(text(1)),
            call_id=way.given(text(1, 64) | null),
            execution=run,
            tools=way.must(found),
            status=way.given(way.word(*_RUN)),
        ),
        "additional_tools": obj(
            id=way.given(text(1)),
            role=way.must(word("developer") if way is SENT else known(*_ROLES)),
            tools=way.must(found),
        ),
    }


def _blocked(way: Way) -> Node:
    return obj(
        code=way.must(text() | null),
        message=way.must(text()),
        param=way.must(text() | null),
        type=way.must(text()),
        moderation_details=may(
            obj(categories=way.must(array(text())), moderation_stage=way.must(way.word("input", "output", "unknown")))
            | null
        ),
    )


def _drawn(way: Way) -> Node:
    counts = dict.fromkeys(("input_tokens", "output_tokens", "reasoning_tokens", "total_tokens"), way.must(integer(0)))
    return obj(counts, model=way.must(text()))


def items(way: Way) -> dict[str, Object]:
    """The items by type."""
    checks = array(obj(id=way.must(text()), code=may(text() | null), message=may(text() | null)))
    image = way.must(way.word(*_DRAWING))
    if way is SENT:
        image = may(way.word(*_DRAWING))  # sent back without it, and accepted
    passage = obj(
        file_id=way.may(text(1)),
        text=may(text() | null),
        filename=may(text() | null),
        attributes=may(mapping(text(0, 512) | number() | boolean, None, 16) | null),
        score=may(number() | null),
    )
    screenshot = by(computer_screenshot=obj(image_url=way.may(text(1)), file_id=way.may(text(1))))
    return {
        "file_search_call": obj(
            id=way.must(text(1)),
            status=way.must(way.word("in_progress", "searching", "completed", "incomplete", "failed")),
            queries=way.must(array(text())),
            results=may(array(passage) | null),
        ),
        "web_search_call": obj(
            id=way.must(text(1)),
            status=way.must(way.word("in_progress", "searching", "completed", "incomplete", "failed")),
            action=way.must(_searches(way)),
        ),
        "computer_call": obj(
            id=way.must(text(1)),
            call_id=call_id(way),
            action=way.may(_actions(way)),
            actions=way.may(array(_actions(way))),
            pending_safety_checks=way.must(checks),
            status=way.must(way.word(*_RUN)),
        ),
        "computer_call_output": obj(
            id=way.given(text(1)),
            call_id=call_id(way),
            output=way.must(screenshot),
            acknowledged_safety_checks=may(checks | null),
            status=way.given(way.word(*_RUN, "failed")),
        ),
        "image_generation_call": obj(
            id=way.must(text(1)),
            status=image,
            result=may(text() | null),
            revised_prompt=may(text() | null),
            action=way.may(way.word("generate", "edit", "auto")),
            background=way.may(way.word("transparent", "opaque", "auto")),
            output_format=way.may(way.word("png", "webp", "jpeg", "gif", "svg")),
            quality=way.may(way.word("low", "medium", "high", "xhigh", "max", "auto")),
            size=way.may(text()),
            error=may(_blocked(way) | null),
            svg_usage=may(_drawn(way) | null),
        ),
        "code_interpreter_call": obj(
            id=way.must(text(1)),
            status=way.must(way.word(*_RUN, "interpreting", "failed")),
            container_id=way.must(text(1)),
            code=way.must(text() | null),
            outputs=way.given(
                array(by_known(logs=obj(logs=way.must(text())), image=obj(url=way.must(text(1))))) | null
            ),
        ),
        "compaction": obj(id=way.given(text(1)), encrypted_content=way.must(text(0, 20_971_520))),
        "program": obj(
            id=way.must(text(1)),
            call_id=call_id(way),
            code=way.must(text(0, _MOST)),
            fingerprint=way.must(text(0, _MOST)),
        ),
        "program_output": obj(
            id=way.must(text(1)),
            call_id=call_id(way),
            result=way.must(text(0, _MOST)),
            status=way.must(way.word("completed", "incomplete")),
        ),
        **_mcp(way),
        **_shells(way),
        **_searched(way),
    }
