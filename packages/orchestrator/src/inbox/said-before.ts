import { createHash } from 'node:crypto';
import type { CommentChange } from '@agent/comment-detection';
import type { CommentListing, Thread } from '@agent/platforms';
import { z } from 'zod';
import { toTextComment } from './thread-text.ts';

const schema = z.object({
  id: z.string(),
  /** Hash of its body. */
  hash: z.string(),
});

/** A comment that stood on the thread when its run was begun. */
export type SaidBefore = Readonly<z.infer<typeof schema>>;

export const saidBeforeSchema = z.array(schema);

/** Milliseconds before the thread's last change that a run without a first prompt listens from. */
const overlapMs = 1_000;

/**
 * Lists what of a snapshot its times do not tell from what came after it: whoever takes the run up before its first prompt is kept
 * listens from a second before the thread's last change.
 */
export function listSaidBefore({
  thread,
  listing,
}: {
  readonly thread: Thread;
  readonly listing: Pick<CommentListing, 'comments'>;
}): readonly SaidBefore[] {
  const from = Date.parse(thread.updatedAt) - overlapMs;
  return [toTextComment(thread), ...listing.comments]
    .filter(({ createdAt, updatedAt }) => Date.parse(updatedAt ?? createdAt) > from)
    .map(({ id, body }) => ({ id, hash: hashBody(body) }));
}

/** Tells whether this was said before, in these words. */
export function wasSaidBefore(
  said: readonly SaidBefore[],
  { kind, comment: { id, body } }: Pick<CommentChange, 'kind' | 'comment'>,
): boolean {
  return kind !== 'deleted' && said.some((one) => one.id === id && one.hash === hashBody(body));
}

function hashBody(body: string): string {
  return createHash('sha256').update(body, 'utf8').digest('hex').slice(0, 16);
}
