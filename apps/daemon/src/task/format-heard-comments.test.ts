import { describe, expect, it } from 'vitest';
import { nothingHeard } from '../comments/hearing-summary.ts';
import { formatHeardComments } from './format-heard-comments.ts';

const comments = [
  { kind: 'added', author: 'alice', createdAt: '2026-03-01T10:00:00Z', delivered: true },
  { kind: 'deleted', author: null, createdAt: '', delivered: false },
] as const;

describe('formatHeardComments', () => {
  it('says of every comment whether the agent was told [NX-8]', () => {
    expect(formatHeardComments({ ...nothingHeard, comments }, 'ja')).toMatchInlineSnapshot(`
      "### 💬 実行中のコメント

      - \`@alice\`, 2026-03-01T10:00:00Z: コメント, エージェントに伝えました
      - 削除されたアカウント: 削除, エージェントには伝わっていません"
    `);
    const many = Array.from({ length: 23 }, () => comments[0]);
    expect(formatHeardComments({ ...nothingHeard, comments: many }, 'en')).toMatch(/\n- and 3 more$/);
  });

  it('says up to when the thread was read where its end could not be [NX-8, B21]', () => {
    const readUntil = '2026-03-01T10:00:00.000Z';
    expect(formatHeardComments({ ...nothingHeard, readUntil }, 'en')).toMatchInlineSnapshot(`
      "### 💬 Comments during the run

      The thread could be read until 2026-03-01T10:00:00.000Z only. The agent may not have been told what was said after that."
    `);
    expect(formatHeardComments({ ...nothingHeard, comments, readUntil }, 'ja')).toMatch(
      /伝わっていません\n\nこのスレッドは 2026-03-01T10:00:00\.000Z まで/,
    );
  });

  it('says nothing of a run during which nothing was said', () => {
    expect(formatHeardComments(nothingHeard, 'ja')).toBe('');
  });
});
