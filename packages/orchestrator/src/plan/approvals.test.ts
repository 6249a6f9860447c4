import { describe, expect, it } from 'vitest';
import { createApprovals, findApprovalPhrase } from './approvals.ts';

const plan = { planHash: 'h1', questionId: 'q1', commentId: '9', shownAt: '2026-03-01T10:00:00Z' };
const alice = { id: '1', login: 'alice', kind: 'person' } as const;
const given = { by: alice, commentId: '10', at: '2026-03-01T10:05:00Z', words: null };

function setUp() {
  const kept = new Map<string, unknown>();
  return () =>
    createApprovals({
      read: async (name) => kept.get(name) ?? null,
      write: async (name, value) => void kept.set(name, JSON.parse(JSON.stringify(value))),
    });
}

describe('the approval of a plan', () => {
  it('is of what was shown, and is read by the next process [NX-123]', async () => {
    const open = setUp();
    expect(await open().read()).toBeNull();
    await open().show(plan);
    expect(await open().record(given)).toBe(true);
    expect(await open().read()).toEqual({ ...plan, given });
    await open().show({ ...plan, shownAt: '2026-03-01T11:00:00Z' });
    expect((await open().read())?.given).toEqual(given);
  });

  it('means nothing before anything was shown, nor where it was written before that [NX-123]', async () => {
    const open = setUp();
    expect(await open().record(given)).toBe(false);
    await open().show(plan);
    expect(await open().record({ ...given, at: '2026-03-01T09:59:59Z' })).toBe(false);
    expect((await open().read())?.given).toBeNull();
  });

  it('within one second is what stands below the plan, and not what stood above it [NX-123]', async () => {
    const open = setUp();
    await open().show(plan);
    expect(await open().record({ ...given, commentId: '8', at: plan.shownAt })).toBe(false);
    expect((await open().read())?.given).toBeNull();
    expect(await open().record({ ...given, at: plan.shownAt })).toBe(true);
  });

  it('is forgotten where it is asked for anew [NX-123]', async () => {
    const open = setUp();
    await open().show(plan);
    await open().record(given);
    await open().show({ ...plan, questionId: 'q2' });
    expect((await open().read())?.given).toBeNull();
  });
});

describe('a phrase that approves', () => {
  const phrases = ['LGTM', 'approved', 'go ahead', '承認', 'OK'];

  it.each([
    ['LGTM', 'LGTM'],
    ['lgtm!', 'LGTM'],
    ['  **Approved.**\n', 'approved'],
    ['Go  ahead', 'go ahead'],
    ['go-ahead…', 'go ahead'],
    ['承認。', '承認'],
    ['「承認」', '承認'],
    ['ＯＫ！', 'OK'],
  ])('is all of the comment %j [NX-123]', (body, phrase) => {
    expect(findApprovalPhrase(body, phrases)).toBe(phrase);
  });

  it.each([
    ...['- [ ] LGTM', '1. LGTM', '* OK'],
    ...['', '.', 'OK?', 'OK？', 'LGTM, but use tabs', 'not ok', '不承認', '承認しない', 'okay'],
    ...[
      '> LGTM',
      '> LGTM\n\nNo.',
      '`LGTM`',
      '```\nLGTM\n```',
      '@OK',
      '/ok',
      'LGTM OK',
      `OK${'.'.repeat(1_000)}`,
    ],
  ])('is not all of the comment %j [NX-123]', (body) => {
    expect(findApprovalPhrase(body, phrases)).toBeNull();
    expect(findApprovalPhrase('OK', [])).toBeNull();
  });
});
