import { describe, expect, it } from 'vitest';
import { createMemoryPlatform } from '../memory/create-memory-platform.ts';
import type { Platform } from '../platform.ts';
import { PlatformError } from '../platform-error.ts';
import { createMemoryFixture } from '../testing/contract-fixture.ts';
import { platformContract } from '../testing/platform-contract.ts';
import type { GuardOptions } from './guarded-call.ts';
import { guardAdapter } from './load-custom-platform.ts';

const limits = { name: 'notes', timeoutMs: 5_000 };

platformContract({
  name: 'the platform in memory as an adapter of somebody else',
  create: async () => {
    const fixture = await createMemoryFixture();
    return { ...fixture, platform: guardAdapter(fixture.platform, limits) };
  },
});

const query = { label: null, assignee: null, state: 'open' } as const;

function platformThat(listTasks: () => Promise<unknown>, guard: Partial<GuardOptions> = {}): Platform {
  const tasks = { listTasks } as Platform['tasks'];
  return guardAdapter({ ...createMemoryPlatform(), tasks }, { ...limits, ...guard });
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
      guardAdapter({ ...createMemoryPlatform(), accounts }, limits).accounts;
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

const failing = Object.assign(new Error('gone'), { code: 'not-found' });

/** Every function of every role of the platform in memory, through the way that an adapter takes. */
function everyCall(sleep?: GuardOptions['sleep']) {
  const memory = createMemoryPlatform();
  const key = memory.people.openIssue({ author: 'alice', title: 'The kettle leaks' });
  const hanging = sleep !== undefined;
  const broken = (port: object | null | undefined) =>
    port &&
    Object.fromEntries(
      Object.keys(port).map((method) => [
        method,
        () => (hanging ? new Promise(() => {}) : Promise.reject(failing)),
      ]),
    );
  const brokenRoles = (roles: object) =>
    Object.fromEntries(
      Object.entries(roles).map(([role, port]) => [role, isPort(port) ? broken(port) : port]),
    );
  const { people, failNext, ...platform } = memory;
  const adapter = {
    ...brokenRoles(platform),
    openThread: () => brokenRoles(memory.openThread(key)),
    openChanges: () => broken(memory.openChanges?.(key)),
  };
  const guarded = guardAdapter(adapter, { ...limits, sleep });
  const { key: _, ...thread } = guarded.openThread(key);
  const roles = { ...guarded, ...thread, openChanges: guarded.openChanges?.(key) };
  return Object.entries(roles)
    .filter(([, port]) => isPort(port))
    .flatMap(([role, port]) =>
      Object.entries(port as object).map(([method, call]) => [`${role}.${method}`, call] as const),
    );
}

const isPort = (port: unknown) => typeof port === 'object' && port !== null && !('type' in port);

describe('an adapter that has every role', () => {
  it('is used in every one of them [NX-9]', () => {
    const memory = createMemoryPlatform();
    const key = memory.people.openIssue({ author: 'alice', title: 'The kettle leaks' });
    // Reviews, checks and addresses of threads are read on platforms that this package knows.
    const { people, reviewers, failNext, openReview, threads, ...own } = memory;
    const guarded = guardAdapter(own, limits);
    const shapeOf = (platform: Platform) => ({
      platform: functionsOf(platform),
      thread: functionsOf(platform.openThread(key)),
      changes: functionsOf({ changes: platform.openChanges?.(key) }),
    });
    expect(shapeOf(guarded)).toEqual(shapeOf(own));
    expect(shapeOf(own).thread).toContain('history.lastCommentEdit');
  });

  it('has a time limit and its name in the errors of each of its functions [NX-9]', async () => {
    const failed = everyCall();
    expect(failed.map(([method]) => method)).toContain('openChanges.listChanges');
    for (const [method, call] of failed) {
      await expect(call({}, {}), method).rejects.toMatchObject({
        code: 'not-found',
        message: `The adapter of platforms.notes failed in ${method}: gone`,
      });
    }
    for (const [method, call] of everyCall(async () => undefined)) {
      await expect(call({}, {}), method).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(`platforms.notes did not answer ${method} within 5 s`),
      });
    }
  });
});

function functionsOf(roles: object): readonly string[] {
  return Object.entries(roles)
    .flatMap(([role, port]) => {
      if (typeof port === 'function') return [role];
      return isPort(port) ? Object.keys(port).map((method) => `${role}.${method}`) : [];
    })
    .toSorted();
}

describe('what an adapter answers about the history of a thread', () => {
  const openWith = (roles: object) => {
    const memory = createMemoryPlatform();
    const key = memory.people.openIssue({ author: 'alice', title: 'The kettle leaks' });
    const openThread: Platform['openThread'] = (...opened) => ({ ...memory.openThread(...opened), ...roles });
    return guardAdapter({ ...memory, openThread }, limits).openThread(key);
  };

  it('is said to be wrong where it is [NX-9]', async () => {
    const edits = [{ part: 'labels', actor: null, at: '2026-01-01T00:00:00Z' }];
    const history = { lastAssigned: async () => null, listEdits: async () => edits };
    const listing = openWith({ history }).history?.listEdits({ since: '2026-01-01T00:00:00Z' });
    await expect(listing).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/history\.listEdits that does not fit.*at \[0\]\.part/s),
    });
  });

  it('need not say who edited a comment', () => {
    const history = { lastAssigned: async () => null, listEdits: async () => [] };
    expect(openWith({ history }).history).not.toHaveProperty('lastCommentEdit');
    expect(openWith({ history: { ...history, lastCommentEdit: null } }).history).not.toHaveProperty(
      'lastCommentEdit',
    );
  });

  it('is refused where a role has half of its functions [NX-9]', () => {
    expect(() => openWith({ history: { listEdits: async () => [] }, assignees: {} })).toThrow(
      'lacks history.lastAssigned, assignees.assign, assignees.unassign in what openThread returned',
    );
  });
});

describe('changes of a repository that an adapter lists', () => {
  const key = { type: 'custom', platform: 'notes', project: 'p', id: '1' } as const;
  const open = (openChanges: unknown) =>
    guardAdapter({ ...createMemoryPlatform(), openChanges }, limits).openChanges?.(key);

  it('name their threads even where their comments cannot be read [NX-9]', async () => {
    const changes = [{ thread: 'custom:notes:p:1', comment: { id: 7 } }];
    const listChanges = async () => ({ changes, since: null, unchanged: false });
    expect(await open(() => ({ listChanges }))?.listChanges()).toEqual({
      changes: [{ thread: 'custom:notes:p:1', comment: null }],
      since: null,
      unchanged: false,
    });
  });

  it('are refused where nothing lists them, with the name of what is missing [NX-9]', () => {
    expect(() => open(() => ({}))).toThrow('lacks changes.listChanges in what openChanges returned');
    expect(() => open('all')).toThrow('lacks openChanges in its platform');
    expect(open(null)).toBeUndefined();
  });
});
