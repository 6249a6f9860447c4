import { OpenTelemetry } from '@ai-sdk/otel';
import { context, type Span, type Tracer, trace } from '@opentelemetry/api';
import type { Telemetry } from 'ai';
import { PartTrace, toOriginalError, tracedPart } from './part-trace.ts';

/** Options of `traceModelCalls`. */
export interface TraceModelCallsOptions {
  readonly tracer: Tracer;
  /** True to put what the model was told and said on its spans. Default false. */
  readonly content?: boolean | undefined;
}

/**
 * Traces calls of models as spans `chat <model>` below what the run is at. To be given to `registerTelemetry` of `ai`.
 *
 * @example
 * registerTelemetry(traceModelCalls({ tracer }));
 */
export function traceModelCalls({ tracer, content = false }: TraceModelCallsOptions): Telemetry {
  const kept = new OpenTelemetry({ tracer: withoutWrappers(tracer) });
  type Start = Parameters<OpenTelemetry['onStart']>[0];
  type Failure = { readonly error?: unknown };
  return {
    onStart: (event: Start) =>
      kept.onStart({ ...event, recordInputs: content, recordOutputs: content } as Start),
    onStepStart: (event) => kept.onStepStart(event),
    onLanguageModelCallStart: (event) => kept.onLanguageModelCallStart(event),
    onLanguageModelCallEnd: (event) => kept.onLanguageModelCallEnd(event),
    onStepEnd: (event) => kept.onStepEnd(event),
    onStepError: (event) => kept.onStepError({ ...event, error: withoutWords(event.error) }),
    onEnd: (event) => kept.onEnd(event as Parameters<OpenTelemetry['onEnd']>[0]),
    onAbort: (event) => kept.onAbort(event),
    onError: (event) => kept.onError({ ...(event as object), error: withoutWords((event as Failure).error) }),
    executeLanguageModelCall: (call) => kept.executeLanguageModelCall(call),
  } as Telemetry;
}

/**
 * The same tracer without the two spans that stand around each call of one step: within a run they say nothing that its own
 * spans do not. What is below them is below what the run is at.
 */
function withoutWrappers(tracer: Tracer): Tracer {
  return {
    startActiveSpan: tracer.startActiveSpan.bind(tracer),
    startSpan: (name, options, at = context.active()): Span => {
      const part = at.getValue(tracedPart);
      if (!(part instanceof PartTrace) || name.startsWith('chat '))
        return withErrorType(tracer.startSpan(name, options, at));
      return trace.wrapSpanContext(part.current.spanContext());
    },
  };
}

/** The same span, which gets the attribute `error.type` with each exception. */
function withErrorType(span: Span): Span {
  const record = span.recordException.bind(span);
  span.recordException = (exception, time) => {
    if (typeof exception === 'object' && exception.name) span.setAttribute('error.type', exception.name);
    record(exception, time);
  };
  return span;
}

/** The kind of an error alone: what a server says may hold what it was sent, or a secret. */
function withoutWords(error: unknown): Error {
  const kind = new Error('');
  const original = toOriginalError(error);
  kind.name = original instanceof Error ? original.name : '_OTHER';
  kind.stack = '';
  return kind;
}
