import { parseJson } from '@agent/text/json';
import * as z from 'zod';
import type { Comment } from '../model.ts';
import type { Ring } from '../sources/doorbell.ts';

/** Reads one header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** A request as it came: its body is bytes, because a signature is made over bytes. */
export interface WebhookDelivery {
  readonly header: ReadHeader;
  readonly body: Buffer;
}

/** A platform that delivers webhooks: how it proves itself, and what it says. */
export interface WebhookOrigin {
  readonly name: 'github' | 'gitlab';
  /** Largest body that is read. */
  readonly maxBodyBytes: number;
  /** Reason not to read a body, from the headers alone; null where there is none. */
  readonly refusal: (header: ReadHeader) => string | null;
  /** The body as text where the platform itself sent it; null where anybody may have. */
  readonly open: (delivery: WebhookDelivery) => Promise<string | null>;
  /** The event's name and the id of this delivery; null for what the headers do not say. */
  readonly describe: (header: ReadHeader) => { readonly event: string | null; readonly id: string | null };
  readonly parse: (event: string, payload: unknown) => WebhookEvent;
}

/** A delivery's news, as far as it concerns us. */
export type WebhookEvent =
  /** The platform tries whether we are there. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'ignored'; readonly reason: string }
  /** It does not have the form of its event. */
  | { readonly kind: 'malformed'; readonly reason: string }
  | Happening;

/** Something happened on a thread. */
export interface Happening {
  readonly kind: 'happening';
  /** `owner/repo`, `group/project`. */
  readonly repository: string;
  readonly rings: readonly Ring[];
  /** Labels that may have made the thread a task just now. */
  readonly labels: readonly string[];
  /** True where somebody may have been assigned just now. */
  readonly isAssigned: boolean;
  /** Texts that were written just now, of a comment or of the thread itself, in which somebody may be mentioned. */
  readonly texts: readonly string[];
}

/** More than any platform nests, in levels. */
const maxDepth = 100;

/** More objects and lists than a delivery of the largest push has. */
const maxContainers = 500_000;

/** The payload of a delivery; undefined for what is no JSON, or takes many times its length in memory to read. */
export function parsePayload(text: string): unknown {
  return isWithinBounds(text) ? parseJson(text) : undefined;
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

/** Ring for a thread itself, its reviews or its checks: they are read again. */
export function toThreadRing(key: Ring['key']): Ring {
  return { key, commentId: null, updatedAt: null, deleted: false, comment: null };
}

/** News of one comment, out of a delivery. */
interface CommentNews extends Pick<Ring, 'key' | 'updatedAt'> {
  readonly commentId: string;
  readonly change: 'created' | 'edited' | 'deleted';
  /** The comment as the delivery shows it, where the delivery is signed; null where it is only known by a token. */
  readonly comment: Comment | null;
}

/**
 * Rings for one comment. An edit rings twice: by its time, so that polls go on until a listing is as new, and without a
 * time, so that one poll is made at any rate. Deliveries have whole seconds: the comment as it was before may be of
 * the very second of its edit, and would be taken for the edited one.
 */
export function toCommentRings({ key, commentId, updatedAt, change, comment }: CommentNews): readonly Ring[] {
  if (change === 'deleted') return [{ key, commentId, updatedAt: null, deleted: true, comment: null }];
  const ring = { key, commentId, updatedAt, deleted: false, comment };
  return change === 'created' || updatedAt === null ? [ring] : [ring, { ...ring, updatedAt: null }];
}
