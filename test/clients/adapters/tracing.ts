// OpenTelemetry as a program sets it up, with the spans kept here.
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";

const TRACER_NAME = "the program";

export class Tracing {
  readonly #exporter = new InMemorySpanExporter();

  constructor() {
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#exporter)] }).register();
  }

  /** Runs a part of the program in a span, which ends with it. */
  inSpan<T>(name: string, part: () => Promise<T>): Promise<T> {
    return trace.getTracer(TRACER_NAME).startActiveSpan(name, (span) => part().finally(() => span.end()));
  }

  /** The attributes of the disclosures' spans below the span of that name. */
  disclosuresIn(name: string): unknown[] {
    const spans = this.#exporter.getFinishedSpans();
    const ids = spans.filter((span) => span.name === name).map((span) => span.spanContext().spanId);
    return spans
      .filter(
        ({ name, parentSpanContext }) =>
          name === "disclosure" && ids.includes(parentSpanContext?.spanId ?? ""),
      )
      .map(({ attributes }) => attributes);
  }
}
