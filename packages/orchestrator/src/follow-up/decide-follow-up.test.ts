import type { CommentChange } from '@agent/comment-detection';
import type { Check, Comment, CommentSubject } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import { followUpSchema } from '../config/follow-up-settings.ts';
import { nothingDelivered } from '../delivery/push-work.ts';
import { asksForMore, decideFollowUp, listRequesting, type SeenRequest } from './decide-follow-up.ts';

const head = 'a'.repeat(40);
const older = 'b'.repeat(40);

const failed: Check = {
  ...{ id: 'job-1', name: 'test', head, conclusion: 'failure', attempt: 1, required: null, summary: '' },
  ...{ startedAt: '2026-05-01T00:00:00Z', endedAt: '2026-05-01T00:01:00Z', url: null },
};
const passed: Check = { ...failed, id: 'job-2', attempt: 2, conclusion: 'success' };

function say(subject: CommentSubject | null, more: Partial<CommentChange> & { body?: string } = {}) {
  const { body = 'Plus, please.', ...change } = more;
  const comment: Comment = {
    ...{ id: '1', author: { id: '7', login: 'alice', kind: 'person' }, body, url: null, subject },
    ...{ createdAt: '2026-05-01T00:02:00Z', updatedAt: null, visibility: 'public' },
  };
  return {
    ...{ kind: 'added', comment, previousBody: null, revision: '1', authority: 'trusted' },
    ...change,
  } satisfies CommentChange;
}

const sayFailed = (on: string, more: { body?: string; flaky?: boolean } = {}) =>
  say(
    {
      ...{ kind: 'check', name: 'test', conclusion: 'failure', head: on, url: null, attempt: 1 },
      flaky: more.flaky ?? false,
    },
    { authority: 'untrusted', body: more.body ?? 'found -1' },
  );

const record = (more: Partial<SeenRequest['record']> = {}): SeenRequest['record'] => ({
  ...{ number: 2, wish: 0, isWaiting: true, isWoken: false, round: more.rounds?.length ?? 0, rounds: [] },
  ...{ deadline: '2026-05-08T00:00:00Z', delivery: nothingDelivered, comment: '', end: null },
  outcome: 'completed',
  reason: null,
  errorClass: null,
  ...more,
});

const round = { head, conflicts: false, isLeft: false };
const rounds = (count: number, more: Partial<typeof round> = {}) =>
  Array.from({ length: count }, () => ({ ...round, ...more }));

function decide(seen: Partial<SeenRequest>) {
  return decideFollowUp({
    request: { state: 'open', headSha: head },
    ...{ checks: [], said: [], record: record(), reruns: new Set(), wish: null },
    settings: followUpSchema.parse({}),
    now: Date.parse('2026-05-01T01:00:00Z'),
    ...seen,
  });
}

