import type { RecordMark, StorageWatch } from '@agent/run-store';
import { z } from 'zod';
import { heldRecordName } from '../held/held-record.ts';
import { inheritedDecisionsName } from '../past/inherited-decisions.ts';
import { Assumptions } from './assumptions.ts';
import { CommentPassages } from './comment-passages.ts';
import type { PlanFacts } from './plan-view.ts';
import {
  isShown,
  type ReadLine,
  readLine,
  type TimelineEntry,
  type TimelineOptions,
  toTimelineEntry,
  usageSchema,
} from './timeline-entry.ts';
import {
  afterPauses,
  type FailedStep,
  FailureFinder,
  listFilters,
  noPauses,
  type PauseTimes,
  type TimelineFilter,
} from './timeline-filter.ts';

/** Sum of what a run has cost by a moment. */
export interface CostPoint {
  readonly at: number;
  /** Millionths of the currency. */
  readonly costMicros: number;
  readonly tokens: number;
}

/** Facts about a run as a whole, in the words of its record. */
export interface RunAbout {
  readonly opened: ReadLine | null;
  /** Null while it has not ended. */
  readonly ended: ReadLine | null;
  /** Last session of an agent; null where none works on it. */
  readonly session: ReadLine | null;
  /** Decisions that it inherited; null without any. */
  readonly inheritedDecisions: ReadLine | null;
  /** Last record of held changes; null without any. */
  readonly held: ReadLine | null;
  readonly pauses: PauseTimes;
}

const nothingKnown: RunAbout = {
  ...{ opened: null, ended: null, session: null, inheritedDecisions: null, held: null, pauses: noPauses },
};

function afterAbout(before: RunAbout, line: ReadLine): RunAbout {
  const about = { ...before, pauses: afterPauses(before.pauses, line) };
  if (line.fact === 'state' && line.data.name === heldRecordName) return { ...about, held: line };
  if (line.fact === 'opened') return { ...about, opened: line };
  if (line.fact === 'ended') return { ...about, ended: line };
  if (line.fact === inheritedDecisionsName) return { ...about, inheritedDecisions: line };
  if (line.fact === 'resumed') return { ...about, ended: null };
  return line.fact === 'agent-session' ? { ...about, session: line } : about;
}

/** Part of a timeline. */
export interface TimelinePart {
  /** Number of entries before it; null for the last ones, or those around the failure of a run that failed. */
  readonly from: number | null;
  readonly limit: number;
  /** Default: all entries. */
  readonly show?: TimelineFilter | null | undefined;
}

/** Entries before the failure that the timeline of a failed run begins with. */
const entriesBeforeFailure = 3;
/** Line of a record that is a step of the timeline. */
interface Step {
  readonly line: number;
  readonly filters: readonly TimelineFilter[];
}

const intentSchema = z.object({ id: z.string() });
const intentsSchema = z.object({ intents: z.array(intentSchema).default([]) });

/** Lists what a line opens: an end opens what follows from it. */
function listIntents({ fact, data }: ReadLine): readonly { readonly id: string }[] {
  if (fact === 'ended') return intentsSchema.safeParse(data).data?.intents ?? [];
  const intent = fact === 'intent' ? intentSchema.safeParse(data).data : undefined;
  return intent === undefined ? [] : [intent];
}

/** Lines that are read at once, and so the distance of marks. */
const partLines = 250;
/** Lines between two marks, at least. */
const markedLines = 100;
const maxPoints = 200;

/**
 * Remembers what a record says, and where in it the steps of the timeline stand; texts are read again when they are asked for. Lines
 * that were read are not read again, unless the record was cut.
 */
export class RunDigest {
  readonly #watch: StorageWatch;
  readonly #uuid: string;
  #end: RecordMark | null = null;
  #marks: (RecordMark | null)[] = [null];
  #steps: Step[] = [];
  #failure = new FailureFinder();
  /** Lines of calls that have not ended, by the id of the call. */
  #calls = new Map<string, number>();
  #costs: CostPoint[] = [];
  #passages = new CommentPassages();
  #assumptions = new Assumptions();
  #planning: { readonly at: number; readonly data: unknown }[] = [];
  #agentPlan: unknown = null;
  #about: RunAbout = nothingKnown;
  /** Intents by id: true while nothing came of them. */
  #intents = new Map<string, boolean>();
  #reading: Promise<boolean> | null = null;

  constructor(watch: StorageWatch, uuid: string) {
    this.#watch = watch;
    this.#uuid = uuid;
  }

  get about(): RunAbout {
    return this.#about;
  }

