import { createMemoryPlatform } from '@agent/platforms';
import { expect, it } from 'vitest';
import type { ConfiguredModel } from './ports.ts';
import type { ConfiguredPlatform } from './run/run-thread.ts';
import { modelWhileOwned, platformWhileOwned } from './while-owned.ts';

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
