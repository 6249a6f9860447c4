import { PlatformError } from '@agent/platforms';
import { WorkspaceError } from '@agent/workspace';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openMemoryOutbox } from '../../test/memory-outbox.ts';
import { isRefused, isTransient, OpenIntentError } from './call-with-retry.ts';
import { createDoIntent, GivenUpError } from './do-intent.ts';

const dayMs = 86_400_000;
const intent = { id: 'push:1f3a', kind: 'push', data: { branch: 'agent/1', unfinished: false } };

function setUp() {
  const clock = { ms: 0 };
  const asked: 'settle'[] = [];
  const outbox = openMemoryOutbox({ now: () => clock.ms });
  const run = { uuid: 'u', outbox, logger: pino({ level: 'silent' }) };
  const doIntent = createDoIntent({
    controls: { read: async () => asked, remove: async () => void asked.splice(0) },
    now: () => clock.ms,
  });
  return {
    clock,
    asked,
    attempt: (perform: () => Promise<string>) =>
      doIntent(run, { intent, perform }).catch((error: unknown) => error),
    states: async () => (await outbox.list()).map((entry) => ('by' in entry ? entry.by : entry.state)),
  };
}

const fail = (error: Error) => () => Promise.reject(error);
const forbidden = new WorkspaceError('The server refused it with 403.', { code: 'forbidden' });

it('an intent of a run at work has an entry before it is tried, and is done with what it made [NX-110]', async () => {
  const { attempt, states } = setUp();
  const seen: unknown[] = [];
  const made = await attempt(async () => {
    seen.push(await states());
    return 'abc';
  });
  expect([made, seen, await states()]).toEqual(['abc', [['open']], ['done']]);
});

it.each([
  ['401 of the platform', new PlatformError('401', { code: 'unauthorized' })],
  ['404 or 410 of the platform', new PlatformError('410', { code: 'not-found' })],
  ['422 of the platform', new PlatformError('422', { code: 'invalid' })],
  ['403 of git', forbidden],
])('what is refused stays open and can be done later: %s [NX-110]', async (_, error) => {
  const { attempt, states } = setUp();
  const thrown = await attempt(fail(error));
  expect(isRefused(thrown) || isTransient(thrown)).toBe(true);
  expect((thrown as Error).message).toBe(error.message);
  expect(await states()).toEqual(['open']);
  expect(await attempt(async () => 'abc')).toBe('abc');
  expect(await states()).toEqual(['done']);
});

it('what cannot be asked now stays open, and is no refusal [NX-110]', async () => {
  const { attempt, states } = setUp();
  const error = new PlatformError('down', { code: 'unavailable' });
  expect(await attempt(fail(error))).toBe(error);
  expect(await states()).toEqual(['open']);
});

it('what fails for another reason is left to whoever wanted it, and may be tried again [NX-110]', async () => {
  const { attempt, states } = setUp();
  const error = new WorkspaceError('conflict', { code: 'push-rejected' });
  expect(await attempt(fail(error))).toBe(error);
  expect(await attempt(async () => 'abc')).toBe('abc');
  expect(await states()).toEqual(['done']);
});

it('an intent that somebody gives up is not tried, and neither is one that fails after seven days [NX-110]', async () => {
  for (const by of ['an operator', 'the seven-day limit']) {
    const { clock, asked, attempt, states } = setUp();
    expect(await attempt(fail(forbidden))).toBeInstanceOf(OpenIntentError);
    clock.ms = 7 * dayMs;
    if (by === 'an operator') asked.push('settle');
    expect(await attempt(fail(forbidden))).toBeInstanceOf(GivenUpError);
    expect([await states(), asked]).toEqual([[by], []]);
    const tried: string[] = [];
    expect(await attempt(async () => `${tried.push('again')}`)).toBeInstanceOf(GivenUpError);
    expect(tried).toEqual([]);
  }
});
