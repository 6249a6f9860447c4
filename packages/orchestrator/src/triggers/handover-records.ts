import { createHash } from 'node:crypto';
import { type Account, formatTaskKey, type Platform, type TaskKey } from '@agent/platforms';
import type { StorageNotes } from '@agent/run-store';
import { z } from 'zod';
import type { RunLogger } from '../host/ports.ts';

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

/** Keeps each in a note. */
export function createHandoverRecords(
  notes: Pick<StorageNotes, 'read' | 'write'>,
  { logger }: { readonly logger: RunLogger },
): HandoverRecords {
  const nameOf = noteIn('handovers');
  return {
    keep: (thread, { by: { id, login, kind }, since, commentId }) =>
      notes.write(nameOf(thread), { by: { id, login, kind }, since, comment_id: commentId }),
    read: async (thread) => {
      try {
        const kept = await notes.read(nameOf(thread));
        if (kept === null) return null;
        const { comment_id: commentId, ...rest } = schema.parse(kept);
        return { ...rest, commentId };
      } catch (error) {
        logger.warn({ err: error }, 'failed to read handover record; label must be added again');
        return null;
      }
    },
    forget: (thread) => notes.write(nameOf(thread), null),
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

const unansweredSchema = z.object({ comments: z.array(z.string()) }).nullable();

const parseUnanswered = (kept: unknown) => unansweredSchema.parse(kept)?.comments ?? [];

/** Keeps those of each thread in a note. */
export function createUnansweredRecords(
  notes: Pick<StorageNotes, 'read' | 'write' | 'change'>,
): UnansweredRecords {
  const nameOf = noteIn('unanswered');
  return {
    read: async (thread) => parseUnanswered(await notes.read(nameOf(thread))),
    add: (thread, ids) =>
      notes.change(nameOf(thread), (kept) => ({
        comments: [...new Set([...parseUnanswered(kept), ...ids])],
      })),
    forget: (thread) => notes.write(nameOf(thread), null),
  };
}

/** Names the note of a thread. */
export function noteIn(folder: string): (thread: RecordedThread) => string {
  return ({ host, taskKeyText }) =>
    `${folder}/${createHash('sha256').update(`${host} ${taskKeyText}`).digest('hex')}`;
}
