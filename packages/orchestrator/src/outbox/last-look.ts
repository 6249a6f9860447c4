import { ListLagsError } from '../inbox/delivered-comments.ts';
import type { LateComment } from '../inbox/run-inbox.ts';
import { endIds } from '../intents/intents.ts';
import type { OpenRunInbox } from '../listening/open-run-inbox.ts';
import type { Run } from '../run/run.ts';
import {
  type HandoverRecords,
  toRecordedThread,
  type UnansweredRecords,
} from '../triggers/handover-records.ts';

export interface LastLookOptions {
  /** True where threads are listened to. */
  readonly isEnabled: boolean;
  readonly openRunInbox: OpenRunInbox;
  readonly handovers: Pick<HandoverRecords, 'keep'>;
  readonly unanswered: Pick<UnansweredRecords, 'add'>;
}

export interface LookedFor {
  /** Null where nobody will write one. */
  readonly finalCommentId: string | null;
  /** When it was written or given up (ISO 8601), by our clock. */
  readonly endedAt: string;
  /** True where what nobody answers makes the thread wait for a run again. */
  readonly returns: boolean;
}

/** Looks once more. @returns the comments that came too late, oldest first */
export type LastLook = (run: Run, asked: LookedFor) => Promise<readonly LateComment[]>;

/**
 * A list that does not show the final comment in so many looks of a process, a quarter of a minute after the first, does not lag: somebody
 * deleted it, or the adapter does not list it.
 */
const lagLooks = 5;

/**
 * Creates the look after the end of a run: what somebody who may steer said before the final comment stood there, and no
 * answer takes up, is kept for the opening of the next run, by its id; after a run that completed the thread waits for that
 * one already. What is said after the final comment is said to a run that has ended. Repeating it is safe.
 *
 * @throws what kept it from being looked at or judged: "could not ask" is not "nothing was said"
 * @see decision B21
 */
export function createLastLook({
  isEnabled,
  openRunInbox,
  handovers,
  unanswered,
}: LastLookOptions): LastLook {
  const lagging = new Map<string, number>();
  return async (run, { finalCommentId, endedAt, returns }) => {
    if (!isEnabled) return [];
    const { uuid, facts, startedAt, thread, outbox, logger } = run;
    const { platform, ports } = thread;
    const lagged = lagging.get(uuid) ?? 0;
    const inbox = await openRunInbox(run);
    const mayLag = finalCommentId !== null && lagged + 1 < lagLooks;
    const late = await inbox
      .findLate({ finalCommentId, endedAt: mayLag ? null : endedAt })
      .catch((error: unknown) => {
        if (error instanceof ListLagsError) lagging.set(uuid, lagged + 1);
        throw error;
      });
    lagging.delete(uuid);
    const found = late.flatMap(({ comment: { id }, by }) => (by === null ? [] : [{ id, by }]));
    const [first] = found;
    if (first === undefined) return late;
    const named = toRecordedThread(ports.key, platform.platform);
    const ids = found.map(({ id }) => id);
    await unanswered.add(named, ids);
    logger.info({ comments: ids.length }, 'saved late comments for next run');
    if (!returns || !platform.trigger.signs.canReturn(ports)) return late;
    const since = facts.handover?.at ?? startedAt;
    await handovers.keep(named, { by: first.by, since, commentId: first.id });
    await outbox.open({ id: endIds.return, kind: 'label', data: { state: 'waiting', takes: null } });
    logger.info({}, 'queued task again: comment arrived too late');
    return late;
  };
}