describe('a run that waits for its change request', () => {
  it('begins a round for a word of who may steer and for a check of the present head [NX-220]', () => {
    expect(decide({}).kind).toBe('wait');
    expect(decide({ said: [say(null)] }).kind).toBe('round');
    expect(decide({ said: [sayFailed(head)], checks: [failed] }).kind).toBe('round');
    const review = { kind: 'review', state: 'changes-requested', commit: head } as const;
    expect(decide({ said: [say(review)] }).kind).toBe('round');
    const settings = followUpSchema.parse({ reviews: false, checks: false });
    expect(decide({ settings, said: [say(review), sayFailed(head)], checks: [failed] }).kind).toBe('wait');
  });

  it('does nothing about strangers, commands, approvals, what is gone, and checks of older heads [NX-221]', () => {
    const approved = { kind: 'review', state: 'approved', commit: head } as const;
    const said = [
      say(null, { authority: 'untrusted' }),
      say(null, { authority: 'unknown' }),
      say(null, { body: '/watch' }),
      say(null, { kind: 'deleted' }),
      say(approved),
      sayFailed(older),
    ];
    for (const one of said) expect(decide({ said: [one], checks: [failed] })).toEqual({ kind: 'wait' });
    expect(decide({ said: [sayFailed(head)], checks: [failed, { ...passed, conclusion: null }] }).kind).toBe(
      'wait',
    );
  });

  it('ends when it is green, merged, closed, over, asked to, or out of rounds [NX-221]', () => {
    const endOf = (seen: Partial<SeenRequest>) => {
      const step = decide(seen);
      return step.kind === 'end' ? step.end : step.kind;
    };
    expect(endOf({ checks: [failed, passed] })).toBe('green');
    expect(endOf({ checks: [failed, passed], said: [say(null)] })).toBe('round');
    const required = { ...failed, id: 'job-3', name: 'lint', required: true };
    expect(endOf({ checks: [passed, required] })).toBe('wait');
    expect(endOf({ checks: [passed], settings: followUpSchema.parse({ until: 'merged' }) })).toBe('wait');
    expect(endOf({ request: { state: 'merged', headSha: head } })).toBe('merged');
    expect(endOf({ request: { state: 'closed', headSha: head } })).toBe('closed');
    expect(endOf({ request: { state: 'open', headSha: head, mergeQueued: true } })).toBe('queued');
    expect(endOf({ now: Date.parse('2026-05-08T00:00:00Z') })).toBe('deadline');
    expect(endOf({ wish: 'unwatch' })).toBe('asked');
    expect(endOf({ said: [say(null)], record: record({ rounds: rounds(10, { head: older }) }) })).toBe(
      'rounds',
    );
    expect(endOf({ said: [say(null)], record: record({ rounds: rounds(3) }) })).toBe('rounds');
    expect(endOf({ said: [say(null)], record: record({ rounds: rounds(3, { head: older }) }) })).toBe(
      'round',
    );
    // The round that is due is not over: it is decided on again by whoever begins it.
    const due = record({ isWaiting: false, round: 3, rounds: rounds(3) });
    expect(endOf({ said: [say(null)], record: due })).toBe('round');
  });

  it('begins a round for a conflict with the base, once for each head, and ends where that was left [NX-231]', () => {
    const request = { state: 'open', headSha: head, conflicts: true } as const;
    expect(decide({ request }).kind).toBe('round');
    expect(decide({ request, checks: [passed] }).kind).toBe('round');
    const told = (more: object) => record({ rounds: rounds(1, { conflicts: true, ...more }) });
    // The platform still shows the head before what the round has pushed.
    expect(decide({ request, record: told({}), checks: [passed] })).toEqual({ kind: 'wait' });
    expect(decide({ request, record: told({ head: older }) }).kind).toBe('round');
    expect(decide({ request, record: told({ isLeft: true }) })).toEqual({ kind: 'end', end: 'conflict' });
    const used = record({ rounds: rounds(10, { head: older }) });
    expect(decide({ request, record: used })).toEqual({ kind: 'end', end: 'rounds' });
  });

  it('does not call green what may still conflict with its base [NX-231]', () => {
    const at = (conflicts: boolean | null | undefined) =>
      ({ state: 'open', headSha: head, conflicts }) as const;
    expect(decide({ request: at(null), checks: [passed] })).toEqual({ kind: 'wait' });
    for (const said of [false, undefined])
      expect(decide({ request: at(said), checks: [passed] })).toEqual({ kind: 'end', end: 'green' });
  });

  it('has a flaky check run again, once for each head, and no other one [NX-222]', () => {
    const at = { checks: [failed] };
    const again = { kind: 'rerun', check: failed };
    expect(decide({ ...at, said: [sayFailed(head, { flaky: true })] })).toEqual(again);
    expect(decide({ ...at, said: [sayFailed(head, { body: 'Error: read ECONNRESET' })] })).toEqual(again);
    expect(decide({ ...at, said: [sayFailed(head, { body: 'test_flaky_sum: found -1' })] }).kind).toBe(
      'round',
    );
    const done = new Set([`${head} test`]);
    expect(decide({ ...at, reruns: done, said: [sayFailed(head, { flaky: true })] }).kind).toBe('round');
    const before = new Set([`${older} test`]);
    expect(decide({ ...at, reruns: before, said: [sayFailed(head, { flaky: true })] })).toEqual(again);
  });
});

const asks = (body: string, onComment: 'always' | 'mention' | 'never' = 'always') =>
  asksForMore({ body }, { onComment, login: 'robot' });

describe('a comment after the end of a run', () => {
  it.each([
    'Please round to cents.',
    'Thanks! Please round to cents as well.',
    '> The total is right now.\n\nNot for refunds.',
    '@robot what about refunds?',
    'What does @alice need?',
    'セントに丸めてください。',
    'LGTM?',
    'Thanks 🎉, and what about refunds',
    'Thanks, but @alice disagrees',
  ])('asks for more: %j [NX-220]', (body) => {
    expect(asks(body)).toBe(true);
    expect(asks(body, 'never')).toBe(false);
  });

  it.each([
    'Thanks! 🎉',
    'LGTM 👍',
    'LGTM :+1:',
    'thanks, @robot!',
    ...['Thanks!', 'thank you.', 'LGTM', 'ありがとうございます！', '了解です', '👍', '🎉🎉', '!!', ''],
    ...['> quoted\n> all of it', '/retry', 'Well.\n/stop', '@alice please review this', '@alice'],
  ])('asks for nothing: %j [NX-220]', (body) => {
    expect(asks(body)).toBe(false);
  });

  it('asks only by a mention where that is set [NX-220]', () => {
    expect(asks('Please round.', 'mention')).toBe(false);
    expect(asks('Please round, @robot.', 'mention')).toBe(true);
    expect(asks('`@robot` is its name.', 'mention')).toBe(false);
  });
});

describe('an open request for changes', () => {
  const review = (login: string, state: 'approved' | 'changes-requested' | 'commented' | 'dismissed') => ({
    author: { id: login, login, kind: 'person' as const },
    subject: { kind: 'review' as const, state, commit: null },
  });
  const names = (...reviews: ReturnType<typeof review>[]) =>
    listRequesting(reviews).map(({ login }) => login);

  it('is the last verdict of a reviewer, whatever was said without one [NX-221]', () => {
    const wanted = review('alice', 'changes-requested');
    expect(names(wanted, review('alice', 'commented'), review('bob', 'approved'))).toEqual(['alice']);
    expect(names(wanted, review('alice', 'approved'))).toEqual([]);
    expect(names(review('alice', 'dismissed'))).toEqual([]);
    expect(names(review('alice', 'approved'), wanted)).toEqual(['alice']);
  });
});
