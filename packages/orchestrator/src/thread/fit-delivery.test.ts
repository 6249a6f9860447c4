import { estimateTokens } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { hear, open, setUp } from '../../test/inbox-bed.ts';
import { sharesOf } from '../../test/shares-of.ts';

const shares = sharesOf(16_000);

async function begin() {
  const at = await setUp({}, { shares });
  const ears = at.openRunInbox();
  await open(ears, await at.snapshot());
  return { ...at, ears };
}

describe('a delivery to a running conversation', () => {
  it('shows a comment that is longer than its share shortened, with its length and where to read on', async () => {
    const { ears, say } = await begin();
    const id = say('alice', 'word '.repeat(12_000).trim());
    const text = (await hear(ears)) ?? '';
    const note = /the first (\d+) of 59999 characters\. Read on with `read_comment` \{"id": "(\d+)"/.exec(
      text,
    );
    expect(note?.[2]).toBe(id);
    expect(estimateTokens(text)).toBeLessThanOrEqual(shares.comment.trusted + 100);
    expect(Number(note?.[1])).toBeGreaterThan(3_000);
  });

  it('never exceeds a quarter of the window, and shows the trusted comment whole', async () => {
    const { ears, say } = await begin();
    say('alice', 'Please count quantities.');
    for (let count = 0; count < 40; count += 1) say('bob', `${count} ${'spam '.repeat(13_000)}`);
    const text = (await hear(ears)) ?? '';
    expect(text).toContain('Please count quantities.');
    expect(estimateTokens(text)).toBeLessThanOrEqual(shares.batch);
    expect(text).toContain('[More Comments Detected]:');
    expect(await hear(ears)).toBeNull();
  });

  it('is recorded whole as observed, and marks what it only lists', async () => {
    const { ears, say, journal } = await begin();
    const ids = Array.from({ length: 40 }, () => say('bob', 'spam '.repeat(13_000)));
    await hear(ears);
    const delivered: { id: string; shown?: string | undefined }[] = [];
    let observed = '';
    for await (const entry of journal.read()) {
      if (entry.type === 'message' && entry.opens === undefined) delivered.push(...entry.delivers);
      if (entry.type === 'fact' && entry.name === 'observed') observed += JSON.stringify(entry.data);
    }
    expect(delivered.map(({ id }) => id)).toEqual(ids);
    expect(delivered.at(-1)).not.toHaveProperty('shown');
    expect(delivered[0]).toMatchObject({ shown: 'line' });
    expect(observed.split('spam '.repeat(13_000))).toHaveLength(41);
  });
});
