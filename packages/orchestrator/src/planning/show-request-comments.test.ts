import { estimateTokens } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { sharesOf } from '../../test/shares-of.ts';
import { createShowRequestComments } from './manager.ts';

const shares = sharesOf(8_000);
const show = createShowRequestComments({
  shares,
  wrap: (text, { what, author }) => `<${what} by ${author}>\n${text}\n</>`,
});
const say = (count: number, body: string, isTrusted = true) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: String(index + 1), author: isTrusted ? 'alice' : 'bob', createdAt: `day ${index + 1}` },
    ...{ body: `Note ${index + 1}. ${body}`, isTrusted },
  }));

describe('the comments in a prompt of pre-planning', () => {
  it('are within the budget of the thread, the newest whole, the others listed or counted', () => {
    const parts = show(say(200, 'We talked about the total. '.repeat(10)));
    expect(estimateTokens(parts.join('\n\n'))).toBeLessThanOrEqual(shares.thread);
    expect(parts.at(-1)).toContain('Note 200.');
    expect(parts[0]).toMatch(
      /`read_comment` reads them[\s\S]*\d+ older comments are not listed[\s\S]*\(id \d+\)/,
    );
  });

  it('are all shown if they fit', () => {
    expect(show(say(3, 'Short.'))).toHaveLength(3);
  });

  it('are shortened if they are long, with where to read on', () => {
    const parts = show([...say(1, 'Please.'), ...say(10, 'spam '.repeat(13_000), false)]);
    expect(parts.join('\n')).toContain('Note 1. Please.');
    expect(parts.at(-1)).toMatch(
      /of \d+ characters\. Read on with `read_comment` \{"id": "10", "offset": \d+\}/,
    );
  });
});
