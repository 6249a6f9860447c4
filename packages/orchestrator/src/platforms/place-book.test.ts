import { type FoundRepository, PlatformError, type RepositoryFinder, type TaskKey } from '@agent/platforms';
import type { StorageNotes } from '@agent/run-store';
import { createMemoryStorage } from '@agent/run-store/testing';
import { describe, expect, it } from 'vitest';
import type { WaitingThreads } from '../triggers/task-trigger.ts';
import { listPatternFindings } from './kept-places.ts';
import { createPlaceBook } from './place-book.ts';
import type { PlaceSettings } from './place-settings.ts';

const rules = { max: 200, forks: false, refresh_seconds: 600 };
const patternOf = (...entries: string[]): PlaceSettings => ({ entries, exclude: [], patterns: rules });
const shop = { id: '1', path: 'acme/shop', isFork: false, isActive: true };
const tools = { id: '2', path: 'acme/tools', isFork: false, isActive: true };
const threadIn = (path: string, key: TaskKey = keyIn(path)) => ({
  key,
  url: `https://github.com/${path}/issues/1`,
});

function keyIn(path: string): TaskKey {
  const [owner = '', repo = ''] = path.split('/');
  return { type: 'github_issue', owner, repo, number: 1 };
}

/** A platform whose owners have what is put there, and the places that are found on it. */
async function openWorld(first: PlaceSettings, notes: StorageNotes = createMemoryStorage().notes) {
  const world = {
    settings: first,
    repositories: [shop, tools] as readonly FoundRepository[],
    error: null as PlatformError | null,
    asked: [] as {
      readonly owner: string;
      readonly subgroups: boolean;
      readonly fresh?: boolean | undefined;
    }[],
    time: 0,
    logged: [] as object[],
  };
  const finder: RepositoryFinder = {
    listRepositories: async ({ owner, subgroups, fresh }) => {
      world.asked.push({ owner, subgroups, fresh });
      if (world.error !== null) throw world.error;
      return world.repositories.filter(({ path }) => path.startsWith(`${owner}/`));
    },
  };
  const book = createPlaceBook();
  const logger = { info: (fields: object) => world.logged.push(fields), warn: () => {} };
  const places = book.open('github', { read: () => world.settings, notes, logger, now: () => world.time });
  await places.searchOn({ host: 'github.com', repositories: finder });
  const trigger = places.searchedBy({
    listWaiting: async () => ({ tasks: [], failures: [] }) as WaitingThreads,
  } as never);
  const poll = async () => (await trigger.listWaiting({})).failures;
  return { world, book, places, poll, notes };
}

const away = () => new PlatformError('GitHub does not answer.', { code: 'unavailable' });

describe('places that are named', () => {
  it('are known when they are not named any more from one that was renamed [NX-357]', async () => {
    const { world, places } = await openWorld(patternOf('acme/shop', 'acme/old'));
    const old = threadIn('Acme/Old');
    expect(places.isRemoved(old)).toBe(false);
    world.settings = patternOf('acme/shop');
    expect(places.isRemoved(old)).toBe(true);
    expect(places.isRemoved(threadIn('acme/shop'))).toBe(false);
    expect(places.isRemoved(threadIn('acme/renamed'))).toBe(false);
    world.settings = patternOf('acme/shop', 'acme/OLD');
    expect(places.isRemoved(old)).toBe(false);
    expect(places.list()).toEqual(['acme/shop', 'acme/OLD']);
  });

  it('in a subgroup are taken for themselves, though their name is that of a group [NX-357]', async () => {
    const { world, places } = await openWorld(patternOf('acme/shop', 'group/acme/shop'));
    world.settings = patternOf('acme/shop');
    const key: TaskKey = { type: 'gitlab_issue', projectId: '7', issueIid: 1 };
    const inSubgroup = { key, url: 'https://gitlab.com/group/acme/shop/-/issues/1' };
    expect(places.isRemoved(inSubgroup)).toBe(true);
    expect(places.isRemoved({ key, url: 'https://gitlab.com/acme/shop/-/issues/1' })).toBe(false);
  });

  it('need no request [NX-369]', async () => {
    const { world, places, poll } = await openWorld(patternOf('acme/shop'));
    expect(await poll()).toEqual([]);
    expect(world.asked).toEqual([]);
    expect(places.list()).toEqual(['acme/shop']);
  });
});

