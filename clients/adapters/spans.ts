// Where the program traces with OpenTelemetry, a disclosure has a span of its own, which has the receipt's event id. The
// stack's own span may have ended before the receipt comes, and takes no attribute then.

/** The attribute, and the key wherever else a stack keeps metadata. */
export const EVENT_ID = "disclosure.event_id";
const TRACER_NAME = "disclosure-receipts";
const SPAN_NAME = "disclosure";

/** Every copy of `@opentelemetry/api` 1 finds here what the program registered with another; so do we, without a copy. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/** The part of OpenTelemetry's API that is used. */
interface OpenTelemetry {
  readonly trace?: { getTracer(name: string): { startSpan(name: string): TraceSpan } };
}

interface TraceSpan {
  setAttribute(key: string, value: string): unknown;
  end(): void;
}

/** Begins the span in the present context, and returns what ends it with the event id. */
export function beginSpan(): (eventId: string) => void {
  const { trace } = (globalThis as { [REGISTERED]?: OpenTelemetry })[REGISTERED] ?? {};
  const span = trace?.getTracer(TRACER_NAME).startSpan(SPAN_NAME);
  return (eventId) => {
    span?.setAttribute(EVENT_ID, eventId);
    span?.end();
  };
}
