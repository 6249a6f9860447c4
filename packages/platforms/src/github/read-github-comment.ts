import * as z from 'zod';
import type { Comment } from '../model.ts';
import { toComment } from './convert.ts';
import { commentSchema } from './github-schemas.ts';

const payloadSchema = z.object({ comment: commentSchema });

/**
 * The comment that the payload of an `issue_comment` event is about, whose fields are those of the REST API; null where
 * there is none. Whether the payload is GitHub's must be known before.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment
 */
export function readGitHubComment(payload: unknown): Comment | null {
  const { success, data } = payloadSchema.safeParse(payload);
  return success ? toComment(data.comment) : null;
}
