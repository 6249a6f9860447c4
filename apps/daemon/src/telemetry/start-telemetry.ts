import type { RunTelemetry } from '@agent/orchestrator';
import { traceModelCalls, traceRuns } from '@agent/orchestrator/telemetry';
import { OpenTelemetryIdGenerator } from '@ai-sdk/otel';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { registerTelemetry } from 'ai';
import { describeDaemon } from './describe-daemon.ts';
import { guardSpans } from './guard-spans.ts';

export interface StartTelemetryOptions {
  /** True to send what was said and done, too. */
  readonly content: boolean;
  readonly redact: (text: string) => string;
}

/** Tracing that is under way, and its end. */
export interface StartedTelemetry {
  readonly runs: RunTelemetry;
  /** Sends what was not sent yet. */
  readonly close: () => Promise<void>;
}

/** Sends traces by OTLP over HTTP to the address in the standard variables. Loaded only if traces are on. */
export function startTelemetry({ content, redact }: StartTelemetryOptions): StartedTelemetry {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const ids = new OpenTelemetryIdGenerator();
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    resource: describeDaemon(),
    spanProcessors: [new BatchSpanProcessor(guardSpans(new OTLPTraceExporter(), redact))],
  });
  const tracer = provider.getTracer('@agent/daemon');
  const modelCalls = traceModelCalls({ tracer, content });
  registerTelemetry(modelCalls);
  return {
    runs: traceRuns({ tracer, ids, content }),
    close: async () => {
      const others = globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.filter((one) => one !== modelCalls);
      globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = others;
      await provider.shutdown();
      context.disable();
    },
  };
}
