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

/** A number or histogram as it arrived. */
export interface ReceivedPoint {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The number, or that of the values of a histogram. */
  readonly value: number;
  /** Null for what is no histogram. */
  readonly sum: number | null;
}

/** Receiver of traces and metrics on loopback, by OTLP over HTTP. */
export interface TraceReceiver {
  /** Variables of whoever sends to it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly spans: () => readonly ReceivedSpan[];
  /** The metrics that arrived last; none before. */
  readonly points: () => readonly ReceivedPoint[];
  /** Everything that arrived, as it was sent. */
  readonly text: () => string;
  readonly close: () => Promise<void>;
}

type SentAttributes = readonly { readonly key: string; readonly value: Record<string, unknown> }[];

interface SentSpan extends Omit<ReceivedSpan, 'attributes' | 'events' | 'parentSpanId'> {
  readonly parentSpanId?: string;
  readonly attributes?: SentAttributes;
  readonly events?: readonly { readonly name: string }[];
}

/** Starts it. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = [];
  const measured: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString('utf8');
    if (request.url === '/v1/traces') bodies.push(body);
    if (request.url === '/v1/metrics') measured.push(body);
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
    points: () => measured.slice(-1).flatMap(readPoints),
    text: () => [...bodies, ...measured].join('\n'),
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
      attributes: readAttributes(attributes),
      events: events.map(({ name }) => name),
    }));
}

interface SentPoint {
  readonly attributes?: SentAttributes;
  readonly asDouble?: number;
  readonly asInt?: number | string;
  readonly count?: number | string;
  readonly sum?: number;
}

interface SentMetric {
  readonly name: string;
  readonly unit?: string;
  readonly sum?: { readonly dataPoints: readonly SentPoint[] };
  readonly gauge?: { readonly dataPoints: readonly SentPoint[] };
  readonly histogram?: { readonly dataPoints: readonly SentPoint[] };
}

function readPoints(body: string): readonly ReceivedPoint[] {
  const sent = JSON.parse(body) as {
    readonly resourceMetrics: readonly {
      readonly scopeMetrics: readonly { readonly metrics: readonly SentMetric[] }[];
    }[];
  };
  return sent.resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
    .flatMap(({ name, unit = '', sum, gauge, histogram }) =>
      ((sum ?? gauge ?? histogram)?.dataPoints ?? []).map((point) => ({
        ...{ name, unit, attributes: readAttributes(point.attributes ?? []) },
        value: Number(point.count ?? point.asDouble ?? point.asInt),
        sum: point.sum ?? null,
      })),
    );
}

function readAttributes(attributes: SentAttributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
