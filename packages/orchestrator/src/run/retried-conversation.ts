import type { ShownRun } from '@agent/run-store';
import { readConversation } from '@agent/runner';
import type { ModelMessage } from 'ai';
import { envelopeNonceName } from '../inbox/open-envelope-nonce.ts';
import type { Run } from './run.ts';
import { heardInternalName } from './run-audience.ts';

/** Reads any run, wherever it lies; the AI SDK checks its messages before they are sent. */
export type ReadRun = (uuid: string) => Promise<ShownRun<ModelMessage>>;

/**
 * Takes over what goes with the words of a conversation that is gone on from: the mark of its envelopes, which its
 * instructions speak of, and that an internal note was heard. What stands there already stays.
 */
export async function inheritMarks(
  readRun: (uuid: string) => Promise<Pick<ShownRun<ModelMessage>, 'state'>>,
  { state, lineage, logger }: Pick<Run, 'state' | 'lineage' | 'logger'>,
): Promise<void> {
  if (lineage.retryOf === null) return;
  try {
    const { state: from } = await readRun(lineage.retryOf);
    for (const name of [envelopeNonceName, heardInternalName]) {
      const mark = (await state.read(name)) === null ? await from.read(name) : null;
      if (mark !== null) await state.write(name, mark);
    }
  } catch (error) {
    logger.warn({ err: error }, 'the marks of the run that is gone on from could not be taken over');
  }
}

const goesOn = [
  'The run whose conversation stands above failed, and somebody asked to go on from there. Limits and last turns that it was told of are over.',
  'What it changed is in your files, unless it could not be kept; look at them before you rely on what was said of them. The thread, as it is now, follows.',
].join(' ');

/** The conversation that a run begins with, before its first message; empty where it is not gone on from another. */
export async function readRetriedConversation(
  readRun: ReadRun,
  { lineage: { retryOf }, logger }: Pick<Run, 'lineage' | 'logger'>,
): Promise<readonly ModelMessage[]> {
  if (retryOf === null) return [];
  try {
    const { history } = await readRun(retryOf);
    const messages = await readConversation({ read: () => onlyMessages(history()) });
    return messages.length === 0 ? [] : [...messages, { role: 'user', content: goesOn }];
  } catch (error) {
    logger.error(
      { err: error, run: retryOf },
      'the run that is gone on from cannot be read; its work is there',
    );
    return [];
  }
}

type History = ReturnType<ShownRun<ModelMessage>['history']>;
type Entry = History extends AsyncIterable<infer One> ? One : never;

async function* onlyMessages(
  history: History,
): AsyncGenerator<Extract<Entry, { type: 'message' | 'summary' }>> {
  for await (const entry of history) {
    if (entry.type === 'message' || entry.type === 'summary') yield entry;
  }
}
