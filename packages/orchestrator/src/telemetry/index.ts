export { measureState, type StateSources } from './measure-state.ts';
export { type MeasureWorkOptions, measureWork } from './measure-work.ts';
export type { RootIds } from './root-span.ts';
export type { RunTelemetry, TracedPart, TraceRecord } from './run-telemetry.ts';
export type { RestingCounts } from './state-gauges.ts';
export { type TraceModelCallsOptions, traceModelCalls } from './trace-model-calls.ts';
export { type TraceRunsOptions, traceRuns } from './trace-runs.ts';
