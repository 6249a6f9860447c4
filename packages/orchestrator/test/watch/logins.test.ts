import { createMemoryStorage } from '@agent/run-store/testing';
import { expect, it } from 'vitest';
import { createAuditLog, createLoginTokens, createStatusTokens } from '../../src/watch/index.ts';

const day = 86_400_000;

it('lets whoever has a token in until it is over, is made anew or is taken back, and keeps no token [NX-340]', async () => {
  let now = Date.UTC(2026, 10, 1);
  const { notes } = createMemoryStorage();
  const tokens = createLoginTokens(notes, { now: () => now });
  const first = await tokens.create('alice', { days: 2 });
  const other = await tokens.create('bob', { days: 1 });
  expect([await tokens.findHolder(first), await tokens.findHolder(other)]).toEqual(['alice', 'bob']);
  expect(await tokens.findHolder('guessed')).toBeNull();
  expect(JSON.stringify(await notes.read('page/tokens'))).not.toContain(first);
  const second = await tokens.create('alice', { days: 2 });
  expect(await tokens.findHolder(first)).toBeNull();
  now += day;
  expect([await tokens.findHolder(second), await tokens.findHolder(other)]).toEqual(['alice', null]);
  expect(await tokens.revoke('alice')).toBe(true);
  expect(await tokens.revoke('alice')).toBe(false);
  expect(await tokens.findHolder(second)).toBeNull();
});

it('creates a token that reads the state of a daemon for a minute, and is no login', async () => {
  let now = Date.UTC(2026, 10, 1);
  const { notes } = createMemoryStorage();
  const tokens = createStatusTokens(notes, { now: () => now });
  const [first, second] = [await tokens.create(), await tokens.create()];
  expect([await tokens.findHolder(first), await tokens.findHolder(second)]).not.toContain(null);
  expect(await createLoginTokens(notes, { now: () => now }).findHolder(first)).toBeNull();
  now += 60_000;
  expect(await tokens.findHolder(first)).toBeNull();
  await tokens.create();
  expect(await notes.read('http/status-tokens')).toHaveLength(1);
});

it('keeps what people did, the latest first, over months, and logs it [NX-341]', async () => {
  const logged: unknown[] = [];
  let now = Date.UTC(2026, 10, 30, 23, 59);
  const { notes } = createMemoryStorage();
  const audit = createAuditLog(notes, {
    logger: { info: (fields) => void logged.push(fields) },
    now: () => now,
  });
  const about = { actor: 'alice', via: 'cli', target: 'acme/shop#1', reason: null } as const;
  const pause = { ...about, id: '1', at: now, action: 'pause', run: 'run-1' } as const;
  await audit.write({ ...pause, outcome: 'started' });
  await audit.write({ ...pause, outcome: 'accepted' });
  now += 120_000;
  await audit.write({ ...about, id: '2', at: now, action: 'resume', run: 'run-2', outcome: 'accepted' });
  const listed = await audit.list({ limit: 10 });
  expect(listed.map(({ action }) => action)).toEqual(['resume', 'pause']);
  expect((await audit.list({ limit: 1 })).map(({ action }) => action)).toEqual(['resume']);
  expect((await audit.list({ limit: 10, run: 'run-1' })).map(({ outcome }) => outcome)).toEqual(['accepted']);
  expect(await audit.list({ limit: 10, run: 'run-1', since: now })).toEqual([]);
  expect(logged).toHaveLength(2);
});
