import type { ObserveBoard } from '../board/board-event.ts';

/** A part of a run: what one process does of it, from taking it up to letting go of it. */
export interface TracedPart {
  readonly uuid: string;
  /** `owner/repo#42` */
  readonly name: string;
  /** Link to its thread. */
  readonly url: string;
  /** When the run began (ISO 8601). */
  readonly startedAt: string;
  /** True where an earlier part of the run was there. */
  readonly resumed: boolean;
  readonly record: TraceRecord;
}

/** Trace of a run as its record keeps it: the `traceparent` of its root span. */
export interface TraceRecord {
  /** Null where none is kept, or it cannot be read: then the part has a trace of its own. */
  readonly read: () => Promise<string | null>;
  readonly write: (traceparent: string) => Promise<void>;
}

/** Traces runs. What it does never fails a run. */
export interface RunTelemetry {
  /** Does the work of a part within the trace of its run; what the work calls is traced as a part of it. */
  readonly carry: <Result>(part: TracedPart, work: () => Promise<Result>) => Promise<Result>;
  /** Finds the span of the work that calls this, with its ids in hexadecimal; null outside of a run. */
  readonly activeSpan: () => { readonly traceId: string; readonly spanId: string } | null;
  /** Hears what the board hears. */
  readonly observe: ObserveBoard;
}

/** Traces nothing. */
export const noTelemetry: RunTelemetry = {
  carry: (_, work) => work(),
  activeSpan: () => null,
  observe: () => {},
};
