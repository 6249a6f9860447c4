import { Conversation } from './conversation.ts';
import { journalled } from './journal-failure.ts';
import { readEntries } from './read-entries.ts';
import { replayJournal } from './replay-journal.ts';
import { createRun, isShutDown, type Run } from './run.ts';
import type { RunTaskOptions } from './run-options.ts';
import { answerInterruptedCalls } from './run-tool-calls.ts';
import type { Tally } from './tally.ts';

/** Takes a run up where its journal ends, or opens its conversation. */
export async function openRun(options: RunTaskOptions, tally: Tally): Promise<Run> {
  const { journal, hideKnownSecrets = (text: string) => text } = options;
  const replayed = replayJournal(await journalled(readEntries(journal)));
  const conversation = new Conversation({ journal, tally, hideKnownSecrets }, replayed);
  const run = createRun(options, { conversation, tally });
  run.emit({ type: 'run-start', resumed: replayed !== null });
  if (replayed !== null) await answerInterruptedCalls(run);
  else if (!isShutDown(run)) await openConversation(run, tally);
  return run;
}

async function openConversation({ options, conversation }: Run, tally: Tally): Promise<void> {
  const opened = await options.openConversation({ signal: options.hardSignal });
  const { instructions, messages, receipt = { delivers: [] }, spent, earlierMs = 0 } = opened;
  tally.addEarlierMs(earlierMs);
  const opening = [{ role: 'system' as const, content: instructions }, ...messages];
  for (const [index, message] of opening.entries()) {
    const begins = { isOpening: true, ...(index === 0 ? { opens: opening.length, spent } : {}) };
    await conversation.append(message, index === opening.length - 1 ? { ...begins, ...receipt } : begins);
  }
}
