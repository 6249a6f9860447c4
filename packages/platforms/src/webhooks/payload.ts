import * as z from 'zod';
import type { Comment } from '../model.ts';
import type { Ring } from '../sources/doorbell.ts';

/** More than any platform nests, in levels. */
const maxDepth = 100;
/** More objects and lists than a delivery of the largest push has. */
const maxContainers = 500_000;

/** The payload of a delivery; undefined for what is no JSON, or takes many times its length in memory to read. */
export function parsePayload(text: string): unknown {
  if (!isWithinBounds(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWithinBounds(text: string): boolean {
  let depth = 0;
  let containers = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') {
      isText = true;
    } else if (character === '[' || character === '{') {
      depth += 1;
      containers += 1;
      if (depth > maxDepth || containers > maxContainers) return false;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return true;
}

/** Ids come as numbers and as strings. */
export const payloadId = z.union([z.number(), z.string().min(1)]).transform(String);

/** The number of a thread. */
export const payloadNumber = z
  .union([z.number(), z.string().regex(/^\d+$/)])
  .transform(Number)
  .pipe(z.number().int().positive());

/** News of one comment, out of a delivery. */
export interface CommentNews extends Pick<Ring, 'key' | 'updatedAt'> {
  readonly commentId: string;
  readonly change: 'created' | 'edited' | 'deleted';
  /** The comment as the delivery shows it, where the delivery is signed; null where it is only known by a token. */
  readonly comment: Comment | null;
}

/**
 * Rings for one comment. An edit rings twice: by its time, so that looks go on until a listing is as new, and without a
 * time, so that one look is made at any rate. Deliveries have whole seconds: the comment as it was before may be of
 * the very second of its edit, and would be taken for the edited one.
 */
export function toCommentRings({ key, commentId, updatedAt, change, comment }: CommentNews): readonly Ring[] {
  if (change === 'deleted') return [{ key, commentId, updatedAt: null, deleted: true, comment: null }];
  const ring = { key, commentId, updatedAt, deleted: false, comment };
  return change === 'created' || updatedAt === null ? [ring] : [ring, { ...ring, updatedAt: null }];
}
