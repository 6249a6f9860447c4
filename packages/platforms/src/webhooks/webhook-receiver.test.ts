import { describe, expect, it } from 'vitest';
import { createDoorbell } from '../sources/doorbell.ts';
import { createGitLabOrigin } from './gitlab-origin.ts';
import type { Happening, WebhookOrigin } from './webhook-origin.ts';
import { createRememberedIds, createWebhookReceiver, type TaskSign } from './webhook-receiver.ts';

/** Tells how often somebody is woken by what a platform says that is taken at its word. */
async function countWakes(
  taskSign: TaskSign | null,
  happenings: readonly Partial<Happening>[],
): Promise<number> {
  let wakes = 0;
  const nothing = { labels: [], isAssigned: false, texts: [], rings: [] };
  const origin: WebhookOrigin = {
    name: 'github',
    maxBodyBytes: 1_000,
    refusal: () => null,
    open: async ({ body }) => body.toString(),
    describe: () => ({ event: 'any', id: null }),
    parse: (_event, payload) => payload as Happening,
  };
  const wake = () => {
    wakes += 1;
  };
  const receiver = createWebhookReceiver({
    ...{ origin, repositories: ['octo/hello'], bell: createDoorbell(), taskSign, wake },
  });
  for (const happening of happenings) {
    const said = { kind: 'happening', repository: 'octo/hello', ...nothing, ...happening };
    await receiver.receive({ header: () => undefined, body: Buffer.from(JSON.stringify(said)) });
  }
  return wakes;
}

describe('a delivery', () => {
  const labeled = { labels: ['Coding Agent'] };
  const assigned = { isAssigned: true };
  const mentioned = { texts: ['a', 'cc @agent'] };
  const happenings = [labeled, assigned, mentioned, { texts: ['nobody is called'] }, { labels: ['bug'] }];
  it.each<[TaskSign | null, Partial<Happening>]>([
    [{ kind: 'label', label: 'coding agent' }, labeled],
    [{ kind: 'assignment' }, assigned],
    [{ kind: 'mention' }, mentioned],
  ])(
    'wakes the search for what may have given a thread to the agent, and for nothing else: %j',
    async (sign, found) => {
      expect(await countWakes(sign, happenings)).toBe(1);
      expect(await countWakes(sign, [found])).toBe(1);
      expect(await countWakes(sign, [{ ...found, repository: 'octo/else' }])).toBe(0);
    },
  );

  it('wakes nobody where nothing makes a thread a task', async () => {
    expect(await countWakes(null, happenings)).toBe(0);
  });
});

describe('a genuine delivery that cannot be used', () => {
  const project = { id: 5, path_with_namespace: 'octo/hello' };

  it.each([
    ['Issue Hook', '{"object_kind":'],
    ['Issue Hook', '[]'],
    ['Note Hook', JSON.stringify({ project, object_attributes: {} })],
    ['Pipeline Hook', JSON.stringify({ project, object_attributes: { status: 7 } })],
    [undefined, JSON.stringify({ project, object_attributes: {} })],
  ])(
    'is accepted and logged once, because GitLab disables webhooks that fail: %s %s',
    async (event, body) => {
      const logged: unknown[] = [];
      const logger = { debug: () => undefined, warn: (...line: unknown[]) => void logged.push(line) };
      const origin = createGitLabOrigin({ token: 'secret' });
      const options = { origin, repositories: ['octo/hello'], bell: createDoorbell(), logger };
      const headers: Record<string, string | undefined> = {
        'x-gitlab-token': 'secret',
        'x-gitlab-event': event,
      };
      const delivery = { header: (name: string) => headers[name], body: Buffer.from(body) };
      expect(await createWebhookReceiver(options).receive(delivery)).toMatchObject({ status: 202 });
      expect(logged).toHaveLength(1);
    },
  );
});

describe('createRememberedIds', () => {
  it('knows an id again while fewer than so many others have come since', () => {
    const ids = createRememberedIds({ capacity: 3 });
    expect(['a', 'b', 'a', 'c', 'd', 'a'].map(ids.add)).toEqual([true, true, false, true, true, false]);
  });

  it('forgets what twice as many others have followed', () => {
    const ids = createRememberedIds({ capacity: 3 });
    ids.add('a');
    for (let number = 0; number < 6; number += 1) ids.add(String(number));
    expect(ids.add('5')).toBe(false);
    expect(ids.add('a')).toBe(true);
  });
});
