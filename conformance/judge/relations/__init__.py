"""Relations: what must hold between two fields, two items, two sides or two exchanges, as data.

A dialect writes its relations as rows in `relations/*.yaml`. A row makes a rule: it cites statements, has the severity
of the first, and has examples in `proofs/`, as a rule in Python does.

    responses-usage-total-wrong:
      cites: OAR-R-014
      relations:
      - within: <reply>/usage
        forms: [sum_of: [/total_tokens, /input_tokens, /output_tokens]]
      consequence: Budgets add up to another sum.

`consequence` is what breaks in practice. May be absent: `requirement`, one sentence where the text of the statement
says more than the row demands; `severity`, other than the statement's, with the reason in `because`; `elsewhere`, the
severity at servers that are only compatible; `refused: true`, the provider refuses such a request (if an official host
took one, the finding is a warning); `needs_complete: true`, the row is about absence; `only: {provider: …, model: …}`,
what it is about; with a `doubtful` one, such as a model by another name, a finding is a warning, and there is none in a
request that was accepted; with something at the places `warning_with`, it is a warning; `part`, `about` and `opt_in`,
as of a rule in Python.

What is written here as `name("/a", "/b", option=…)` is `name: [/a, /b]` and `option: …` in a row; the first key is the
name, and one argument needs no list. `naming` explains `names` (`<reply>`), `each`, and `~` after a name in camel case.
`{function: module.name}` is a function of the dialect's folder.

Places are patterns, written as findings write them: a root, then a path.

    request /tools/*/name                        every item of an array, or every value of an object: `*`
    request /metadata/@                          every key of an object
    response /output/last                        an item of an array: `first`, `last`
    response /output/*[type=function_call]/id    of objects with this value: `[key=a|b]`; `[key]` has any but null;
                                                 `[!key]` has none, or null; `[key.inner=a]` looks further in
                                                 (`[items.first.type=a]`: into the first item, or `last`);
                                                 `[!key=a]` has another value, or none
    event[type=error] /message                   each event of a stream that has this value
    events /*/sequence_number                    the array of all events
    request /tools/*/functionDeclarations|function_declarations    a member that has one of two names
    request /stop/*[=a|b]                        a value that is one of these
    client[method=tools/call] /params/name       each message of a side, where both send some: see below
    response /id | event /response/id            either

In a dialect in which both sides send messages (its module `both_sides`), `client` is each message of the client, and
`server` each of the server, in a body, a batch, a stream or a line. To a message the dialect adds what it refers to:
`asked`, the request that it answers; `listed`, the entry of a list that it names; `settled`, what was agreed before.

`request` is its body. `response` is the body of a successful reply that is not streamed; of one that is streamed there
are `event` and `events`. `header` has those of the request, in lower case, each as an array of its values.
`exchange` is both sides as one value: `/path`, `/last` and `/query` of the URL, `/sent` (of an upload, its form, with
the `lines` of a file), `/reply` (of a download, the `/reply/lines`) or `/events`, the `/time` of the answer, and
`/endpoint`, if that is one beside the main one (`sections.whole`).
At such an endpoint, relations that begin in `exchange` are judged; and those of `response` alone, if its reply is the
model's answer to an earlier request.

Relations within a value are the `forms` of `within(PLACE, given=PLACE)`; their paths lead from there:

    sum_of("/total", "/a", "/b", optional=("/c",))    the total is the sum of the others
    part_of("/cached", "/input")                      a number, or that of the items of an array, that is included in
                                                      another: at most as large; `int64=True`: both are texts
    up_to("/max_tokens", 64000)                       a number that is at most so large
    count_of("/count", "/items")                      the number of items
    index_into("/citations/*/index", "/documents")    the position of an item, or of a character
    range_of("/annotations/*", "/start", "/end", "/text", unit="characters")    a range in a text; also `bytes`, `items`
    unique("/items/*/id")                             no value twice
    increases("/*/sequence_number", by=1, start=0)    larger each time
    together("/a", "/b")                              all or none
    equal("/a", "/b")                                 the second repeats the first; `last`, its last segment
    instance_of("/examples/*", "/input_schema")       valid under a JSON Schema that stands beside them
    quotes("/cited", "/start", "/end", "/text")       a text repeats a range of another; also of `bytes`, `items`
    same_length("/a", "/b")                           two arrays whose items belong together
    among("/caller", "/callers/*", default=("x",))    one of several values; also of several paths (`/a | /b`), and
                                                      `unless="/c"`, with which it may be any
    contains("/given/*", "/wanted/*")                 all of the second, or of several (`/a | /b`), are among the first
    needs("/a", "/b", known="/c")                     a field that comes only with another one, where a third is known
    excludes("/a", "/b", "/c")                        a field that does not come with any of the others
    matches("/key", r"[a-z]+", "a lower-case word")   a text has a form; `where=` is true of the pattern's groups
    at_least("/level", "/least", ORDER)               a word does not come before another one in an order
    has("/a", "/b")                                   all are there and not empty
    differ("/a", "/b")                                the second has another value than the first
    constant("/*/id")                                 the same value each time
    before("/*[type=a]", "/*[type=b]")                items that come before all of the others
    decreases("/*/probability")                       none larger than the one before
    same_order("/data/*/id", "/sent/*/id", reverse=True)    those that are there, too, come as there, or reversed
    not_less("/end", "/begin", plus=0)                a number, or a time, is at least another one; or with so much more
    lasts("/created_at", "/expires_at", 86400)        a time is so many seconds after another; also a path to a duration
    translates("/type", "/name", {"a": "a_result"})   the word that a table has for another word
    concatenates("/tokens/*/token", "/text")          texts that add up to another one
    fits("/input", "/format/definition")              a whole text matches a regular expression
    bytes_of("/bytes", "/token")                      the bytes of a text in UTF-8
    resolves("/schema", "$ref")                       references within a value (`#/$defs/Pet`) lead to something
    valid_schema("/parameters")                       a JSON Schema that is valid under its meta-schema
    strict_schema("/parameters")                      a schema for strict mode: closed objects, all properties required
    encodes("/data", "base64")                        or `JSON`, `a JSON object`, `a date and time (RFC 3339)`, `a URI`,
                                                      `base64 in a data URL`, `base64 or a URL`
    shorter("/parts/*", "/a", "/b", limit="/most")    the texts of each part have at most so many characters

Relations between places of one exchange:

    requires(PLACE, NEEDED, unless=PLACE)     what is at the first place needs something at the second
    forbids(PLACE, OTHER, unless=PLACE)       with something at the second, there is nothing at the first
    never(PLACE, "what there may be", unless=PLACE)    there is nothing
    echoes(PLACE, OF, default=None)           the first repeats the second, or the default
    bounded(PLACE, BY)                        a number, a length or a count is at most the number at the second; or with
                                              `below=True` less, with `least=True` at least, `more=1` at most one more
    at_most(NUMBER, PLACE, per=0)             there are at most so many of these; the number can be at a place; with
                                              `per=2` in what two steps of a pointer lead to, such as each message
    mentions(PLACE, "word", PLACE, unless=PLACE)    with something at the first, a text at the second has the word,
                                                    or without a word ("") what is at the first
    structured(SCHEMA, strict=PLACE, unless=PLACE)    the reply's text is valid under the schema
    valid(PLACE, "/value", "/schema")         in each value at the place, one is valid under the schema that is another
    omits(PLACE)                              the reply's text has none of these texts
    ranked(PLACE, "/ttl", ("1h", "5m"))       the values come in this order of their words
    hosted(PLACE, DOMAINS, blocked=False)     the hosts of addresses are of the domains, or of none of them
    points_into(PLACE, ordered=False)         a path such as `messages.0.content.1` leads to something in the request,
                                              with `types=[…]` to an object of one of these types
    matched(PLACE, "/key", OTHER, "/id")      each at the first belongs to the one at the second with the same key, or
                                              without "/id" to the one at this position; its forms relate `/this`
                                              with `/that`, and without any there is no such pair; `within="run"`:
                                              also one of an earlier exchange;
                                              `through=(PLACE, "/key", "/name")`: a result through its call

Order, in a stream or an array. `by`: a path in each step; only steps with the same value there belong together:

    follows(PLACE, BEFORE, by="/item_id")     each of the first comes after one of the second
    ends(PLACE, OTHER, by=…)                  after the first there is none of the second
    leads_to(PLACE, OTHER, by=…, end=PLACE)   after each of the first comes one of the second, in a stream with this end
    single(PLACE, by=…)                       there is at most one
    changes(PLACE)                            none is the same as the one before it
    preceded_by(PLACE, "[type=a]", "[type=b]")    the item directly before each passes one of the tests, if any is there
    succeeded_by(PLACE, "[type=a]")               the item directly after it, if any is there
    rises(PLACE, "/number", by=…)             the number, or the time, is larger each time; with `flat=True` at least
                                              not smaller, with `dense=True` from 0 on and without a gap
    encloses(PLACE, INSIDE, STOP, until=PLACE, end=PLACE)    one after another: what begins, what is inside, its stop,
                                              before `until`; or with `keys=True`, each with the number of its begin

The end of a stream, and what it has beside the data of its events:

    completed(PLACE, BY, unless=PLACE)        with the first, the stream has the second, which can be the mark `[DONE]`
    last_mark(unless=PLACE)                   nothing follows the mark
    unmarked()                                there is no mark
    titled("type", unnamed="warning")         each event has a name, which repeats this member of its data

Identities, which something introduces and something else refers to:

    APPROVAL: identity("approval request", PLACE)       `within="exchange"`: no later exchange can refer to it;
                                                         `given`, `unless`: with or without something there
    refers(PLACE, APPROVAL, unless=PLACE, others=(...))  the value was introduced as this, not as one of the others
    answered(APPROVAL, by=PLACE)                         all that the exchange introduces is referred to in it
    pending(APPROVAL, by=PLACE, at=PLACE, link=RESPONSE) all that the exchange introduced which a request continues
    repeats(PLACE, TOKEN, ("/a", "/b"), grown=("/items", "[test]"))    with a token of a reply, a request repeats parts
                                                                       of the one before; an item may be added
    returned(APPROVAL, by=PLACE)                         all that a reply introduced, in the request that sends it back
    once(PLACE, within="run")                            no value twice, in an exchange or in a run

What a server keeps and shows again, which stands for several of these (`kept.kept`):

    kept(PLACE, "/id", first=PLACE, steady=("/created_at",), once_set=("/ended_at",), rising=("/counts/done",),
         order={"/status": ("queued", "running")}, final="[status=done]", lasting=("/status", "/output"), gone=PLACE)

Those of a session, in dialects whose module `both_sides` knows sessions:

    CURSOR: introduced("cursor", PLACE)
    refers_in_session(PLACE, CURSOR, others=(...), since=PAGE)    something in the session introduced the value as this;
                                                                  `unique=True`: no other session has it by chance
    once_in_session(PLACE)                                        no value twice in a session
    ended(PLACE, DONE)                                            no value that something before ended

Of what every dialect has; the module `transcript` lists what the places lead through. Their `forms` hold in each value;
without a form, there is no such value:

    transcript("/replies/*[stop=end]", wrong="…", wanted="…")    about turns, calls and tools
    http("/sent[!headers.api-key]", wrong="…", wanted="…")       about a request, or a response with a failure

    rejected(RELATION, *codes)                the response to a request that breaks it is an error with one of the codes

A relation can have a `severity`, other than that of its row, what is `wrong` and `wanted` in words, and an `only`: the
provider and the model that it is about. A request that was accepted contradicts it, and has a warning. Each row cites
the statement that says so, with its sources. `make faults` breaks every row in recorded traffic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from conformance.judge.relations.across import AtMost, Bounded, Echoes, Forbids, Mentions, Never, Requires, Within
from conformance.judge.relations.comparisons import (
    before,
    constant,
    contains,
    decreases,
    differ,
    has,
    lasts,
    not_less,
    same_order,
    shorter,
)
from conformance.judge.relations.contents import (
    among,
    bytes_of,
    concatenates,
    fits,
    instance_of,
    quotes,
    same_length,
    translates,
    valid_schema,
)
from conformance.judge.relations.forms import (
    count_of,
    encodes,
    equal,
    increases,
    index_into,
    part_of,
    range_of,
    sum_of,
    together,
    unique,
    up_to,
)
from conformance.judge.relations.hosts import hosted
from conformance.judge.relations.identity import Answered, Identity, Once, Pending, Refers, Returned
from conformance.judge.relations.instances import Structured, Valid
from conformance.judge.relations.joins import Matched, Omits, Ranked
from conformance.judge.relations.kept import kept
from conformance.judge.relations.marks import Completed, LastMark, Titled, Unmarked
from conformance.judge.relations.members import at_least, excludes, matches, needs
from conformance.judge.relations.order import (
    Changes,
    Encloses,
    Ends,
    Follows,
    LeadsTo,
    Rises,
    Single,
    preceded_by,
    succeeded_by,
)
from conformance.judge.relations.references import points_into, resolves
from conformance.judge.relations.rejections import rejected
from conformance.judge.relations.retries import repeats
from conformance.judge.relations.sessions import Ended, Introduced, OnceInSession, RefersInSession
from conformance.judge.relations.strict import strict_schema
from conformance.judge.relations.transcript import Transcript, http

_MADE: tuple[Callable[..., Any], ...] = (
    *(AtMost, Bounded, Echoes, Forbids, Mentions, Never, Requires, Within),
    *(before, constant, contains, decreases, differ, has, lasts, not_less, same_order, shorter),
    *(among, bytes_of, concatenates, fits, instance_of, quotes, same_length, translates, valid_schema),
    *(count_of, encodes, equal, increases, index_into, part_of, range_of, sum_of, together, unique, up_to),
    *(Answered, Identity, Once, Pending, Refers, Returned, kept),
    *(Ended, Introduced, OnceInSession, RefersInSession),
    *(Structured, Valid, Matched, Omits, Ranked),
    *(at_least, excludes, matches, needs),
    *(Changes, Encloses, Ends, Follows, LeadsTo, Rises, Single, preceded_by, succeeded_by),
    *(Completed, LastMark, Titled, Unmarked),
    *(hosted, points_into, resolves, rejected, repeats, strict_schema, http, Transcript),
)
NOTATION: Mapping[str, Callable[..., Any]] = {
    re.sub(r"(?<!^)(?=[A-Z])", "_", each.__name__).lower(): each for each in _MADE
}
"""What makes a relation, a form or an identity, by the word for it in a row."""
