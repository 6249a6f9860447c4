import { createHash } from 'node:crypto';

/** Marks that tell one revision of a comment from another. */
export interface RevisionMark {
  /** Of the body: the first 16 hexadecimal digits of its SHA-256. */
  readonly hash: string;
  readonly updatedAt: string | null;
}

export function hashBody(body: string): string {
  return createHash('sha256').update(body, 'utf8').digest('hex').slice(0, 16);
}

/** The text under which a journal names a revision: `{hash}@{updatedAt}`. */
export function formatRevision({ hash, updatedAt }: RevisionMark): string {
  return `${hash}@${updatedAt ?? ''}`;
}

/** The inverse of `formatRevision`. */
export function parseRevision(revision: string): RevisionMark {
  const at = revision.indexOf('@');
  if (at < 0) return { hash: revision, updatedAt: null };
  return { hash: revision.slice(0, at), updatedAt: revision.slice(at + 1) || null };
}
