import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
}

/** Receiver of traces on loopback, by OTLP over HTTP. */
export interface TraceReceiver {
  /** Variables of whoever sends to it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly spans: () => readonly ReceivedSpan[];
  /** Everything that arrived, as it was sent. */
  readonly text: () => string;
  readonly close: () => Promise<void>;
}

interface SentSpan extends Omit<ReceivedSpan, 'attributes' | 'events' | 'parentSpanId'> {
  readonly parentSpanId?: string;
  readonly attributes?: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly events?: readonly { readonly name: string }[];
}

/** Starts it. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (request.url === '/v1/traces') bodies.push(Buffer.concat(parts).toString('utf8'));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=key-of-the-receiver',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    spans: () => bodies.flatMap(readSpans),
    text: () => bodies.join('\n'),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function readSpans(body: string): readonly ReceivedSpan[] {
  const sent = JSON.parse(body) as {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
    }[];
  };
  return sent.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes = [], events = [], parentSpanId = '', ...span }) => ({
      ...span,
      parentSpanId,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      events: events.map(({ name }) => name),
    }));
}
