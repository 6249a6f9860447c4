import type { SourceComment } from '@agent/comment-detection';
import type { Account } from '@agent/platforms';
import type { CheckpointAnswer, PrePlanningRequest, RequestComment } from '@agent/pre-planning';
import type { RunSignal, RunSignals } from '@agent/runner';
import type { RunLogger } from '../host/ports.ts';
import { markHandledCommands } from '../inbox/commands.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import type { KnownComments, SaidChange } from '../plan/known-comments.ts';
import type { Snapshot } from '../run/run-thread.ts';
import { cleanComments, cleanThread, markInternal, type TextGuard } from '../thread/text-guard.ts';
import { isOwnComment, isOwnThread, toAccount } from '../thread/trust.ts';

export interface PrePlanningCheckpointOptions {
  readonly runInbox: Pick<RunInbox, 'guard' | 'runCommands'>;
  readonly signals: RunSignals;
  /** Changes from while no process carried the run; told first. */
  readonly missed: readonly SaidChange[];
  /** Comments that are taken in already; what is heard is added. */
  readonly known: KnownComments;
  /** Tells whether its share of a limit is used up: then nothing more is asked. */
  readonly isUsedUp: () => boolean;
  readonly shutdown: AbortSignal;
  readonly logger: RunLogger;
}

export interface PrePlanningCheckpoint {
  readonly pass: () => Promise<CheckpointAnswer>;
  /** Names what interrupted it; `limit` for its share of a limit, which is used up: the run begins without the rest. */
  readonly interruption: () => RunSignal | 'limit';
}

/**
 * Asks what every checkpoint asks, pause, stop, comments, while a run pre-plans; what people command holds before
 * the model is asked again. What is heard here is told to the run's conversation as well, at its first checkpoint.
 * @see decision E16
 */
export function createPrePlanningCheckpoint(options: PrePlanningCheckpointOptions): PrePlanningCheckpoint {
  const { runInbox, signals, isUsedUp, shutdown, logger } = options;
  let interruption: RunSignal | 'limit' = 'none';
  const look = async (): Promise<RunSignal | 'limit'> => {
    try {
      const signal = await signals.read({ signal: shutdown });
      return signal === 'none' && isUsedUp() ? 'limit' : signal;
    } catch (error) {
      logger.warn({ err: error }, 'failed to check for pause or stop');
      return isUsedUp() ? 'limit' : 'none';
    }
  };
  let before: readonly SaidChange[] = [];
  const listen = async (): Promise<readonly SaidChange[]> => {
    const heard = await runInbox.runCommands();
    // What the conversation was not told of, and is deleted, it need not be told of: here it was.
    const here = new Set(heard.map(({ comment: { id } }) => id));
    const gone = before.filter(({ comment: { id } }) => !here.has(id));
    before = heard;
    return [...heard, ...gone.map(({ comment }) => ({ kind: 'deleted' as const, comment }))];
  };
  return {
    interruption: () => interruption,
    pass: async () => {
      if (shutdown.aborted) return 'interrupt';
      interruption = await look();
      const heard = interruption === 'none' ? await listen() : [];
      const newComments = await takeIn([...options.missed, ...heard], options);
      if (interruption === 'none' && newComments.length > 0) interruption = await look();
      return { newComments, interrupts: interruption !== 'none' };
    },
  };
}

async function takeIn(
  changes: readonly SaidChange[],
  { runInbox, known, shutdown }: PrePlanningCheckpointOptions,
): Promise<readonly RequestComment[]> {
  const fresh = known.findNew(changes);
  const told = await Promise.all(
    fresh.map((change) => toNewComment(change, { guard: runInbox.guard, signal: shutdown })),
  );
  for (const change of fresh) known.tell(change);
  return told;
}

export interface RequestReader {
  readonly guard: TextGuard;
  readonly ownAccount: Account;
  readonly signal?: AbortSignal | undefined;
}

/** Converts a snapshot to the request of a run; what we wrote ourselves is left out. */
export async function toPrePlanningRequest(
  { thread, listing, inherited }: Snapshot,
  reader: RequestReader,
): Promise<PrePlanningRequest> {
  const { guard, signal } = reader;
  const comments: RequestComment[] = [];
  const said = listing.comments.filter((comment) => !isOwnComment(comment, reader.ownAccount));
  for (const comment of await cleanComments(said, guard.clean))
    comments.push(await toRequestComment(comment, reader));
  const { title, body, labels } = await cleanThread(thread, guard.clean);
  return {
    author: thread.author?.login ?? null,
    isTrusted:
      !isOwnThread(thread, reader.ownAccount) &&
      (await guard.authorityOf(thread.author, { signal })) === 'trusted',
    title,
    body,
    labels,
    comments,
    history: inherited?.block ?? null,
  };
}

/** One comment that is clean, with the commands in it that are carried out already. */
async function toRequestComment(
  comment: SourceComment,
  { guard, signal }: Pick<RequestReader, 'guard' | 'signal'>,
): Promise<RequestComment> {
  const { id, author, createdAt, body } = comment;
  const isTrusted = (await guard.authorityOf(toAccount(author), { signal })) === 'trusted';
  return {
    id,
    author: author?.login ?? 'ghost',
    createdAt,
    body: markInternal(isTrusted ? markHandledCommands(body) : body, comment),
    isTrusted,
  };
}

/**
 * Converts what was said meanwhile; an edit and a deletion are told as something new that is said of the earlier comment, so
 * that the request is understood anew.
 */
export async function toNewComment(
  { kind, comment }: SaidChange,
  reader: Pick<RequestReader, 'guard' | 'signal'>,
): Promise<RequestComment> {
  const body = await reader.guard.clean(comment.body);
  const told = await toRequestComment({ ...comment, body }, reader);
  if (kind === 'added') return told;
  const { createdAt } = told;
  if (kind === 'deleted') return { ...told, body: `(The comment of ${createdAt} was deleted. Ignore it.)` };
  return {
    ...told,
    createdAt: comment.updatedAt ?? createdAt,
    body: `(This replaces the comment of ${createdAt}:)\n\n${told.body}`,
  };
}
