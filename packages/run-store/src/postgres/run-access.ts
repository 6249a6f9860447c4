import { ContextStoreError } from '../context-store-error.ts';
import type { NewFact } from '../journal/journal-writer.ts';
import { formatFact } from '../lines/record-line.ts';
import type { RecordPosition } from '../ports.ts';
import { requireUuid } from '../run-uuid.ts';
import { hasEnded, isMissing, isPaused } from '../store/run-errors.ts';
import { sealText } from './row-writer.ts';
import { createRunRows, isNoMember, type RunRow, type Writer, wasTaken } from './run-rows.ts';
import type { Schema } from './schema.ts';

/** A run that was just taken: who writes to it, and behind which line. */
export interface TakenRun {
  readonly writer: Writer;
  readonly end: RecordPosition;
}

interface AccessOptions {
  readonly schema: Schema;
  /** Number of the process. */
  readonly member: number;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
}

/** Ways of one process to its runs, and what it says where there is none. */
export type RunAccess = ReturnType<typeof createRunAccess>;

export function createRunAccess({ schema, member, timestamp }: AccessOptions) {
  const rows = createRunRows(schema);
  const location = `${schema.database.location}, schema ${schema.at}`;

  async function find(uuid: string): Promise<RunRow> {
    requireUuid(uuid);
    const found = await rows.find(uuid, member);
    if (found === null) throw isMissing(uuid, location);
    return found;
  }

  /** Finds a run for this process to write to. */
  async function require(uuid: string): Promise<RunRow> {
    const found = await find(uuid);
    if (!found.isMember) throw isNoMember();
    return found;
  }

  async function requireRunning(uuid: string): Promise<void> {
    const { place } = await require(uuid);
    if (place === 'completed') throw hasEnded(uuid);
    if (place === 'paused') throw isPaused(uuid);
  }

  async function requireEnded(uuid: string): Promise<void> {
    if ((await find(uuid)).place !== 'completed') throw isMissing(uuid, `${location}, among the ended runs`);
  }

  /** Numbers an opening of a run, which writes nothing before it has taken the run. */
  async function toWriter(uuid: string): Promise<Writer> {
    requireUuid(uuid);
    return { uuid, member, owner: await rows.nextOwner() };
  }

  async function take(uuid: string, place: 'running' | 'paused'): Promise<TakenRun> {
    const writer = await toWriter(uuid);
    const end = await rows.take(writer, place);
    if (end === null) throw await isRefused(uuid);
    return { writer, end };
  }

  async function isRefused(uuid: string): Promise<ContextStoreError> {
    return (await find(uuid)).isMember ? wasTaken(uuid) : isNoMember();
  }

  async function move(writer: Writer, to: 'paused' | 'completed'): Promise<void> {
    if (!(await rows.move(writer, to))) throw await isRefused(writer.uuid);
  }

  /** Appends a line to a run that is not open here; one that is at work is taken for that. */
  async function appendResting(uuid: string, fact: NewFact): Promise<void> {
    for (;;) {
      const found = await require(uuid);
      const resting = { writer: { uuid, owner: found.owner, member }, end: found };
      const { writer, end } = found.place === 'running' ? await take(uuid, 'running') : resting;
      const body = formatFact({ timestamp: timestamp(), ...fact });
      const next = sealText(body, { ...end, owner: writer.owner });
      const result = await rows.append(writer, { previous: end.check, next });
      if (result === 'appended') return;
      if (result === 'lost') throw isNoMember();
      // Somebody else has written to it in this moment.
    }
  }

  return { rows, find, require, requireRunning, requireEnded, toWriter, take, move, appendResting };
}

/** Says that a run does not wait for anybody. */
export function isNotPaused(uuid: string): ContextStoreError {
  return new ContextStoreError(`Run ${uuid} is not paused. Restore it instead.`, { code: 'invalid' });
}
