"""Where the program traces with OpenTelemetry, a disclosure has a span of its own, which has the receipt's event id."""

from collections.abc import Callable

# The attribute, and the key wherever else a stack keeps metadata.
EVENT_ID = "disclosure.event_id"
SPAN_NAME = "disclosure"


def receipt_span() -> Callable[[str], None]:
    """Begins the span in the present context, and returns what ends it with the event id. The stack's own span may have
    ended before the receipt comes, and takes no attribute then.
    """
    try:
        from opentelemetry import trace
    except ImportError:
        return lambda _: None
    span = trace.get_tracer("disclosure-receipts").start_span(SPAN_NAME)

    def end(event_id: str) -> None:
        span.set_attribute(EVENT_ID, event_id)
        span.end()

    return end
