import type { JournalEntry, MessageEvent, MessageLike } from '../../journal-model.ts';
import type { EndedRun, OpenRun, OutboxEntry, RunStore } from '../../ports.ts';
import { end, newRun, says, toArray } from '../store-setup.ts';
import type { RunStoreFixture, StoreProcess } from './contract.ts';

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

/** What a journal holds, in short: the words of its messages, summaries and facts. */
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
