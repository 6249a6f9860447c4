import { context, type Span, type Tracer, trace as traceApi } from '@opentelemetry/api';
import { markFailed, PartTrace, startPart, tracedPart } from './part-trace.ts';
import { type RootIds, startRoot } from './root-span.ts';
import type { RunTelemetry } from './run-telemetry.ts';

/** Options of `traceRuns`. */
export interface TraceRunsOptions {
  readonly tracer: Tracer;
  /** Id generator and sampler of the tracer's provider: an `OpenTelemetryIdGenerator` of `@ai-sdk/otel`. */
  readonly ids: RootIds;
  /** True to put arguments and results of tools on their spans. Default false. */
  readonly content?: boolean | undefined;
}

/**
 * Traces runs through OpenTelemetry: a run is one trace, whatever number of processes carry it. Its root span is made by the
 * process in which it ends; those before it make spans of their parts below it.
 *
 * @see decision 0078
 *
 * @example
 * const ids = new OpenTelemetryIdGenerator();
 * const provider = new BasicTracerProvider({ idGenerator: ids, sampler: ids, spanProcessors });
 * const telemetry = traceRuns({ tracer: provider.getTracer('my-agent'), ids });
 */
export function traceRuns({ tracer, ids, content = false }: TraceRunsOptions): RunTelemetry {
  const parts = new Map<string, PartTrace>();
  return {
    carry: async (part, work) => {
      const root = await startRoot(part, { tracer, ids });
      const trace = new PartTrace({ tracer, content, part: startPart(part, { tracer, root }) });
      parts.set(part.uuid, trace);
      try {
        return await context.with(context.active().setValue(tracedPart, trace), work);
      } catch (error) {
        trace.fail(error);
        throw error;
      } finally {
        if (parts.get(part.uuid) === trace) parts.delete(part.uuid);
        trace.end();
        endRoot(root, trace);
      }
    },
    activeSpan: () => {
      const part = context.active().getValue(tracedPart);
      const span = traceApi.getActiveSpan() ?? (part instanceof PartTrace ? part.current : null);
      return span?.spanContext() ?? null;
    },
    observe: (event) => {
      if ('uuid' in event && event.type !== 'outbox') parts.get(event.uuid)?.hear(event);
    },
  };
}

/** A root that is not ended is never sent: another process ends it. */
function endRoot(root: Span, { outcome, errorClass }: PartTrace): void {
  if (outcome === null || outcome === 'needs_input') return;
  root.setAttribute('agent.run.outcome', outcome);
  if (outcome === 'failed') markFailed(root, errorClass ?? '_OTHER');
  root.end();
}
