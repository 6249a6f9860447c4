import { createGitLabPlatform } from '@agent/platforms/gitlab';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { ContextStoreError } from '@agent/run-store';
import { startGitLabSimulator } from '@agent/simulators/gitlab';
import { expect, it, onTestFinished } from 'vitest';
import type { ConfiguredModel } from '../host/ports.ts';
import { isTakenOver } from '../run/run-takeover.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import {
  fetchWhileOwned,
  gitTokenWhileOwned,
  modelWhileOwned,
  platformWhileOwned,
  portsWhileOwned,
} from './while-owned.ts';

it('lets nothing leave for a platform, a repository or a model once the directory is lost [NX-84]', async () => {
  let isOwned = true;
  const requireOwned = (): void => {
    if (!isOwned) throw new Error('another process has taken the directory');
  };
  const asked: string[] = [];
  const ask = (name: string) => async () => void asked.push(name);
  const memory = createMemoryPlatform();
  const key = memory.people.openIssue({ author: 'alice', title: 'Hello' });
  const workspace = { path: '/work', push: ask('push') };
  const workspaces = { open: async () => workspace, remove: ask('remove') };
  const { platform, workspaces: git } = platformWhileOwned(
    { platform: memory, workspaces } as unknown as ConfiguredPlatform,
    { requireOwned },
  );
  const model = { modelId: 'scripted', doGenerate: ask('generate') };
  const configured = modelWhileOwned({ model, chatModel: null } as unknown as ConfiguredModel, {
    requireOwned,
  });
  const thread = platform.openThread(key);
  const opened = await git.open({} as never);
  const acts = [
    () => thread.writer.ensureComment({ topic: 'run:1:final', body: 'Done.' }),
    () => thread.labels?.addLabel('done'),
    () => platform.identity.whoAmI(),
    () => (opened as unknown as typeof workspace).push(),
    () => git.remove({} as never),
    () => (configured.model as unknown as typeof model).doGenerate(),
  ];
  await acts[0]?.();
  expect([opened.path, thread.key, memory.people.commentsOn(key).length]).toEqual(['/work', key, 1]);
  isOwned = false;
  for (const act of acts) await expect(act()).rejects.toThrow('another process has taken the directory');
  expect([asked, memory.people.commentsOn(key).length]).toEqual([[], 1]);
});

it('writes no comment where the runs were lost in the middle of a call, after it had listed the thread [NX-153]', async () => {
  const gitLab = await startGitLabSimulator();
  onTestFinished(() => gitLab.close());
  for (const username of ['alice', 'agent']) gitLab.addUser({ username });
  gitLab.addToken({ token: 'of-agent', username: 'agent' });
  const members = { alice: 'maintainer', agent: 'developer' } as const;
  const projectId = String(await gitLab.addProject({ path: 'acme/shop', files: {}, members }));
  gitLab.openIssue({ project: 'acme/shop', author: 'alice', title: 'Hello' });
  const count = (wanted: string) =>
    gitLab.requests.filter(({ method, path }) => method === wanted && path.includes('/notes')).length;
  let isLost = true;
  const owner = {
    requireOwned: () => {
      if (isLost && count('GET') > 0) throw new ContextStoreError('Others have the runs.', { code: 'owned' });
    },
  };
  const platform = createGitLabPlatform({
    ...{ token: 'of-agent', baseUrl: gitLab.url, projects: ['acme/shop'], writeSpacingMs: 0 },
    sleep: async () => undefined,
    fetch: fetchWhileOwned(globalThis.fetch, owner),
  });
  const key = { type: 'gitlab_issue', projectId, issueIid: 1 } as const;
  const { writer } = portsWhileOwned(platform.openThread(key), owner);
  const final = { topic: 'run:1:final', body: 'Done.' };
  const refused = await writer.ensureComment(final).catch((error: unknown) => error);
  expect(isTakenOver(refused)).toBe(true);
  expect([count('GET') > 0, count('POST')]).toEqual([true, 0]);
  isLost = false;
  expect(await writer.ensureComment(final)).toMatchObject({ change: 'created' });
  expect(count('POST')).toBe(1);
});

it('sends a write, and gives git its token, only after what was written is stored', async () => {
  const order: string[] = [];
  let isStored = true;
  const requireStored = async (): Promise<void> => {
    order.push('store');
    if (!isStored) throw new Error('the record cannot be stored');
  };
  const owner = { requireOwned: () => {}, requireStored };
  const send = fetchWhileOwned(async (_input, init) => {
    order.push(init?.method ?? 'GET');
    return new Response();
  }, owner);
  const token = gitTokenWhileOwned(async () => 'token', owner);
  await send('https://example.com');
  await send('https://example.com', { method: 'POST' });
  await token();
  expect(order).toEqual(['GET', 'store', 'POST', 'store']);
  isStored = false;
  await expect(send('https://example.com', { method: 'PATCH' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await expect(token()).rejects.toThrow('the record cannot be stored');
  expect(order).not.toContain('PATCH');
});
