import type { Comment } from '@agent/platforms';
import { estimateTokens } from '@agent/text';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { setUp, uuid } from '../../test/inbox-bed.ts';
import { sharesOf } from '../../test/shares-of.ts';
import { showThread } from './show-thread.ts';

const ownAccount = { id: '999', login: 'agent', kind: 'bot' } as const;

async function show(
  said: readonly (readonly [author: string, body: string])[],
  {
    isInternal = false,
    contextLength = 32_000,
    unanswered = [] as readonly number[],
    maxCommentCount = null as number | null,
  } = {},
) {
  const at = await setUp();
  const ids = said.map(([author, body]) => at.say(author, body));
  const { thread, ...found } = await at.snapshot();
  const toNote = (comment: Comment) =>
    ({ ...comment, visibility: isInternal ? 'internal' : 'public' }) as const;
  const listing = { ...found, comments: found.comments.map(toNote) };
  const shares = sharesOf(contextLength, maxCommentCount);
  const run = {
    uuid,
    facts: { locale: 'en', kind: 'issue', handover: null },
    logger: pino({ level: 'silent' }),
  } as unknown as Parameters<typeof showThread>[0];
  const shown = await showThread(run, {
    snapshot: { thread, listing },
    conversation: {},
    shares,
    unanswered: new Set(unanswered.map((index) => ids[index] ?? '')),
    guard: at.openRunInbox().guard,
    ownAccount,
  });
  return { ...shown, ids, shares };
}

const filler = 'We talked about the total at length. '.repeat(8);

describe('the first message of a run', () => {
  it.each([8_000, 32_000, 128_000])(
    'stays within the budget of a window of %d tokens',
    async (contextLength) => {
      const said = Array.from(
        { length: 200 },
        (_, index) => ['alice', `Note ${index + 1}. ${filler}`] as const,
      );
      const { text, shown, shares, ids } = await show(said, { contextLength });
      // Headings around the thread, and what is to be done.
      expect(estimateTokens(text)).toBeLessThanOrEqual(shares.thread + 250);
      expect(shown.map(({ id }) => id)).toEqual(['thread', ...ids.slice(ids.length - shown.length + 1)]);
      expect(text).toContain('The latest request is comment 200, by @alice.');
      expect(text).toMatch(/And \d+ older comments: numbers 1 to \d+\. `read_comment` takes a range/);
      expect(text).toMatch(
        /> 150\. \(id \d+\) @alice, .*: Note 150\.|### Comment 150 of 200|numbers 1 to 1[5-9]\d/,
      );
    },
  );

  it('shows a short thread whole, without a list', async () => {
    const { text, shown } = await show([
      ['alice', 'First.'],
      ['bob', 'Second.'],
    ]);
    expect(shown.map(({ isWhole }) => isWhole)).toEqual([true, true, true]);
    expect(text).toContain('2 comments, oldest first.');
    expect(text).not.toContain('read_comment');
  });

  it('keeps the request of a trusted user whole beside long comments of an untrusted one', async () => {
    const spam = Array.from(
      { length: 10 },
      (_, index) => ['bob', `${index} ${'spam '.repeat(13_000)}`] as const,
    );
    const request = `Please count quantities. ${filler}`;
    const { text, shares } = await show([['alice', request], ...spam], { contextLength: 16_000 });
    expect(text).toContain(request.trim());
    expect(text).toContain('The latest request is comment 1, by @alice.');
    expect(estimateTokens(text)).toBeLessThanOrEqual(shares.thread + 250);
  });

  it('shows no more comments whole than the setting allows, and lists the others', async () => {
    const said = Array.from({ length: 5 }, (_, index) => ['alice', `Note ${index + 1}.`] as const);
    const { text, shown } = await show(said, { maxCommentCount: 2 });
    expect(shown).toHaveLength(3);
    expect(text).toMatch(/> 3\. \(id \d+\) @alice, .*: Note 3\./);
  });

  it('shows comments that must be answered however old they are, or names them', async () => {
    const said = Array.from(
      { length: 100 },
      (_, index) => ['alice', `Note ${index + 1}. ${filler}`] as const,
    );
    const unanswered = Array.from({ length: 40 }, (_, index) => index);
    const { text, shown, ids, shares } = await show(said, { contextLength: 8_000, unanswered });
    expect(shown.map(({ id }) => id)).toContain(ids[39]);
    expect(text).toContain(`id ${ids[30]}`);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1.5 * shares.thread + 400);
  });

  it('shows internal notes with their rule only, never by their first line', async () => {
    const said = Array.from(
      { length: 100 },
      (_, index) => ['alice', `Note ${index + 1}. ${filler}`] as const,
    );
    const { text, shown } = await show(said, { contextLength: 8_000, isInternal: true });
    expect(text.match(/Note \d+\./g)).toHaveLength(shown.length - 1);
    expect(text.match(/\[Internal note: /g)).toHaveLength(shown.length - 1);
    expect(text).toMatch(/\(id \d+\) @alice, [^:]+:[^ ]+: \(internal note\)/);
  });
});
