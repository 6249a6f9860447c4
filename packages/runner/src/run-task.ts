import { Conversation, JournalFailure, journaled } from './conversation.ts';
import { fitStart } from './fit-tool-output.ts';
import { finish, isWrappingUp, iterate } from './iterate.ts';
import { answerInterruptedCalls, writeOpening } from './open-loop.ts';
import { readEntries, replayJournal } from './replay-journal.ts';
import { createRun, isShutDown, type Run } from './run.ts';
import { checkRunOptions, type RunResult, type RunTaskOptions } from './run-options.ts';
import { Tally } from './tally.ts';
import { runTexts } from './texts.ts';

/**
 * Runs one task from the first message to the final answer, one model step at a time, with a checkpoint between
 * the steps. Called again with the same journal it goes on where it was left, by a shutdown or a crash.
 *
 * It ends a run but does not commit the end: the caller delivers the results first, then calls `journal.finish`.
 * @throws what `openConversation` rejects with, and a `TypeError` that names an option which is missing: nothing has
 *   happened then
 *
 * @example
 * const result = await runTask({ model, tools: { count }, journal: createMemoryRunJournal(), openConversation });
 * if (result.kind === 'ended') console.log(result.outcome.status);
 */
export async function runTask(options: RunTaskOptions): Promise<RunResult> {
  checkRunOptions(options);
  const tally = new Tally(options.now ?? Date.now);
  try {
    const run = await openRun(options, tally);
    for (;;) {
      // What comes next is read from the conversation, so that going on after a crash is no case of its own.
      const isDone = run.conversation.endsWithAnswer && !isWrappingUp(run);
      const ending = isDone ? await finish(run) : await iterate(run);
      if (ending !== null) return ending;
    }
  } catch (error) {
    if (error instanceof JournalFailure) return toJournalFailed(error, { options, tally });
    if (options.hardSignal?.aborted) return { kind: 'interrupted', statistics: tally.statistics() };
    throw error;
  }
}

function toJournalFailed(
  { cause }: JournalFailure,
  { options, tally }: { readonly options: RunTaskOptions; readonly tally: Tally },
): RunResult {
  const { hideKnownSecrets = (text: string) => text, locale = 'en', logger } = options;
  logger?.error({ err: cause }, 'the journal could not be written; the run ends');
  const codes = [cause, (cause as Error | undefined)?.cause].map(
    (error) => (error as { code?: unknown })?.code,
  );
  const isFull = codes.some((code) => code === 'storage-full' || code === 'ENOSPC');
  const detail = fitStart(hideKnownSecrets(cause instanceof Error ? cause.message : String(cause)), {
    maxChars: 300,
  });
  const reason = runTexts(locale).journalFailed({ isFull, detail });
  const statistics = tally.statistics();
  return { kind: 'ended', outcome: { status: 'failed', reason, finalText: null, statistics } };
}

/** Takes a run up where its journal ends, or opens its conversation. */
async function openRun(options: RunTaskOptions, tally: Tally): Promise<Run> {
  const { journal, hideKnownSecrets = (text: string) => text } = options;
  const replayed = replayJournal(await journaled(readEntries(journal)));
  const conversation = new Conversation({ journal, tally, hideKnownSecrets }, replayed);
  const run = createRun(options, { conversation, tally });
  run.emit({ type: 'run-start', resumed: replayed !== null });
  if (replayed !== null) await answerInterruptedCalls(conversation);
  else if (!isShutDown(run)) {
    const opened = await options.openConversation({ signal: options.hardSignal });
    await writeOpening(opened, { conversation, tally });
  }
  return run;
}
