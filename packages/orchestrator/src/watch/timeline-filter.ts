import type { ReadLine } from './timeline-entry.ts';

/** Filter of a timeline. `errors`: what failed, and the end of a run that failed. `comments`: what people wrote. */
export type TimelineFilter = 'tools' | 'errors' | 'comments';

/** Lists the filters that show a line. */
export function listFilters(line: ReadLine): readonly TimelineFilter[] {
  const { fact, data } = line;
  if (fact === 'tool-started') return ['tools'];
  if (fact === 'tool-finished') return data.status === 'error' ? ['tools', 'errors'] : ['tools'];
  if (fact === 'observed' || (fact === null && isFilled(data.delivers))) return ['comments'];
  return fact === 'damage' || isFailedPart(line) || hasFailed(line) ? ['errors'] : [];
}

/** True for the end of a run that failed or is done in part. */
function hasFailed({ fact, data }: ReadLine): boolean {
  const status = fact === 'ended' ? readField(data.outcome, 'status') : null;
  return status === 'failed' || status === 'partial';
}

/** Finds the step at which a run failed, in lines that are read in their order. */
export class FailureFinder {
  /** Failed call of a tool that no successful call followed. */
  #tool: number | null = null;
  /** Failed action or verification of the plan that was not repeated with success. */
  #part: { readonly id: unknown; readonly line: number } | null = null;
  #end: number | null = null;

  /** Number of a line; null for a run that did not fail. */
  get line(): number | null {
    if (this.#end === null) return null;
    return Math.max(this.#tool ?? 0, this.#part?.line ?? 0) || this.#end;
  }

  read(line: ReadLine): void {
    const { fact, data } = line;
    if (fact === 'tool-finished') this.#tool = data.status === 'error' ? line.line : null;
    if (fact === 'planning') this.#readPlanning(line);
    if (fact === 'ended') this.#end = hasFailed(line) ? line.line : null;
    if (fact === 'resumed') this.#end = null;
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

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
