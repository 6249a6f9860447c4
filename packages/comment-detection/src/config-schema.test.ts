import { describe, expect, it } from 'vitest';
import { commentDetectionConfigSchema, toCommentDetectionOptions } from './config-schema.ts';

describe('the section comment_detection', () => {
  it('needs nothing in it [CD-3] [CD-39..CD-43] [B15]', () => {
    expect(commentDetectionConfigSchema.parse({})).toEqual({
      enabled: true,
      bot_username: null,
      check_interval: 1,
      log_level: 'info',
      detect_edits: true,
      ignore_users: [],
      include_review_comments: 'own',
      include_checks: 'own',
    });
  });

  it('refuses unknown keys and values that are of no use', () => {
    for (const section of [
      { enable: true },
      { check_interval: 0 },
      { check_interval: 1.5 },
      { log_level: 'loud' },
    ]) {
      expect(commentDetectionConfigSchema.safeParse(section).success).toBe(false);
    }
  });

  it('becomes the options of the manager [CD-24]', () => {
    const section = commentDetectionConfigSchema.parse({ bot_username: 'agent', check_interval: 5 });
    expect(toCommentDetectionOptions(section)).toMatchObject({
      enabled: true,
      botUsername: 'agent',
      checkInterval: 5,
    });
  });
});
