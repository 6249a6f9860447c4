import type { Account, Comment } from '@agent/platforms';
import { planningFactName } from '@agent/runner/planning';
import { z } from 'zod';
import { replaceCommands } from '../inbox/commands.ts';
import { hashText } from '../past/earlier-runs.ts';
import { type DeliveringEntry, parseObserved } from '../thread/detection-record.ts';
import { isOwnComment, toAccount } from '../thread/trust.ts';

export interface ConsideredOptions {
  /** The thread as it is now. */
  readonly comments: readonly Comment[];
  /** The agent's own account: what it writes is no request. */
  readonly ownAccount: Account;
}

/**
 * Tells whether the plan that a run left was made, or held against, all that people say on the thread now: nothing was said or
 * edited since, and nothing that it was held against is gone. Commands alone ask for nothing, and what bots write neither.
 */
export async function considersAll(
  history: AsyncIterable<DeliveringEntry>,
  { comments, ownAccount }: ConsideredOptions,
): Promise<boolean> {
  const asks = (comment: Said) =>
    comment.author?.kind !== 'bot' &&
    !isOwnComment(comment, ownAccount) &&
    replaceCommands(comment.body, () => '').trim() !== '';
  const { considered, said } = await readConsidered(history);
  const isConsidered = ({ id, body }: Comment) => {
    const hash = considered.get(id);
    return hash !== undefined && hashText(body).startsWith(hash);
  };
  const present = new Set(comments.map(({ id }) => id));
  const gone = [...considered.keys()].filter((id) => !present.has(id)).flatMap((id) => said.get(id) ?? []);
  return comments.filter(asks).every(isConsidered) && !gone.some(asks);
}

type Said = Pick<Comment, 'author' | 'body'>;

const planned = z.object({ type: z.enum(['plan', 'revision', 'reflection']) });

/** Reads what the model was told before it last made or judged the plan: the beginning of each body's SHA-256, by id. */
async function readConsidered(history: AsyncIterable<DeliveringEntry>): Promise<{
  readonly considered: ReadonlyMap<string, string>;
  /** Comments as they were seen. */
  readonly said: ReadonlyMap<string, Said>;
}> {
  const told = new Map<string, string>();
  const said = new Map<string, Said>();
  let considered = new Map<string, string>();
  for await (const entry of history) {
    if (entry.type === 'fact' && entry.name === 'observed')
      for (const { id, author, body, part } of parseObserved(entry.data).poll.observations)
        if (part === undefined) said.set(id, { author: toAccount(author), body });
    if (entry.type === 'message')
      for (const { id, revision, kind } of entry.delivers)
        if (kind === 'deleted') told.delete(id);
        else told.set(id, revision.split('@')[0] ?? '');
    const isPlanned = entry.type === 'fact' && entry.name === planningFactName;
    if (isPlanned && planned.safeParse(entry.data).success) considered = new Map(told);
  }
  return { considered, said };
}
