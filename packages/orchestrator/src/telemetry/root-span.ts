import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import type { TracedPart } from './run-telemetry.ts';

/** Gives the next span ids that were drawn before, and the sampling that was decided then. */
export interface RootIds {
  readonly withIds: <Result>(
    ids: { traceId?: string; spanId?: string; samplingDecision?: 0 | 1 | 2 },
    startSpan: () => Result,
  ) => Result;
}

interface RootOptions {
  readonly tracer: Tracer;
  readonly ids: RootIds;
}

/** Starts the root span of a run under the ids that its record keeps; a run without has them drawn and kept. */
export async function startRoot(part: TracedPart, { tracer, ids }: RootOptions): Promise<Span> {
  const kept = parseTraceparent(await part.record.read());
  const start = () =>
    tracer.startSpan(
      'invoke_agent agent',
      {
        startTime: new Date(part.startedAt),
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': 'agent',
          'gen_ai.conversation.id': part.name,
          'agent.run.id': part.uuid,
          'agent.thread.url': part.url,
        },
      },
      // Never below what happens to be active: the trace of a run is its own.
      ROOT_CONTEXT,
    );
  if (kept !== null) {
    const samplingDecision = (kept.traceFlags & TraceFlags.SAMPLED) === 0 ? 0 : 2;
    return ids.withIds({ ...kept, samplingDecision }, start);
  }
  const root = start();
  await part.record.write(formatTraceparent(root.spanContext()));
  return root;
}

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparent = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Null for what is none. */
function parseTraceparent(text: string | null): SpanContext | null {
  const [, traceId = '', spanId = '', flags = '0'] = traceparent.exec(text ?? '') ?? [];
  const kept = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
  return isSpanContextValid(kept) ? kept : null;
}
