import { describe, expect, it } from 'vitest';
import { createMemoryPlatform } from '../memory/create-memory-platform.ts';
import { PlatformError } from '../platform-error.ts';
import type { Platform } from '../ports.ts';
import { createMemoryFixture } from '../testing/contract-fixture.ts';
import { platformContract } from '../testing/platform-contract.ts';
import type { GuardOptions } from './guarded-call.ts';
import { toPlatform } from './to-platform.ts';
import { withTimeLimit } from './with-time-limit.ts';

const limits = { name: 'notes', timeoutMs: 5_000 };

platformContract({
  name: 'the platform in memory behind time limits',
  create: async () => {
    const fixture = await createMemoryFixture();
    return { ...fixture, platform: withTimeLimit(fixture.platform, limits) };
  },
});

const query = { label: null, assignee: null, state: 'open' } as const;

function platformThat(listTasks: () => Promise<unknown>, guard: Partial<GuardOptions> = {}): Platform {
  const tasks = { listTasks } as Platform['tasks'];
  return withTimeLimit({ ...createMemoryPlatform(), tasks }, { ...limits, ...guard });
}

describe('a call of an adapter', () => {
  it('that hangs is ended after the time limit, with the name of the adapter [NX-9]', async () => {
    const calling = platformThat(() => new Promise(() => {}), {
      sleep: async () => undefined,
    }).tasks.listTasks(query);
    await expect(calling).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('platforms.notes did not answer tasks.listTasks within 5 s'),
    });
  });

  it('finds accounts for `trust` where the adapter can, and checks what it says [NX-9, NX-24]', async () => {
    const findAccount = async (login: string) =>
      login === 'carol' ? ({ id: '7', login, kind: 'person' } as const) : null;
    const open = (accounts: Platform['accounts']) =>
      withTimeLimit(toPlatform({ ...createMemoryPlatform(), accounts }, limits), limits).accounts;
    expect(await open({ findAccount })?.findAccount('carol')).toMatchObject({ id: '7' });
    expect(await open({ findAccount })?.findAccount('nobody')).toBeNull();
    await expect(open({ findAccount: async () => 7 as never })?.findAccount('x')).rejects.toThrow(
      'findAccount',
    );
    expect(open(undefined)).toBeUndefined();
  });

  it('that is aborted ends at once with the reason, although the adapter hangs', async () => {
    const reason = new Error('the end');
    const controller = new AbortController();
    const platform = platformThat(() => new Promise(() => {}));
    const calling = platform.tasks.listTasks({ ...query, signal: controller.signal });
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
  });

  it.each([
    ['an error without a code', new TypeError('x is undefined'), 'unavailable'],
    ['an error of the system', Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'unavailable'],
    ['an error with one of our codes', Object.assign(new Error('gone'), { code: 'not-found' }), 'not-found'],
    ['something that is no error', 'broken', 'unavailable'],
  ])('that fails with %s tells which adapter it was [NX-9]', async (_, error, code) => {
    const calling = platformThat(() => Promise.reject(error)).tasks.listTasks(query);
    const failure = await calling.catch((one: unknown) => one);
    expect(PlatformError.isInstance(failure)).toBe(true);
    expect(failure).toMatchObject({
      code,
      cause: error,
      message: expect.stringMatching(/^The adapter of platforms\.notes failed in tasks\.listTasks: /),
    });
  });

  it('that fails with our own error keeps it', async () => {
    const error = new PlatformError('slow down', { code: 'rate-limited', retryAfterMs: 7 });
    await expect(platformThat(() => Promise.reject(error)).tasks.listTasks(query)).rejects.toBe(error);
  });

  it('gives what a place failed with the class that its readers know [NX-26]', async () => {
    const failures = [{ place: 'inbox', error: Object.assign(new Error('gone'), { code: 'not-found' }) }];
    const platform = platformThat(async () => ({ tasks: [], failures }));
    const listing = await platform.tasks.listTasks(query);
    expect(listing.failures).toEqual([
      { place: 'inbox', error: expect.objectContaining({ code: 'not-found', scope: 'place' }) },
    ]);
    expect(PlatformError.isInstance(listing.failures[0]?.error)).toBe(true);
  });

  it.each([
    ['nothing', undefined, /expected object/],
    ['only the tasks', [], /expected object/],
    [
      'a task without a key',
      { tasks: [{ title: 'x' }], failures: [] },
      /must be a task key.*\n?.*at tasks\[0\]\.key/s,
    ],
  ])('that answers %s is said to, with where it is wrong [NX-9]', async (_, answer, message) => {
    await expect(platformThat(async () => answer).tasks.listTasks(query)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    });
  });
});
