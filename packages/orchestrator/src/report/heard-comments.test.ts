import { describe, expect, it } from 'vitest';
import { noComments } from '../inbox/delivered-comments.ts';
import { addLateComments, formatHeardComments } from './compose-final-comment.ts';

const nothingElse = { url: null, command: null };
const comments = [
  {
    id: '1',
    kind: 'added',
    author: 'alice',
    createdAt: '2026-03-01T10:00:00Z',
    delivered: true,
    ...nothingElse,
  },
  { id: '2', kind: 'deleted', author: null, createdAt: '', delivered: false, ...nothingElse },
] as const;

describe('formatHeardComments', () => {
  it('says of every comment whether the agent was told [NX-8, B10]', () => {
    expect(formatHeardComments({ ...noComments, comments }, 'ja')).toMatchInlineSnapshot(`
      "### 💬 実行中のコメント

      - \`@alice\`, 2026-03-01 10:00:00 UTC: コメント、エージェントに送信しました
      - 削除されたアカウント: 削除、エージェントに送信していません"
    `);
    const check = { ...comments[0], id: 'check-1234567-test', author: null };
    expect(formatHeardComments({ ...noComments, comments: [check] }, 'en')).toMatch(
      /- Check, 2026-[-\d: ]+UTC: result, delivered to the agent/,
    );
    const text = { ...comments[0], kind: 'edited', part: 'thread' } as const;
    expect(formatHeardComments({ ...noComments, comments: [text] }, 'en')).toContain(
      '- `@alice`: edit of the title or description, ',
    );
    const listed = { ...comments[0], isListed: true };
    expect(formatHeardComments({ ...noComments, comments: [listed] }, 'en')).toMatch(
      /new comment, listed for the agent, text on request$/,
    );
    const many = Array.from({ length: 23 }, () => comments[0]);
    expect(formatHeardComments({ ...noComments, comments: many }, 'en')).toMatch(/\n- and 3 more$/);
  });

  it('begins a long list with every comment that the agent was not sent, and shows all of these [NX-8, B10]', () => {
    const delivered = Array.from({ length: 40 }, () => comments[0]);
    const missed = Array.from({ length: 30 }, () => ({ ...comments[0], isListed: true }));
    const lines = formatHeardComments({ ...noComments, comments: [...delivered, ...missed] }, 'en').split(
      '\n',
    );
    expect(lines.filter((line) => line.endsWith('text on request'))).toHaveLength(30);
    expect(lines.at(-1)).toBe('- and 40 more');
  });

  it('says what became of commands, and links to comments that stand somewhere [NX-8, RL-2]', () => {
    const url = 'https://example.org/issues/7#note_1';
    const said = { ...comments[0], url };
    const heard = [
      { ...said, command: { name: 'stop', outcome: 'obeyed' } },
      { ...said, command: { name: 'pause', outcome: 'refused' }, delivered: false },
      { ...said, command: { name: 'reject', outcome: 'unknown' }, url: 'javascript:alert(1)' },
    ] as const;
    expect(formatHeardComments({ ...noComments, comments: heard }, 'en')).toMatchInlineSnapshot(`
      "### 💬 Comments during the run

      - \`@alice\`, [2026-03-01 10:00:00 UTC](https://example.org/issues/7#note_1): new comment; \`/stop\` was applied
      - \`@alice\`, [2026-03-01 10:00:00 UTC](https://example.org/issues/7#note_1): new comment, not delivered; \`/pause\` was ignored because the author has no write access
      - \`@alice\`, 2026-03-01 10:00:00 UTC: new comment, delivered to the agent; \`/reject\` was ignored because there is no such assumption"
    `);
    const [obeyed] = heard;
    expect(formatHeardComments({ ...noComments, comments: [obeyed] }, 'ja')).toMatch(
      /コメント。`\/stop`: 実行しました$/,
    );
    const approved = { ...said, command: { name: 'approve', outcome: 'unknown' } } as const;
    expect(formatHeardComments({ ...noComments, comments: [approved] }, 'en')).toContain(
      '`/approve` was ignored because nothing is waiting for approval',
    );
    const watched = { ...said, command: { name: 'watch', outcome: 'unknown' } } as const;
    expect(formatHeardComments({ ...noComments, comments: [watched] }, 'en')).toContain(
      '`/watch` was ignored because the time is invalid or there is nothing to watch',
    );
  });

  it('says up to when the thread was read where its end could not be [NX-8, B21]', () => {
    const readUntil = '2026-03-01T10:00:00.000Z';
    expect(formatHeardComments({ ...noComments, readUntil }, 'en')).toMatchInlineSnapshot(`
      "### 💬 Comments during the run

      Comments could only be read until 2026-03-01T10:00:00.000Z. Later comments may not have been delivered to the agent."
    `);
    expect(formatHeardComments({ ...noComments, comments, readUntil }, 'ja')).toMatch(
      /送信していません\n\nコメントは 2026-03-01T10:00:00\.000Z まで/,
    );
  });

  it('says nothing of a run during which nothing was said', () => {
    expect(formatHeardComments(noComments, 'ja')).toBe('');
  });
});

describe('addLateComments', () => {
  const untold = { ...comments[0], delivered: false };
  const report = `Failed.\n\n${formatHeardComments({ ...noComments, comments: [comments[0], untold] }, 'en')}`;

  it('changes the line of a comment that the report names as not told, and adds no second one [NX-160]', () => {
    expect(addLateComments(report, [{ ...untold, kept: true }], 'en')).toMatchInlineSnapshot(`
      "Failed.

      ### 💬 Comments during the run

      - \`@alice\`, 2026-03-01 10:00:00 UTC: new comment, delivered to the agent
      - \`@alice\`, 2026-03-01 10:00:00 UTC: new comment, too late for this run, will be delivered to the next run"
    `);
    expect(addLateComments(report, [untold], 'en')).toBeNull();
  });

  it('changes the line of one that was told, where its author turned out to steer after the end [NX-160]', () => {
    const [told] = comments;
    const reported = `Done.\n\n${formatHeardComments({ ...noComments, comments: [told] }, 'en')}`;
    expect(addLateComments(reported, [{ ...told, kept: true }], 'en')).toMatchInlineSnapshot(`
      "Done.

      ### 💬 Comments during the run

      - \`@alice\`, 2026-03-01 10:00:00 UTC: new comment, too late for this run, will be delivered to the next run"
    `);
    expect(addLateComments(reported, [told], 'en')).toBeNull();
  });

  it('takes one line for one comment: another of the same author and second has its own [NX-160]', () => {
    const both = [untold, { ...untold, id: '3', kept: true }];
    expect(addLateComments(report, both, 'en')).toMatchInlineSnapshot(`
      "Failed.

      ### 💬 Comments during the run

      - \`@alice\`, 2026-03-01 10:00:00 UTC: new comment, delivered to the agent
      - \`@alice\`, 2026-03-01 10:00:00 UTC: new comment, not delivered

      - \`@alice\`, 2026-03-01 10:00:00 UTC: new comment, too late for this run, will be delivered to the next run"
    `);
  });

  it('knows a command by what became of it: one that was obeyed is not told as unheard [NX-160]', () => {
    const stop = { ...untold, command: { name: 'stop', outcome: 'obeyed' } } as const;
    const stopped = formatHeardComments({ ...noComments, comments: [stop] }, 'en');
    expect(addLateComments(stopped, [stop], 'en')).toBeNull();
  });
});
