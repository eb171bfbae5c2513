"""Contracts: one notation for the fields of the requests, replies, stream events and errors of every dialect.

A contract is a tree of rows, built with small functions, one row for each field. It yields the violations of a value
(`check`), the quick answer that there are none (`Admission`), and JSON Schemas (`schema_of`):

    REQUEST = obj(
        excludes("max_tokens", "max_completion_tokens", cite=refusal("OAC-Q-024")),
        needs("stream_options", is_("stream", True), cite=cite("OAC-Q-013")),
        model=need(text(1), unless=when(path="/deployments/")),
        messages=need(array(MESSAGE, 1), cite("OAC-Q-001"), empty=cite(rule="chat-messages-empty")),
        temperature=may(number(0, 2), cite("OAC-Q-025")),
        stop=may(text() | array(text(), 1, 4)),
        verbosity=may(word("low", "medium", "high")),
    )
    CHAT = Contract("chat", "request", REQUEST, "request", "openai/openai-openapi CreateChatCompletionRequest")
    CHAT.violations(body, Situation(provider="openai", model="gpt-4o"))

Values:

    text()  text(1)  text(0, 64)            a string; one that is not empty; of at most 64 characters
    text(pattern="[a-z]+")                  a string that the pattern matches whole
    word("a", "b")                          one of these strings
    folded("A", "B")                        one of these strings, in any case
    known("a", "b")                         the same, in an open list: another is reported as undocumented
    number(0, 2)  integer(1)  boolean       with inclusive bounds
    quoted(integer(1))                      an integer that may be written as a string
    null  anything
    array(X, 1, 4)                          an array of 1 to 4 items; unique=True: no duplicates;
                                            single=True: one item may replace the array
    mapping(X, text(0, 64), 16)             an object with keys of the client's choice: values, keys, most entries
    obj(name=row, ...)                      an object with these fields, and any others
    X | Y                                   either; the JSON type decides, then the better match
    by(a=X, b=Y)                            objects distinguished by `type`; another string breaks the contract
    by("role", {"a-b": X}, c=Y)             by another key; a word that is not a Python identifier
    by_known(...)  by_some(...)             the same; another string is reported as undocumented; or not reported
    by_some(a=X, otherwise=Y)               an object with another string is a Y
    cases(("error", X), otherwise=Y)        objects distinguished by their fields: the first condition that is true
    later("schema", lambda: X)              a node that contains itself

Rows, one for each field of an object:

    need(X)  should(X)  may(X)              required; a warning if it is missing; optional
    may(X | null)                           may be null. In a request every `may` row may be; in a reply a null that is
                                            not documented is reported as `null`
    need(X, only=when(...))                 applies to these exchanges only
    need(X, unless=when(...))               may be missing in these exchanges
    first(row, row)                         the first of these whose `only` is true
    may(X, deprecated=cite(...))            is reported wherever it is present
    need(X, also=("other_name",))           has other spellings; snaked(obj(...)) adds snake case to all
    may(Foreign("`stop`"))                  is not accepted here: use `stop`
    foreign(cite(...), top_k="`top_p`")     several rows of this kind
    by(a=Foreign("...", "`a`", cite(...)))  an object in the wrong place; the second argument is its name

How a violation is reported: the second argument of a row, or a part of an object or of `by`, for everything in it:

    cite("OAC-Q-025", Severity.WARNING, rule="...", refused=400, fix="...")
                                            citation, severity, rule id, status of the refusal, fix: all optional
    refusal("OAC-Q-024")                    the only reason is that the provider refuses it: a warning where an
                                            official host took that very request
    need(X, cite(...), empty=cite(...))     one kind of violation is reported differently
    need(X, {"missing": ..., "type": ...})  several kinds are reported differently
    by(..., {"itself": ...})                how a value that is not an object is reported; or cases(itself=...)
    cite(severity=SILENT)                   it is not reported

Without a `rule` the id is `<prefix>-<subject>-<defect>`, such as `chat-request-value-out-of-range`. `citation.DEFECTS`
has the kinds of violations with their defects; the docstring of `citation` has the policy of severities.

Parts of an object, before its rows: another object, whose rows it includes; a `Citation` or `{kind: Citation}`;
`{name: row}` for names that are not Python identifiers; `closed` or `closed_at(when(...))` if the provider refuses
unknown fields; `only(X, "a", "b")`, an object's rows of these names; and relations:

    excludes(A, B)                          not all of these together
    needs(A, B, C)                          A only with B or C
    some_of(A, B)  one_of(A, B)             at least one; exactly one
    at_most_one_of(A, B)                    one or none
    below(A, B)                             A is a smaller number than B

A and B are names (present and not null), `is_("stream", True)`, `filled("stop")` (present and not empty),
`over("n", 1)`, `under("n", 1)` or `holds("modalities", "audio")`; or `bare(A, B)`: there are no other fields. A name
may be a path into objects: `thinking.budget_tokens`. A relation takes `citation=` and `only=`.

Where a row applies: `when("openai", "azure-openai", model="^o1", api_version="...", path="...", since="2026-08-28",
until="...", complete=True, beta="interleaved-thinking", operation="tools/list", no=when(...))`. A condition on a fact
that is unknown for an exchange is false. `models("openai/reasoning")` are the models of a generation. What single
providers do differently is not in the rows but in their profiles, with its evidence (`profile_rows`, `deviations`).

A contract also lists everything that it can report, with rule, severity and citation (`Contract.entries`,
`Contract.rules`), and gives its JSON Schema for a situation (`Contract.schema`). `python -m devtools.contract_silence
DIALECT` applies it to recorded traffic, `make contract` compares it with the published documents, and `make faults`
applies it to faults generated from them.

Rows describe single objects. What holds between several places (order, identity, sums, ranges, options and replies) is
in relations (`conformance.judge.relations`).
"""

from conformance.contract.admission import Admission
from conformance.contract.checking import check
from conformance.contract.compiling import schema_of
from conformance.contract.contract import Contract
from conformance.contract.situation import Situation, when
from conformance.contract.violation import Violation

__all__ = ["Admission", "Contract", "Situation", "Violation", "check", "schema_of", "when"]
