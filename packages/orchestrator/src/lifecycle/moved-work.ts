import type { RunJournal } from '@agent/runner';
import type { KeepWork, OpenedWorkspace } from '@agent/workspace';
import { z } from 'zod';
import { lossForModel, runTexts } from '../report/texts.ts';
import type { Run } from '../run/run.ts';

/** The same journal: what a tool did to the files is kept for other machines before the line that tells of it. */
export function withKeptWork<Journal extends Pick<RunJournal, 'append'>>(
  journal: Journal,
  keep: KeepWork | null,
): Journal {
  if (keep === null) return journal;
  return {
    ...journal,
    append: async (event) => {
      if (event.type === 'message' && event.message.role === 'tool') await keep();
      return journal.append(event);
    },
  };
}

const movedName = 'work-moved';
const movedSchema = z.object({ worktree: z.string() });

/** A run, as far as it concerns where its files are. */
export interface MovedRun {
  readonly uuid: string;
  readonly facts: Pick<Run['facts'], 'locale'>;
  readonly journal: Pick<Run['journal'], 'read' | 'append'>;
  readonly thread: { readonly writer: Pick<Run['thread']['writer'], 'post'> };
}

/**
 * Tells people where work that a run did on another machine is not here.
 *
 * @returns the same for the model, and what is never brought along, to be told before anything else; null where it was told
 * already, or the run has been in no other worktree
 */
export async function tellMove(
  { uuid, facts, journal, thread }: MovedRun,
  { moved }: Pick<OpenedWorkspace, 'moved'>,
  { signal }: { readonly signal: AbortSignal },
): Promise<string | null> {
  if (moved === null) return null;
  const { worktree, leftOut, missing } = moved;
  const told = await findTold(journal, worktree);
  if (told === 'told') return null;
  if (told === 'unknown')
    await journal.append({ type: 'fact', name: movedName, data: { worktree, leftOut, missing } });
  const { movedForModel, movedForPeople } = runTexts[facts.locale];
  if (missing !== null) {
    const topic = `run:${uuid}:moved:${worktree}`;
    await thread.writer.post({ topic, body: movedForPeople(missing), signal });
  }
  return movedForModel(moved);
}

/** `noted`: the record says that the run moved to this worktree, and nothing was said to the model since. */
async function findTold(
  journal: Pick<MovedRun['journal'], 'read'>,
  worktree: string,
): Promise<'unknown' | 'noted' | 'told'> {
  let told: 'unknown' | 'noted' | 'told' = 'unknown';
  for await (const entry of journal.read({ facts: [movedName] })) {
    if (entry.type === 'message' && entry.message.role === 'user' && told === 'noted') told = 'told';
    if (entry.type === 'fact' && entry.name === movedName)
      told = movedSchema.parse(entry.data).worktree === worktree ? 'noted' : 'unknown';
  }
  return told;
}

/**
 * Tells people where the record of the run lacks what it held.
 *
 * @returns the same for the model, to be told before anything else happens; null where nothing is lost
 */
export async function tellLoss(
  { uuid, facts, thread, recordCheck }: Run,
  { signal }: { readonly signal: AbortSignal },
): Promise<string | null> {
  const loss = await recordCheck.findUntold();
  if (loss === null) return null;
  const topic = `run:${uuid}:loss:${loss.line}`;
  await thread.writer.post({ topic, body: runTexts[facts.locale].lossForPeople(loss), signal });
  return lossForModel(loss);
}
