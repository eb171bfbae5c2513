"""What clients send back, and what they acknowledge: programs, safety checks, replayed items, shells."""

from conformance.dialects.openai_responses.relation_places import ELSEWHERE, KEPT, declared, output, reply, sent
from conformance.judge.relations import (
    Identity,
    contains,
    encodes,
    ends,
    equal,
    has,
    instance_of,
    matched,
    never,
    refers,
    row,
    shorter,
    within,
)
from conformance.model.finding import Severity

# Programs ----------------------------------------------------------------------------------------------------------
_PROGRAM = Identity(
    "call_id of a program", f"{output('program', '/call_id')} | {sent('program', '/call_id')}", "exchange"
)
row(
    "responses-caller-orphaned",
    "OAR-C-015",
    refers(f"request /input/*/caller/caller_id | {output(path='/caller/caller_id')}", _PROGRAM, unless=KEPT),
    why="The output of the call does not reach the program that waits for it.",
)
row(
    "responses-caller-mismatch",
    "OAR-C-015",
    matched(
        "request /input/*[output][caller]",
        "/call_id",
        f"{output(path='[caller]')} | request /input/*[!output][caller]",
        "/call_id",
        equal("/that/caller/type", "/this/caller/type"),
        equal("/that/caller/caller_id", "/this/caller/caller_id"),
        within="run",
    ),
    why="The output of the call does not reach the program that waits for it.",
)

# Checks of a computer call -----------------------------------------------------------------------------------------
_COMPUTER = f"{output('computer_call')} | {sent('computer_call')}"
row(
    "responses-safety-check-unanswered",
    "OAR-C-016",
    matched(
        sent("computer_call_output"),
        "/call_id",
        _COMPUTER,
        "/call_id",
        contains("/this/acknowledged_safety_checks/*/id", "/that/pending_safety_checks/*/id"),
        within="run",
    ),
    why="The server refuses the output of a call with checks that nobody acknowledged.",
    refused=True,
)
row(
    "responses-safety-check-orphaned",
    "OAR-C-016",
    matched(
        sent("computer_call_output"),
        "/call_id",
        _COMPUTER,
        "/call_id",
        contains("/that/pending_safety_checks/*/id", "/this/acknowledged_safety_checks/*/id"),
        within="run",
    ),
    severity=Severity.WARNING,
    because="no refusal of an acknowledgement too many is known",
    why="The user acknowledged a check that the model did not ask for.",
)

# Items that are sent back ------------------------------------------------------------------------------------------
row(
    "responses-encrypted-content-changed",
    "OAR-C-017",
    matched(
        sent("reasoning"),
        "/id",
        "response /output/*[type=reasoning][encrypted_content]"
        " | event[type=response.output_item.done] /item[type=reasoning][encrypted_content]"
        f" | {reply('/output/*[type=reasoning][encrypted_content]')}",
        "/id",
        equal("/that/encrypted_content", "/this/encrypted_content"),
        within="run",
    ),
    why="The server decrypts it, and returns a 400 if it cannot.",
)
row(
    "responses-input-encrypted-content-missing",
    "OAR-Q-013",
    within(sent("reasoning"), has("/encrypted_content"), given="request [store=false]"),
    why="The server has not stored the item: it refuses the request, or the model loses its reasoning.",
)
row(
    "responses-function-output-invalid",
    "OAR-C-024",
    matched(
        sent("function_call_output"),
        "/call_id",
        f"{declared('function', '[output_schema]')} | {declared('namespace', '/tools/*[output_schema]')}",
        "/name",
        encodes("/this/output", "JSON"),
        instance_of("/this/output", "/that/output_schema", text=True),
        through=(f"{sent('function_call')} | {output('function_call')}", "/call_id", "/name"),
    ),
    why="The model, and the programs that it writes, expect other fields.",
)
row(
    "responses-program-changed",
    "OAR-C-017",
    matched(
        sent("program"),
        "/id",
        output("program"),
        "/id",
        equal("/that/fingerprint", "/this/fingerprint"),
        equal("/that/code", "/this/code"),
        within="run",
    ),
    matched(
        sent("compaction"),
        "/id",
        output("compaction"),
        "/id",
        equal("/that/encrypted_content", "/this/encrypted_content"),
        within="run",
    ),
    why="The server cannot continue the program, or read the compacted history.",
)
row(
    "responses-phase-dropped",
    "OAR-C-018",
    matched(
        sent("message"),
        "/id",
        output("message", "[phase]"),
        "/id",
        has("/this/phase"),
        equal("/that/phase", "/this/phase"),
        within="run",
    ),
    why="The model takes a comment for the final answer, and ends the turn early.",
)
row(
    "responses-phase-unexpected",
    "OAR-C-018",
    never("request /input/*[role=user|system|developer][phase]/phase"),
    why="The server ignores it, or refuses the request.",
)
row(
    "responses-message-changed",
    "OAR-C-019",
    matched(
        sent("message"),
        "/id",
        output("message"),
        "/id",
        equal("/that/content/first/text", "/this/content/first/text"),
        within="run",
    ),
    matched(
        sent("reasoning"),
        "/id",
        output("reasoning"),
        "/id",
        equal("/that/summary/first/text", "/this/summary/first/text"),
        within="run",
    ),
    why="The model reads an answer as its own that it did not give.",
)
row(
    "responses-max-output-length-dropped",
    "OAR-C-020",
    matched(
        sent("shell_call_output"),
        "/call_id",
        f"{output('shell_call', '[action.max_output_length]')} | {sent('shell_call', '[action.max_output_length]')}",
        "/call_id",
        has("/this/max_output_length"),
        equal("/that/action/max_output_length", "/this/max_output_length"),
        within="run",
    ),
    why="The server does not cut the output where the model asked for it.",
)
row(
    "responses-shell-output-too-long",
    "OAR-C-023",
    within(
        f"{sent('shell_call_output')} | {output('shell_call_output')}",
        shorter("/output/*", "/stdout", "/stderr", limit="/max_output_length"),
    ),
    why="The model reads, and the client pays for, more than was asked for.",
)
row(
    "responses-compaction-trigger-misplaced",
    "OAR-Q-017",
    ends(sent("compaction_trigger"), "request /input/*"),
    why="The server refuses the request, or compacts only the items before it.",
)
row(
    "responses-input-transformation-orphaned",
    "OAR-R-019",
    refers(
        reply("/input_transformations/*/id"),
        Identity("reasoning item", sent("reasoning", "/id"), "exchange"),
        unless=ELSEWHERE,
    ),
    why="A client looks for the reasoning that was withheld, and finds no such item.",
)
