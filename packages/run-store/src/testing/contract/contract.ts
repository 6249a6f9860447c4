import assert from 'node:assert/strict';
import type { TaskIndex } from '../../index/indexed-run.ts';
import type { JournalEntry, MessageEvent, MessageLike } from '../../journal-model.ts';
import type { EndedRun, OpenRun, OutboxEntry, Ownership, RunStore, WholeRunStore } from '../../ports.ts';
import type { RunLines, RunReader } from '../../run-reader.ts';
import { end, newRun, says, toArray } from '../store-setup.ts';

/** One process that owns the runs, with its store. */
export interface StoreProcess {
  readonly owner: Ownership;
  /** Writes as this owner. */
  readonly store: WholeRunStore<MessageLike>;
  /** The next three need no owner: any process may read. */
  readonly reader: RunReader<MessageLike>;
  readonly index: Pick<TaskIndex, 'find'>;
  readonly lines: RunLines;
  /**
   * Makes the next write of a line fail with `storage-failed`: the medium refuses it (`before`), or carries it out and
   * cannot say so any more (`after`).
   */
  readonly failNext: (when: 'before' | 'after') => void;
  /** Ends the process as a power cut does: what nobody acknowledged may be there, a part of it, or nothing. */
  readonly kill: () => Promise<void>;
}

/** A place for runs, empty at first. */
export interface RunStoreFixture {
  /** Starts a process. It takes the place over from one that still lives, as if that one had been silent for too long. */
  readonly start: () => Promise<StoreProcess>;
}

/** A place whose medium can lose or change what was written. */
export interface RecordDamageFixture extends RunStoreFixture {
  /** Changes a letter of this text where it stands in the record of a run, while no process is there. */
  readonly damage: (uuid: string, text: string) => Promise<void>;
}

/** One promise of a store: a sentence, and a function that rejects where the store breaks it. */
export interface RunStoreCase<Fixture = RunStoreFixture> {
  readonly name: string;
  readonly run: (fixture: Fixture) => Promise<void>;
}

/** World that the cases of a contract are run in. */
export interface RunStoreContractOptions<Fixture = RunStoreFixture> {
  /**
   * Makes an empty place for each case; `close` is called after it. Its stores take the time from `now`, which goes on
   * by a second with each call: milliseconds since 1970.
   */
  readonly create: (clock: {
    readonly now: () => number;
  }) => Promise<Fixture & { readonly close: () => Promise<void> }>;
}

/** A case, ready to be handed to a test runner. */
export interface RunStoreTest {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Gives each case a world of its own. */
export function toTests<Fixture>(
  cases: readonly RunStoreCase<Fixture>[],
  { create }: RunStoreContractOptions<Fixture>,
): readonly RunStoreTest[] {
  return cases.map(({ name, run }) => ({
    name,
    run: async () => {
      let time = Date.parse('2026-01-02T03:04:05Z');
      const now = () => {
        time += 1_000;
        return time;
      };
      const fixture = await create({ now });
      try {
        await run(fixture);
      } finally {
        await fixture.close();
      }
    },
  }));
}

/** A failure of a store is read by its code. */
export async function rejectsWithCode(call: Promise<unknown>, code: string): Promise<void> {
  const wanted = `the call has to reject with an error whose \`code\` is '${code}'`;
  await assert.rejects(
    call,
    (error) => {
      const given = (error as { code?: unknown }).code;
      assert.equal(given, code, `${wanted}, but it rejected with "${error}" (code: ${given})`);
      return true;
    },
    `${wanted}, but it did not reject`,
  );
}

/** Runs of the cases. */
export const [first, second, third] = [
  '10000000-0000-4000-8000-000000000001',
  '20000000-0000-4000-8000-000000000002',
  '30000000-0000-4000-8000-000000000003',
] as const;

/** A fact of the store's caller. */
export const observed = (id: string) => ({ type: 'fact', name: 'observed', data: { id } }) as const;

/** An intent of the cases. */
export const comment = { id: 'final', kind: 'comment', data: { body: 'Done.' } };

/** A pause of the cases. */
export const pause = { lastError: null, planningState: { step: 2 } };

/** An answer of the model that calls no tool: a completed step. */
export const answers = (text: string): MessageEvent<MessageLike> => ({
  ...says('assistant', text),
  usage: { inputTokens: 1, outputTokens: 1 },
});

/** A process with the first run, which was just begun. */
export async function begin({
  start,
}: RunStoreFixture): Promise<StoreProcess & { readonly run: OpenRun<MessageLike> }> {
  const process = await start();
  return { ...process, run: await process.store.open(newRun(first)) };
}

/** Kills a process, and starts the next one. */
export async function restart({ start }: RunStoreFixture, { kill }: StoreProcess): Promise<StoreProcess> {
  await kill();
  return start();
}

/** Runs one to its end: it has a summary, and is put away. */
export async function endRun(
  store: RunStore<MessageLike>,
  fields: { readonly uuid: string } & Partial<ReturnType<typeof newRun>>,
): Promise<void> {
  const { journal } = await store.open({ ...newRun(fields.uuid), ...fields });
  await journal.append(says('user', `Begin ${fields.uuid}.`));
  await journal.replaceContext([], { startSeq: 1, endSeq: 1, text: `What ${fields.uuid} did.` });
  await journal.finish(end);
  await store.finish(fields.uuid);
}

/** Reads the words of a journal's messages, summaries and facts. */
export async function readWords({ journal }: Pick<EndedRun<MessageLike>, 'journal'>): Promise<unknown[]> {
  return (await toArray(journal.read())).map(toWords);
}

function toWords(entry: JournalEntry<MessageLike>): unknown {
  if (entry.type === 'message') return entry.message.content;
  return entry.type === 'summary' ? entry.summary.text : entry.data;
}

/** Ids of intents with their states. */
export function toStates(entries: readonly OutboxEntry[]): readonly string[] {
  return entries.map(({ id, state }) => `${id}: ${state}`);
}

/** Uuids of listed runs. */
export function toUuids(runs: readonly { readonly uuid: string }[]): readonly string[] {
  return runs.map(({ uuid }) => uuid);
}
