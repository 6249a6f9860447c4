import type { Comment } from '@agent/comment-detection';
import { z } from 'zod';
import type { KnownComment } from './known-comments.ts';

const authorSchema = z.object({
  id: z.string(),
  login: z.string(),
  kind: z.enum(['person', 'bot']).optional(),
});

/** As it is kept on disk. */
export const knownCommentSchema = z
  .object({
    id: z.string(),
    author: authorSchema.nullable(),
    created_at: z.string(),
    updated_at: z.string().nullable(),
    hash: z.string().nullable(),
  })
  .transform(({ id, author, created_at: createdAt, updated_at: updatedAt, hash }): KnownComment => {
    return { comment: { id, author: author as Comment['author'], createdAt, updatedAt }, hash };
  });

/** The inverse of what the schema reads. */
export function toKnownCommentJson({ comment, hash }: KnownComment): z.input<typeof knownCommentSchema> {
  const { id, author, createdAt, updatedAt } = comment;
  return {
    id,
    author: author && { id: author.id, login: author.login, ...(author.kind && { kind: author.kind }) },
    created_at: createdAt,
    updated_at: updatedAt,
    hash,
  };
}
