import * as z from 'zod';
import type { CommentDetectionOptions } from './comment-detection-options.ts';

const ofChangeRequests = z.union([z.literal('own'), z.boolean()]).default('own');

/** The section `comment_detection` of a configuration file; every key has a default. @see seed 001 §4.1 */
export const commentDetectionConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Null: the account that the platform's own section names, or the one that its token belongs to. */
  bot_username: z.string().min(1).nullable().default(null),
  /** A look at every n-th checkpoint. */
  check_interval: z.int().min(1).default(1),
  log_level: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Tells whether edits and deletions are told of. */
  detect_edits: z.boolean().default(true),
  ignore_users: z.array(z.string().min(1)).default([]),
  /** Hears comments on lines and reviews of change requests: `own` of those that the agent opened. */
  include_review_comments: ofChangeRequests,
  /** Hears checks of change requests: `own` of those that the agent opened. */
  include_checks: ofChangeRequests,
});

/** Section of a configuration, as the schema gives it. */
export type CommentDetectionConfig = z.infer<typeof commentDetectionConfigSchema>;

/**
 * The section as options of the manager.
 *
 * @example
 * const section = commentDetectionConfigSchema.parse({ ignore_users: ['ci'] });
 * const manager = new CommentDetectionManager(source, toCommentDetectionOptions(section));
 */
export function toCommentDetectionOptions(config: CommentDetectionConfig): CommentDetectionOptions {
  return {
    enabled: config.enabled,
    botUsername: config.bot_username,
    checkInterval: config.check_interval,
    logLevel: config.log_level,
    detectEdits: config.detect_edits,
    ignoreUsers: config.ignore_users,
  };
}
