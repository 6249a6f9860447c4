import { toRepositoryName } from '@agent/platforms';
import { z } from 'zod';
import { type QueueEntry, readTaskKey } from './task-queue.ts';

const entrySchema: z.ZodType<QueueEntry> = z.object({
  key: z.string(),
  kind: z.enum(['new', 'interrupted', 'paused', 'retry']),
  platform: z.string(),
  runId: z.string().nullable(),
});

/** Reads an entry that another process added. @throws for what is none, and for one whose key names no thread */
export function parseQueueEntry(json: unknown): QueueEntry {
  const entry = entrySchema.parse(json);
  readTaskKey(entry);
  return entry;
}

/** What has begun goes before what has not. */
const priorities: Readonly<Record<QueueEntry['kind'], number>> = {
  interrupted: 3,
  paused: 2,
  retry: 1,
  new: 0,
};

/** Rules by which tasks wait in a queue that processes share: what has begun goes first, and repositories take turns. */
export const sharedQueueRules = {
  toGroup: (entry: QueueEntry): string => `${entry.platform} ${toRepositoryName(readTaskKey(entry))}`,
  toPriority: ({ kind }: QueueEntry): number => priorities[kind],
  takesUp: ({ kind }: QueueEntry): boolean => kind === 'interrupted',
};
