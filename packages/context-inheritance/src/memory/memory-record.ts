import { findOtherVersion } from '@agent/text';
import { z } from 'zod';
import type { KeyDecision } from '../decisions/decision.ts';
import { parseDecisionLines, toDecisionLine } from '../decisions/decision-line.ts';
import { shortenUuid } from '../format-values.ts';
import type { MemoryDocument } from './memory-storage.ts';
import type { Heartbeat } from './running-process.ts';

/** Results of a run. */
export interface RunResults {
  /** Empty if the run gave none. */
  readonly summary: string;
  /** The run's own decisions, then decisions of earlier runs that it keeps. */
  readonly decisions: readonly KeyDecision[];
}

/** A run that has not ended, with the results that it saved so far. */
export interface OpenRun extends RunResults, Heartbeat {
  readonly id: string;
  readonly thread: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A run that finished, failed or crashed. */
export interface EndedRun extends RunResults {
  readonly id: string;
  readonly thread: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC; later than the end of each run that was known when it ended. */
  readonly endedAt: string;
  readonly status: 'completed' | 'failed';
  /** Null for a completed run. */
  readonly reason: string | null;
}

/** State of a run's document. A process that filed a run as crashed can be wrong, so its document never replaces the run's own. */
export type DocumentState = 'open' | 'crashed' | 'ended';

const version = 1;
const common = {
  id: z.string().min(1),
  thread: z.string(),
  started_at: z.iso.datetime(),
  summary: z.string(),
  decisions: z.array(z.unknown()),
};
const openSchema = z.object({
  ...common,
  process: z.object({ host: z.string(), pid: z.number(), started_at: z.number() }),
  beat_at: z.number(),
});
const endedSchema = z.object({
  ...common,
  ended_at: z.iso.datetime(),
  status: z.enum(['completed', 'failed']),
  reason: z.string().nullable(),
});

/** Key of a run's document. */
export function toKey(id: string, state: DocumentState): string {
  return `${id}.${state}`;
}

/** Run and state of a key; null for a document that is not of a run. */
export function parseKey(key: string): { readonly id: string; readonly state: DocumentState } | null {
  const [, id, state] = /^([0-9a-z-]{1,50})\.(open|crashed|ended)$/.exec(key) ?? [];
  return id === undefined ? null : { id, state: state as DocumentState };
}

/** Document of a run that has not ended. */
export function formatOpenRun({ process, beatAt, ...run }: OpenRun): MemoryDocument {
  const { host, pid, startedAt } = process;
  const owner = { process: { host, pid, started_at: startedAt }, beat_at: beatAt };
  return toDocument(toKey(run.id, 'open'), { ...toCommon(run), ...owner });
}

/** Document of a run that has ended; `state` says whether the run itself wrote it. */
export function formatEndedRun(run: EndedRun, state: Exclude<DocumentState, 'open'>): MemoryDocument {
  const { endedAt, status, reason } = run;
  return toDocument(toKey(run.id, state), { ...toCommon(run), ended_at: endedAt, status, reason });
}

function toCommon({ id, thread, startedAt, summary, decisions }: Omit<OpenRun, keyof Heartbeat>) {
  return { version, id, thread, started_at: startedAt, summary, decisions: decisions.map(toDecisionLine) };
}

function toDocument(key: string, json: object): MemoryDocument {
  return { key, text: `${JSON.stringify(json, null, 2)}\n` };
}

function parseDocument(text: string): unknown {
  const json: unknown = JSON.parse(text);
  const refusal = findOtherVersion(json, { version, place: 'The document' });
  if (refusal !== null) throw new Error(refusal);
  return json;
}

/** @throws for a document that is damaged or of another version */
export function parseOpenRun(text: string): OpenRun {
  const { process, beat_at: beatAt, ...line } = openSchema.parse(parseDocument(text));
  const { host, pid, started_at: startedAt } = process;
  return { ...fromCommon(line), process: { host, pid, startedAt }, beatAt };
}

/** @throws for a document that is damaged or of another version */
export function parseEndedRun(text: string): EndedRun {
  const { ended_at: endedAt, status, reason, ...line } = endedSchema.parse(parseDocument(text));
  return { ...fromCommon(line), endedAt, status, reason };
}

type CommonLine = z.output<z.ZodObject<typeof common>>;

function fromCommon({ id, thread, started_at: startedAt, summary, decisions: lines }: CommonLine) {
  const { decisions, skipped } = parseDecisionLines(lines, { idPrefix: shortenUuid(id) });
  if (skipped > 0) throw new Error(`${skipped} decisions of run ${id} are damaged.`);
  return { id, thread, startedAt, summary, decisions };
}
