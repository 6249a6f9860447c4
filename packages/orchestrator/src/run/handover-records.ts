import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, formatTaskKey, type Platform, type TaskKey } from '@agent/platforms';
import { replaceFile } from '@agent/run-store/file';
import { z } from 'zod';
import type { OpenRunInbox } from '../inbox/open-run-inbox.ts';
import type { RunLogger } from '../ports.ts';
import type { CallWithRetry } from './call-with-retry.ts';
import type { Run } from './run.ts';

/** Why the agent put the label back itself: such a label has the authority of whoever caused it. */
export interface RestoredLabel {
  /** Account that caused it. */
  readonly by: Account;
  /** ISO 8601: title, text and head are those of this time. */
  readonly since: string;
  /** The comment that asked for it; null where an earlier label did. */
  readonly commentId: string | null;
}

/** A thread as runs are filed: by host and key. */
export interface RecordedThread {
  readonly host: string;
  readonly taskKeyText: string;
}

/** Converts a thread to the name that it is filed by. */
export function toRecordedThread(key: TaskKey, { host }: Pick<Platform, 'host'>): RecordedThread {
  return { host, taskKeyText: formatTaskKey(key) };
}

/** Remembers the causes of labels that the agent put back, one for each thread, until a run has begun. */
export interface HandoverRecords {
  readonly keep: (thread: RecordedThread, restored: RestoredLabel) => Promise<void>;
  /** Null where there is none; what cannot be read is none, and the log says so. */
  readonly read: (thread: RecordedThread) => Promise<RestoredLabel | null>;
  readonly forget: (thread: RecordedThread) => Promise<void>;
}

const schema = z.object({
  by: z.object({ id: z.string(), login: z.string(), kind: z.enum(['person', 'bot']) }),
  since: z.string(),
  comment_id: z.string().nullable(),
});

/** Keeps them in files of this directory, which is made when the first is kept. */
export function createHandoverRecords(
  directory: string,
  { logger }: { readonly logger: RunLogger },
): HandoverRecords {
  const pathOf = ({ host, taskKeyText }: RecordedThread): string =>
    join(directory, `${createHash('sha256').update(`${host} ${taskKeyText}`).digest('hex')}.json`);
  return {
    keep: async (thread, { by, since, commentId }) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { id, login, kind } = by;
      const record = { by: { id, login, kind }, since, comment_id: commentId };
      await replaceFile(pathOf(thread), `${JSON.stringify(record)}\n`);
    },
    read: async (thread) => {
      try {
        const { comment_id: commentId, ...rest } = schema.parse(
          JSON.parse(await readFile(pathOf(thread), 'utf8')),
        );
        return { ...rest, commentId };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          logger.warn({ err: error }, 'why a label was put back cannot be read; people have to label again');
        return null;
      }
    },
    forget: (thread) => rm(pathOf(thread), { force: true }),
  };
}

export interface RecheckOptions {
  /** True where threads are listened to. */
  readonly isEnabled: boolean;
  readonly openRunInbox: OpenRunInbox;
  readonly handovers: Pick<HandoverRecords, 'keep'>;
  readonly callWithRetry: CallWithRetry;
}

export type RecheckAfterFinish = (run: Run, finalCommentId: string) => Promise<void>;

/**
 * Creates the look after the end of a run that completed: where somebody who may steer said something before the final
 * comment stood there, and no answer takes it up, the thread waits for a run again. What is said after the final
 * comment is said to a run that has ended. Repeating it is safe.
 *
 * @see decision B21
 */
export function createRecheckAfterFinish(options: RecheckOptions): RecheckAfterFinish {
  const { isEnabled, openRunInbox, handovers, callWithRetry } = options;
  return async (run, finalCommentId) => {
    const { facts, startedAt, thread, logger } = run;
    const { platform, ports } = thread;
    const { trigger } = platform;
    if (!isEnabled || !trigger.signs.canReturn(ports)) return;
    const ears = await openRunInbox(run);
    const comment = await ears.findUnanswered(finalCommentId);
    if (comment === null) return;
    logger.info({}, 'a comment came too late for this run; its thread waits for another');
    await callWithRetry({
      doing: 'put the label back',
      attempt: async () => {
        const since = facts.handover?.at ?? startedAt;
        const restored = { by: comment.by, since, commentId: comment.id };
        await handovers.keep(toRecordedThread(ports.key, platform.platform), restored);
        await trigger.setState(ports, { state: 'waiting' });
      },
      logger,
    });
  };
}
