import { z } from 'zod';
import { isFailedCall, type ReadLine, type TimelineEntry } from './timeline-entry.ts';

/** Filter of a timeline. `errors`: calls, actions and verifications that failed. `comments`: what people wrote. */
export type TimelineFilter = 'tools' | 'errors' | 'comments';

/** Lists the filters that show a line. `bringsComment`: it is the first line that has a comment. */
export function listFilters(
  line: ReadLine,
  { bringsComment }: { readonly bringsComment: boolean },
): readonly TimelineFilter[] {
  const { fact, data } = line;
  if (fact === 'tool-started') return ['tools'];
  if (fact === 'tool-finished') return isFailedCall(data) ? ['tools', 'errors'] : ['tools'];
  if (bringsComment) return ['comments'];
  return fact === 'damage' || isFailedPart(line) ? ['errors'] : [];
}

/** True for the end of a run that failed or is done in part. */
function hasFailed({ fact, data }: ReadLine): boolean {
  const status = fact === 'ended' ? readField(data.outcome, 'status') : null;
  return status === 'failed' || status === 'partial';
}

/** Entry of a timeline at which a run failed. */
export interface FailedStep extends TimelineEntry {
  /** Number of the step, as the log has it; null for a run that failed in no step. */
  readonly step: number | null;
}

/** Classes of errors that are about the calls of a run. */
const causesOfCalls: ReadonlySet<unknown> = new Set(['tool_failed', 'repeated_call']);

const countedSchema = z.object({
  usage: z.looseObject({}).nullish(),
  spent: z.looseObject({ model_calls: z.number() }).nullish(),
});

/** Finds the step at which a run failed, in lines that are read in their order. */
export class FailureFinder {
  /** Number of the last step, as the log has it. */
  #step = 0;
  /** Numbers of the steps of failed lines. */
  readonly #steps = new Map<number, number>();
  /** Failed call of a tool that no successful call followed. */
  #tool: number | null = null;
  /** Call whose work failed, and that no other call followed. */
  #work: number | null = null;
  /** Failed action or verification of the plan that was not repeated with success. */
  #part: { readonly id: unknown; readonly line: number } | null = null;
  #end: number | null = null;

  /** Number of a line; null for a run that did not fail. */
  get line(): number | null {
    if (this.#end === null) return null;
    return Math.max(this.#tool ?? 0, this.#part?.line ?? 0, this.#work ?? 0) || this.#end;
  }

  /** Number of the step of that line, as the log has it; null for a run that failed in no step. */
  get step(): number | null {
    return this.#steps.get(this.line ?? 0) ?? null;
  }

  read(line: ReadLine): void {
    const { fact, data } = line;
    if (fact === null) this.#count(data);
    if (fact === 'tool-finished') this.#readCall(line);
    if (this.#tool === line.line || this.#work === line.line || isFailedPart(line))
      this.#steps.set(line.line, this.#step);
    if (fact === 'planning') this.#readPlanning(line);
    if (fact === 'ended') this.#readEnd(line);
    if (fact === 'resumed') this.#end = null;
  }

  #readCall({ line, data }: ReadLine): void {
    this.#tool = data.status === 'error' ? line : null;
    this.#work = this.#tool === null && isFailedCall(data) ? line : null;
  }

  #readEnd(line: ReadLine): void {
    this.#end = hasFailed(line) ? line.line : null;
    // A search that finds nothing has an exit code of its own: it is the cause only where the run ended for its calls.
    const errorClass = readField(readField(line.data.outcome, 'details'), 'error_class');
    if (!causesOfCalls.has(errorClass)) this.#work = null;
  }

  #count(data: ReadLine['data']): void {
    const { usage = null, spent = null } = countedSchema.safeParse(data).data ?? {};
    this.#step += usage === null ? (spent?.model_calls ?? 0) : 1;
  }

  #readPlanning(line: ReadLine): void {
    const { data } = line;
    const id = data.type === 'action' ? data.task_id : data.type;
    if (isFailedPart(line)) this.#part = { id, line: this.#tool ?? line.line };
    else if (this.#part?.id === id && data.state !== 'started') this.#part = null;
  }
}

/** True for an action of a plan that failed, and a verification that was not passed. */
function isFailedPart({ fact, data }: ReadLine): boolean {
  if (fact !== 'planning') return false;
  if (data.type === 'action') return data.state === 'failed';
  return data.type === 'verification' && readField(data.verification_result, 'verification_passed') === false;
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Time that a run was paused or waited. */
export interface PauseTimes {
  /** Milliseconds since 1970 at which its pause began; null while it is not paused. */
  readonly pausedAt: number | null;
  /** Milliseconds of the pauses that are over. */
  readonly pausedMs: number;
}

export const noPauses: PauseTimes = { pausedAt: null, pausedMs: 0 };

/** Adds a line of the record. */
export function afterPauses(pauses: PauseTimes, { fact, at }: ReadLine): PauseTimes {
  const { pausedAt, pausedMs } = pauses;
  if (fact === 'paused') return { pausedMs, pausedAt: pausedAt ?? at };
  if (pausedAt === null || (fact !== 'resumed' && fact !== 'ended')) return pauses;
  return { pausedAt: null, pausedMs: pausedMs + Math.max(0, at - pausedAt) };
}
