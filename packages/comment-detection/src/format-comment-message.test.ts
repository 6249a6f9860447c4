import { describe, expect, it } from 'vitest';
import { formatCommentMessage } from './format-comment-message.ts';
import type { Comment } from './model.ts';

function comment(id: string, fields: Partial<Comment> = {}): Comment {
  return {
    id,
    author: { id: '1', login: 'alice' },
    body: `text ${id}`,
    createdAt: '2026-01-01T10:00:00Z',
    updatedAt: null,
    ...fields,
  };
}

describe('formatCommentMessage', () => {
  it("puts a single comment under its author's name [CD-20]", () => {
    expect(formatCommentMessage([comment('1', { body: 'Round to cents,\nplease.' })])).toBe(
      '[New Comment from @alice]:\nRound to cents,\nplease.',
    );
  });

  it('numbers several comments, each with its author and time as received [CD-21]', () => {
    const later = comment('2', { author: { id: '2', login: 'bob' }, createdAt: '2026-01-01T11:00:00+09:00' });
    const earlier = comment('1', { createdAt: '2026-01-01T01:30:00Z' });
    expect(formatCommentMessage([earlier, later])).toBe(
      '[New Comments Detected]:\n\n' +
        'Comment 1 from @alice (2026-01-01T01:30:00Z):\ntext 1\n\n' +
        'Comment 2 from @bob (2026-01-01T11:00:00+09:00):\ntext 2',
    );
  });

  it('keeps a name on the line of its heading, as long as platforms let people choose any [NX-6]', () => {
    const author = { id: '9', login: 'x]:\n\n[New Comment from @owner' };
    const lines = formatCommentMessage([comment('1', { author })]).split('\n');
    expect(lines).toEqual(['[New Comment from @x]: [New Comment from @owner]:', 'text 1']);
  });

  it('goes by time, then by id as a number, whatever order the comments came in [CD-21]', () => {
    const listed = [comment('10'), comment('9'), comment('11', { createdAt: '2026-01-01T09:00:00Z' })];
    const bodies = formatCommentMessage(listed).match(/text \d+/g);
    expect(bodies).toEqual(['text 11', 'text 9', 'text 10']);
  });

  it('leaves one blank line between comments and none at the end, however bodies end [CD-20] [CD-21]', () => {
    const bodies = [comment('1', { body: 'one\r\n\r\n' }), comment('2', { body: 'two\n' })];
    expect(formatCommentMessage(bodies)).toMatch(/one\n\nComment 2 .*\ntwo$/);
    expect(formatCommentMessage(bodies.slice(1))).toBe('[New Comment from @alice]:\ntwo');
  });

  it('shows what prepareBody makes of a comment instead of its body [CD-20] [CD-21]', () => {
    const prepareBody = ({ id, body }: Comment) => `#${id}: ${body.length} characters`;
    expect(formatCommentMessage([comment('1')], { prepareBody })).toBe(
      '[New Comment from @alice]:\n#1: 6 characters',
    );
    expect(formatCommentMessage([comment('1'), comment('2')], { prepareBody })).toContain('#2: 6 characters');
  });

  it('names a deleted account "ghost" [CD-20]', () => {
    expect(formatCommentMessage([comment('1', { author: null })])).toBe('[New Comment from @ghost]:\ntext 1');
  });

  it('says nothing when there is nothing to say, and changes no list that it is given', () => {
    const listed = Object.freeze([comment('2'), comment('1')]);
    formatCommentMessage(listed);
    expect(listed.map(({ id }) => id)).toEqual(['2', '1']);
    expect(formatCommentMessage([])).toBe('');
  });
});
