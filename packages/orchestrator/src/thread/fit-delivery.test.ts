import type { FittedChange } from '@agent/comment-detection';
import { estimateTokens } from '@agent/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hear, open, setUp } from '../../test/inbox-bed.ts';
import { sharesOf } from '../../test/shares-of.ts';
import { createFitDelivery } from './fit-delivery.ts';

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
    expect(delivered.at(-1)).toMatchObject({ shown: 'part' });
    expect(delivered[0]).toMatchObject({ shown: 'line' });
    expect(observed.split('spam '.repeat(13_000))).toHaveLength(41);
  });
});

const change = (id: number, body: string, login: string): FittedChange => ({
  change: {
    kind: 'added',
    comment: {
      ...{ id: String(id), body, createdAt: '2026-01-01T00:00:00Z', updatedAt: null },
      author: { id: login, login },
    },
    previousBody: null,
    revision: String(id),
  },
  authority: login === 'alice' ? 'trusted' : 'untrusted',
  text: body,
  bodyAt: 0,
});

describe('createFitDelivery', () => {
  it('stays within its share for any window, and names every comment', async () => {
    const { guard } = (await setUp()).openRunInbox();
    const said = fc.array(
      fc.record({
        chars: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 200_000 })),
        login: fc.constantFrom('alice', 'bob'),
      }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(said, fc.integer({ min: 8_000, max: 1_000_000 }), (comments, contextLength) => {
        const sizes = sharesOf(contextLength);
        const changes = comments.map(({ chars, login }, index) =>
          change(index + 1, 'some words of 1 comment '.repeat(chars / 24 + 1).slice(0, chars), login),
        );
        const { shown, rest } = createFitDelivery({ shares: sizes, guard, picturesOf: () => '' })(changes);
        const listed = new Set([...rest.matchAll(/\(id (\d+)\)/g)].map(([, id]) => id));
        const counted = Number(/Not listed: (\d+),/.exec(rest)?.[1] ?? 0);
        expect(shown.size + listed.size + counted).toBe(changes.length);
        const texts = [...shown.values()].map(({ text, note }) => `${text}\n${note}`);
        expect(estimateTokens([...texts, rest].join('\n'))).toBeLessThanOrEqual(sizes.batch);
        const newest = changes.findLast(({ authority }) => authority === 'trusted');
        const part = shown.get(newest?.change.comment.id ?? '');
        if (newest !== undefined) expect(part?.text === newest.text || part?.note !== '').toBe(true);
        if (newest !== undefined) expect(part).toBeDefined();
      }),
      { numRuns: 60 },
    );
  });
});
