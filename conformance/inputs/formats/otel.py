"""OpenTelemetry's GenAI spans and log records, as OTLP in JSON: one document, or JSON Lines of a file exporter.

The messages are read from the places that the GenAI semantic conventions 1.28 to 1.38 have for them:

- `gen_ai.input.messages` and `gen_ai.output.messages`, with parts, on the span or on one of its events;
- events `gen_ai.user.message` … `gen_ai.choice`, of the span or as log records of their own;
- `gen_ai.prompt.N.content` … (OpenLLMetry before 0.50), and `langfuse.observation.input` (Langfuse's SDK).

- `llm.input_messages.N.message.role` … (OpenInference).

A span without messages is skipped: instrumentations write messages only if they are configured to. Where none has
any, the settings that add them are named.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from conformance.inputs import native, otlp
from conformance.inputs.format import MESSAGES_ONLY, Format, Record
from conformance.inputs.rows import origin_of
from conformance.model.exchange import Exchange
from conformance.model.printable import count

_OF_MODELS = ("gen_ai.", "llm.", "openinference.")
_SETTINGS = (
    "set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true (OpenTelemetry), TRACELOOP_TRACE_CONTENT=true "
    "(OpenLLMetry), or OPENINFERENCE_HIDE_INPUTS=false and OPENINFERENCE_HIDE_OUTPUTS=false (OpenInference)"
)
"""What makes each instrumentation write the messages."""
_OPEN = 4096
"""How many spans are kept until all of their log records have been read."""


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    waiting: OrderedDict[str, tuple[str, otlp.Span]] = OrderedDict()
    without, any_found = 0, False
    for record in records:
        for span in otlp.spans(record.value):
            found = _exchange(span, record.source, path)
            if found is not None:
                any_found = True
                yield found
            else:
                without += any(key.startswith(_OF_MODELS) for key in span.attributes)
        for trace, name, event in otlp.records(record.value):
            if not event.name.startswith("gen_ai."):
                continue
            for other in [key for key, (_, span) in waiting.items() if key != name and _is_answered(span)]:
                yield from _logged(*waiting.pop(other), path)
            waiting.setdefault(name, (record.source, otlp.Span(trace, name, {})))[1].events.append(event)
            if len(waiting) > _OPEN:
                yield from _logged(*waiting.popitem(last=False)[1], path)
    for source, span in waiting.values():
        any_found = True
        yield from _logged(source, span, path)
    if without and not any_found:
        from conformance.inputs.recording import NotARecordingError  # which imports the formats

        raise NotARecordingError(f"{path}: {count(without, 'span')} of model calls, none with its messages", _SETTINGS)


def _is_answered(span: otlp.Span) -> bool:
    return span.events[-1].name in ("gen_ai.choice", "gen_ai.client.inference.operation.details")


def _logged(source: str, span: otlp.Span, path: str) -> Iterator[Exchange]:
    """The exchange of the log records of one span."""
    attributes = {key: value for event in span.events for key, value in event.attributes.items()}
    found = _exchange(otlp.Span(span.trace, span.id, attributes, span.events), source, path)
    if found is not None:
        yield found


def _exchange(span: otlp.Span, source: str, path: str) -> Exchange | None:
    conversation = span.attributes.get("gen_ai.conversation.id") or span.trace
    origin = origin_of(source, path, span.id, conversation)
    if span.attributes.get("langfuse.observation.type") == "generation":
        asked = native.value_of(span.attributes.get("langfuse.observation.input"))
        if isinstance(asked, dict):
            asked = {"model": span.attributes.get("langfuse.observation.model.name"), **asked}
        return native.exchange(asked, span.attributes.get("langfuse.observation.output"), **origin)
    if otlp.is_openinference(span.attributes):
        from conformance.inputs import openinference

        return openinference.conversation_of(span.attributes, origin).exchange()
    from conformance.inputs import genai

    found = genai.conversation_of(span, origin)
    return None if found is None else found.exchange()


FORMAT = Format(
    name="otel",
    title="OpenTelemetry GenAI spans and events, as OTLP in JSON",
    detect=otlp.is_otlp,
    read=_read,
    lacks=MESSAGES_ONLY,
)
