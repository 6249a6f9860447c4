import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Attributes in which libraries put the words of an error. */
const words = new Set(['exception.message', 'exception.stacktrace']);

/** The gate before spans leave: without the words of errors, and with secrets taken out of everything that is text. */
export function guardSpans(exporter: SpanExporter, redact: (text: string) => string): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(
        spans.map((span) => guardSpan(span, redact)),
        done,
      ),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** The same span with other values: what it does not name it has from the first one. */
function guardSpan(span: ReadableSpan, redact: (text: string) => string): ReadableSpan {
  const guard = (attributes: Attributes) => guardAttributes(attributes, redact);
  return Object.create(span, {
    name: { value: redact(span.name) },
    attributes: { value: guard(span.attributes) },
    events: {
      value: span.events.map((event) => ({ ...event, attributes: guard(event.attributes ?? {}) })),
    },
    status: { value: { code: span.status.code } },
  });
}

function guardAttributes(attributes: Attributes, redact: (text: string) => string): Attributes {
  const guard = (value: AttributeValue | undefined) => {
    if (typeof value === 'string') return redact(value);
    if (!Array.isArray(value)) return value;
    return value.map((item) => (typeof item === 'string' ? redact(item) : item)) as AttributeValue;
  };
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => !words.has(name))
      .map(([name, value]) => [name, guard(value)]),
  );
}