describe('places that a pattern finds', () => {
  it('are those of its owner that take work, without forks and what is excluded, and those that are named, once [NX-368, NX-371]', async () => {
    const more: FoundRepository[] = [
      { id: '3', path: 'acme/fork', isFork: true, isActive: true },
      { id: '4', path: 'acme/archived', isFork: false, isActive: false },
      { id: '5', path: 'acme/secret-plans', isFork: false, isActive: true },
      { id: '6', path: 'other/shop', isFork: false, isActive: true },
    ];
    const exclude = ['acme/secret-*'];
    const { world, places, poll } = await openWorld({
      ...patternOf('Other/tool', 'acme/*', 'acme/SHOP'),
      exclude,
    });
    world.repositories = [...more, shop, tools];
    expect(await poll()).toEqual([]);
    expect(places.list()).toEqual(['Other/tool', 'acme/SHOP', 'acme/tools']);
    world.settings = { ...world.settings, exclude: [], patterns: { ...rules, forks: true } };
    expect(places.list()).toEqual([
      'Other/tool',
      'acme/SHOP',
      'acme/fork',
      'acme/secret-plans',
      'acme/tools',
    ]);
  });

  it('are asked for when their time has come and after a reload, once for each owner [NX-372]', async () => {
    const { world, book, places, poll } = await openWorld(patternOf('acme/*', 'ACME/t*', 'other/**'));
    const first = [
      { owner: 'acme', subgroups: false, fresh: false },
      { owner: 'other', subgroups: true, fresh: false },
    ];
    await poll();
    expect(world.asked).toEqual(first);
    world.time += 599_999;
    await poll();
    expect(world.asked).toHaveLength(2);
    world.time += 1;
    world.repositories = [shop, tools, { ...shop, id: '9', path: 'acme/new' }];
    await poll();
    expect(world.asked).toHaveLength(4);
    expect(places.list()).toContain('acme/new');
    book.expire();
    await poll();
    expect(world.asked.slice(4)).toEqual(first.map((one) => ({ ...one, fresh: true })));
  });

  it('stay as they were known where they cannot be asked for, and that is said until they can [NX-370]', async () => {
    const { world, places, poll } = await openWorld(patternOf('acme/*'));
    await poll();
    world.error = away();
    world.time += 600_000;
    expect(await poll()).toEqual([{ place: 'acme/*', error: world.error }]);
    expect(places.list()).toEqual(['acme/shop', 'acme/tools']);
    world.error = null;
    expect(await poll()).toHaveLength(1);
    expect(world.asked).toHaveLength(2);
    world.time += 60_000;
    expect(await poll()).toEqual([]);
  });

  it('are not none where nothing is known and nobody answers [NX-370]', async () => {
    const { world, poll } = await openWorld(patternOf('acme/*'));
    world.error = away();
    await expect(poll()).rejects.toBe(world.error);
  });

  it('are those of the process before, as long as nobody answers [NX-370]', async () => {
    const { poll, notes } = await openWorld(patternOf('acme/*'));
    await poll();
    const next = await openWorld(patternOf('acme/*'), notes);
    next.world.error = away();
    expect(await next.poll()).toHaveLength(1);
    expect(next.places.list()).toEqual(['acme/shop', 'acme/tools']);
    const kept = { platform: 'github', pattern: 'acme/*', found: 2, asked_at: '1970-01-01T00:00:00.000Z' };
    expect(await listPatternFindings(notes)).toEqual([kept]);
    next.world.settings = patternOf('acme/shop');
    await next.poll();
    expect(await listPatternFindings(notes)).toEqual([]);
  });

  it('are asked about a second time before one of them is taken for gone [NX-370]', async () => {
    const { world, places, poll } = await openWorld(patternOf('acme/*'));
    await poll();
    world.time += 600_000;
    let times = 0;
    const both = [shop, tools];
    Object.defineProperty(world, 'repositories', { get: () => (++times === 1 ? [shop] : both) });
    await poll();
    expect(places.list()).toEqual(['acme/shop', 'acme/tools']);
  });

  it('are the oldest where they are too many, with what to do about the others [NX-373]', async () => {
    const { world, places, poll } = await openWorld({
      ...patternOf('acme/*'),
      patterns: { ...rules, max: 2 },
    });
    world.repositories = [{ ...shop, id: '30', path: 'acme/a-new-one' }, tools, shop];
    const [failure] = await poll();
    expect(failure?.place).toBe('acme/*');
    expect(failure?.error.message).toBe(
      'acme/* matches 3 repositories, but platforms.github.patterns.max is 2. The 1 newest are ignored. Raise the limit, narrow the pattern, or exclude some repositories.',
    );
    expect(places.list()).toEqual(['acme/shop', 'acme/tools']);
  });

  it('are followed by their ids: renamed is not removed, and what another owner has now is [NX-374]', async () => {
    const { world, places, poll } = await openWorld(patternOf('acme/*'));
    await poll();
    world.time += 600_000;
    world.repositories = [{ ...shop, path: 'acme/renamed' }];
    await poll();
    expect(world.logged.at(-1)).toMatchObject({
      gone: ['acme/tools'],
      renamed: ['acme/shop → acme/renamed'],
    });
    expect(places.isRemoved(threadIn('acme/renamed', keyIn('acme/shop')))).toBe(false);
    expect(places.isRemoved(threadIn('acme/tools'))).toBe(true);
    expect(places.isRemoved(threadIn('elsewhere/tools', keyIn('acme/tools')))).toBe(true);
    expect(places.isRemoved(threadIn('elsewhere/never-found'))).toBe(false);
    world.settings = { ...patternOf('acme/*'), exclude: ['acme/ren*'] };
    expect(places.isRemoved(threadIn('acme/renamed'))).toBe(true);
  });

  it('are not taken for gone before anybody was asked about a pattern that is new [NX-357, NX-370]', async () => {
    const { world, places, poll } = await openWorld(patternOf('acme/shop'));
    const thread = threadIn('acme/shop');
    world.settings = patternOf('acme/*');
    expect(places.isRemoved(thread)).toBe(false);
    world.error = away();
    await expect(poll()).rejects.toBe(world.error);
    expect(places.isRemoved(thread)).toBe(false);
    world.error = null;
    world.time += 60_000;
    world.repositories = [tools];
    await poll();
    expect(places.isRemoved(thread)).toBe(true);
    world.settings = patternOf('acme/t*');
    expect(places.isRemoved(threadIn('acme/tools'))).toBe(false);
    world.settings = patternOf('acme/web-*');
    expect(places.isRemoved(threadIn('acme/tools'))).toBe(true);
  });

  it('are not taken for gone by a process that does not ask any more [NX-357, NX-370]', async () => {
    const { world, places, poll } = await openWorld(patternOf('acme/*'));
    await poll();
    world.time += 600_000;
    world.repositories = [shop];
    await poll();
    expect(places.isRemoved(threadIn('acme/tools'))).toBe(true);
    world.time += 660_000;
    expect(places.isRemoved(threadIn('acme/tools'))).toBe(false);
  });

  it('stay known where a pattern reaches into subgroups from now on, and nobody answers [NX-370]', async () => {
    const { world, places, poll } = await openWorld(patternOf('acme/*'));
    await poll();
    world.settings = patternOf('acme/**');
    expect(places.list()).toEqual(['acme/shop', 'acme/tools']);
    world.error = away();
    expect(await poll()).toHaveLength(1);
    expect(places.list()).toEqual(['acme/shop', 'acme/tools']);
  });

  it('are kept for the next process also where another owner cannot be asked [NX-370]', async () => {
    const { world, poll, notes } = await openWorld(patternOf('acme/*', 'nobody/*'));
    const answers = world.repositories;
    Object.defineProperty(world, 'error', {
      get: () =>
        world.asked.at(-1)?.owner === 'nobody' ? new PlatformError('No.', { code: 'not-found' }) : null,
    });
    expect(answers).toHaveLength(2);
    expect(await poll()).toHaveLength(1);
    expect((await listPatternFindings(notes)).map(({ pattern, found }) => [pattern, found])).toEqual([
      ['acme/*', 2],
      ['nobody/*', 0],
    ]);
  });

  it('in a subgroup are not excluded with a group that is called as it is [NX-371]', async () => {
    const { world, places, poll } = await openWorld({ ...patternOf('big/**'), exclude: ['acme/*'] });
    world.repositories = [{ ...shop, path: 'big/acme/shop' }];
    await poll();
    expect(places.list()).toEqual(['big/acme/shop']);
    const key: TaskKey = { type: 'gitlab_issue', projectId: '1', issueIid: 1 };
    expect(places.isRemoved({ key, url: 'https://gitlab.com/big/acme/shop/-/issues/1' })).toBe(false);
    expect(places.isRemoved({ key, url: 'https://gitlab.com/acme/shop/-/issues/1' })).toBe(true);
  });

  it('are asked for by the process that looks where a webhook reached another one [NX-368]', async () => {
    const looking = await openWorld(patternOf('acme/*'));
    const other = await openWorld(patternOf('acme/*'), looking.notes);
    await looking.poll();
    for (const path of ['acme/new', 'acme/shop']) other.book.notice('github', path);
    await looking.poll();
    expect(looking.world.asked).toHaveLength(2);
    await looking.poll();
    expect(looking.world.asked.map(({ fresh }) => fresh)).toEqual([false, true]);
    other.book.notice('github', 'acme/newer');
    await looking.poll();
    expect(looking.world.asked).toHaveLength(3);
  });

  it('are asked for once where a webhook comes from one that was not found yet [NX-368]', async () => {
    const { world, book, poll } = await openWorld(patternOf('acme/*'));
    await poll();
    for (const path of ['acme/shop', 'other/new']) book.notice('github', path);
    await poll();
    expect(world.asked).toHaveLength(1);
    for (const path of ['acme/new', 'acme/new']) {
      book.notice('github', path);
      await poll();
    }
    expect(world.asked.map(({ fresh }) => fresh)).toEqual([false, true]);
  });
});
