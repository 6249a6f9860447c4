import type { CommentChange, CommentDetectionState, DeliveryReceipt } from '@agent/comment-detection';
import type { DeliveredComment, HandledCommand } from './delivered-comment.ts';

/** One revision of one comment that a message delivered. */
export type Delivered = DeliveryReceipt['delivers'][number];

export interface DeliveredSources {
  /** What this process and those before it delivered, as the journal tells it; without what the first prompt told. */
  readonly told: readonly Delivered[];
  readonly undelivered: readonly CommentChange[];
  /** Knows who wrote each comment, and when. */
  readonly ledger: CommentDetectionState['ledger'];
  /** Where they stand, by their ids. */
  readonly urls: ReadonlyMap<string, string>;
  /** What they commanded, by their ids. */
  readonly commands: ReadonlyMap<string, HandledCommand>;
}

/** Every comment that came while a run was under way, oldest first: each once as a comment, an edit and a deletion. */
export function listDelivered({
  told,
  undelivered,
  ledger,
  ...known
}: DeliveredSources): readonly DeliveredComment[] {
  const entries = new Map(ledger.map((entry) => [entry.id, entry]));
  const heard = new Map<string, DeliveredComment>();
  const note = ({ id, kind }: Pick<Delivered, 'id' | 'kind'>, delivered: boolean): void => {
    const entry = entries.get(id);
    const author = entry?.author?.login ?? null;
    const isThere = kind !== 'deleted';
    const url = (isThere && known.urls.get(id)) || null;
    const command = (isThere && known.commands.get(id)) || null;
    const createdAt = entry?.created_at ?? '';
    heard.set(`${id} ${kind}`, { kind, author, createdAt, url, command, delivered });
  };
  for (const item of told) note(item, true);
  for (const { kind, comment } of undelivered) note({ id: comment.id, kind }, false);
  return [...heard.values()].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}
