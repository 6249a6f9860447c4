import type { ModelMessage } from 'ai';
import { listOpenCalls } from './conversation.ts';
import type { RunJournal } from './ports.ts';
import { readEntries } from './read-entries.ts';
import { replayJournal } from './replay-journal.ts';
import { toInterruptedResult } from './run-tool-calls.ts';

/**
 * What the model of a run saw last, without the system's prompt: messages to open another run's conversation with,
 * each call with a result. Empty for a run that never began.
 */
export async function readConversation(journal: Pick<RunJournal, 'read'>): Promise<readonly ModelMessage[]> {
  const replayed = replayJournal(await readEntries(journal));
  const messages = (replayed?.context ?? []).map(({ message }) => message);
  return [...messages, ...listOpenCalls(messages).map(toInterruptedResult)];
}