  /** True where something that follows from the run is not done. */
  get isOpen(): boolean {
    return [...this.#intents.values()].includes(true);
  }

  get comments(): CommentPassages {
    return this.#passages;
  }

  get assumptions(): Assumptions {
    return this.#assumptions;
  }

  get plan(): PlanFacts {
    return { planning: this.#planning, agent: this.#agentPlan };
  }

  get lines(): number {
    return this.#end?.line ?? 0;
  }

  /** Points of the curve of cost and tokens, at most 200. */
  costs(): readonly CostPoint[] {
    const every = Math.ceil(this.#costs.length / maxPoints);
    const last = this.#costs.length - 1;
    return this.#costs.filter((_, index) => index === last || index % every === 0);
  }

  /** Reads what was written since. @returns false for a run that is not kept */
  read(): Promise<boolean> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<boolean> {
    for (;;) {
      const from = this.#end;
      const part = await this.#watch.readRecord(this.#uuid, { from, limit: partLines });
      if (part === null) return false;
      if (part.isAnew) this.#forget();
      for (const line of part.lines) this.#take(readLine(line));
      this.#end = part.next;
      if (part.lines.length === 0) return true;
      const marked = this.#marks.at(-1)?.line ?? 0;
      if (part.next !== null && part.next.line >= marked + markedLines) this.#marks.push(part.next);
    }
  }

  #forget(): void {
    this.#marks = [null];
    this.#steps = [];
    this.#failure = new FailureFinder();
    this.#calls = new Map();
    this.#costs = [];
    this.#passages = new CommentPassages();
    this.#assumptions = new Assumptions();
    this.#planning = [];
    this.#agentPlan = null;
    this.#about = nothingKnown;
    this.#intents = new Map();
  }

  #take(line: ReadLine | null): void {
    if (line === null) return;
    const { fact, at, data } = line;
    const comments = this.#passages.size;
    this.#passages.read(line);
    const bringsComment = this.#passages.size > comments;
    this.#count(line);
    if (fact === 'planning') this.#planning.push({ at, data });
    if (fact === 'agent-plan') this.#agentPlan = data.list;
    if (fact === 'state') this.#assumptions.read(data);
    if (fact === 'settled') this.#intents.set(String(data.id), false);
    for (const { id } of listIntents(line)) if (!this.#intents.has(id)) this.#intents.set(id, true);
    this.#about = afterAbout(this.#about, line);
    this.#failure.read(line);
    if (isShown(line)) this.#show(line, { bringsComment });
  }

  /** A call that ended replaces its beginning. */
  #show(read: ReadLine, about: { readonly bringsComment: boolean }): void {
    const { line, fact, data } = read;
    const id = typeof data.tool_call_id === 'string' ? data.tool_call_id : null;
    if (fact === 'tool-finished' && id !== null) {
      const begun = this.#calls.get(id);
      const at = begun === undefined ? -1 : this.#steps.findLastIndex((step) => step.line === begun);
      if (at !== -1) this.#steps.splice(at, 1);
      this.#calls.delete(id);
    }
    if (fact === 'tool-started' && id !== null) this.#calls.set(id, line);
    this.#steps.push({ line, filters: listFilters(read, about) });
  }

  #count({ fact, at, data }: ReadLine): void {
    if (fact !== null && fact !== 'summary') return;
    const usage = usageSchema.safeParse(data.usage ?? data.spent).data;
    if (usage === undefined) return;
    const { costMicros, tokens } = this.#costs.at(-1) ?? { costMicros: 0, tokens: 0 };
    this.#costs.push({
      at,
      costMicros: costMicros + usage.cost_micros,
      tokens: tokens + usage.input_tokens + usage.output_tokens,
    });
  }

  /** Number of failures and calls, and of comments, edits and deletions. */
  countFiltered(): Readonly<Record<TimelineFilter, number>> {
    const count = (filter: TimelineFilter) =>
      this.#steps.filter(({ filters }) => filters.includes(filter)).length;
    return { tools: count('tools'), errors: count('errors'), comments: this.#passages.size };
  }

  /** Reads the step at which the run failed; null for a run that did not fail. */
  async readFailure(options: TimelineOptions): Promise<FailedStep | null> {
    const { line: failed, step } = this.#failure;
    if (failed === null) return null;
    const [line] = await this.#readSteps([failed]);
    return line === undefined ? null : { ...toTimelineEntry(line, options), step };
  }

  /** Reads a part of the timeline. */
  async readTimeline(
    { from, limit, show = null }: TimelinePart,
    options: TimelineOptions,
  ): Promise<{
    readonly timeline: readonly TimelineEntry[];
    readonly before: number;
    readonly after: number;
  }> {
    const steps = this.#steps.filter(({ filters }) => show === null || filters.includes(show));
    const begin = Math.min(steps.length, Math.max(0, from ?? this.#findBegin(steps, limit)));
    const wanted = new Set(steps.slice(begin, begin + limit).map(({ line }) => line));
    const lines = await this.#readSteps([...wanted]);
    return {
      timeline: lines.filter(({ line }) => wanted.has(line)).map((line) => toTimelineEntry(line, options)),
      before: begin,
      after: steps.length - begin - wanted.size,
    };
  }

  #findBegin(steps: readonly Step[], limit: number): number {
    const failed = steps.findIndex(({ line }) => line === this.#failure.line);
    const last = steps.length - limit;
    return failed === -1 ? last : Math.min(last, failed - entriesBeforeFailure);
  }

  async #readSteps(wanted: readonly number[]): Promise<readonly ReadLine[]> {
    const [first, last] = [wanted[0], wanted.at(-1)];
    if (first === undefined || last === undefined) return [];
    const lines: ReadLine[] = [];
    let from = this.#marks.findLast((mark) => (mark?.line ?? 0) < first) ?? null;
    while ((from?.line ?? 0) < last) {
      const part = await this.#watch.readRecord(this.#uuid, { from, limit: partLines });
      if (part === null || part.isAnew || part.lines.length === 0) break;
      lines.push(
        ...part.lines
          .filter(({ line }) => line >= first && line <= last)
          .flatMap((line) => readLine(line) ?? []),
      );
      from = part.next;
    }
    return lines;
  }

  /** Mark at or before a line, from which it can be read. */
  markBefore(line: number): RecordMark | null {
    return this.#marks.findLast((mark) => (mark?.line ?? 0) < line) ?? null;
  }
}
