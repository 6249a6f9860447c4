import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, formatTaskKey, type Platform, type TaskKey } from '@agent/platforms';
import { replaceFile } from '@agent/run-store/file';
import { z } from 'zod';
import type { RunLogger } from '../ports.ts';

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
  const pathOf = pathIn(directory);
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

/** Comments of threads that no run has answered, by their ids, until a run has begun that opens with them. */
export interface UnansweredRecords {
  /** Adds to what is there. */
  readonly add: (thread: RecordedThread, ids: readonly string[]) => Promise<void>;
  /** @throws what kept it from being read: a run must not begin without what it owes */
  readonly read: (thread: RecordedThread) => Promise<readonly string[]>;
  readonly forget: (thread: RecordedThread) => Promise<void>;
}

const unansweredSchema = z.object({ comments: z.array(z.string()) });

/** Keeps them in files of this directory, which is made when the first is kept. */
export function createUnansweredRecords(directory: string): UnansweredRecords {
  const pathOf = pathIn(directory);
  const read = async (thread: RecordedThread): Promise<readonly string[]> => {
    try {
      return unansweredSchema.parse(JSON.parse(await readFile(pathOf(thread), 'utf8'))).comments;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  return {
    read,
    add: async (thread, ids) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const comments = [...new Set([...(await read(thread)), ...ids])];
      await replaceFile(pathOf(thread), `${JSON.stringify({ comments })}\n`);
    },
    forget: (thread) => rm(pathOf(thread), { force: true }),
  };
}

/** Names the file of a thread. */
function pathIn(directory: string): (thread: RecordedThread) => string {
  return ({ host, taskKeyText }) =>
    join(directory, `${createHash('sha256').update(`${host} ${taskKeyText}`).digest('hex')}.json`);
}
