import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openDesk } from '../src/open-desk.ts';

const adapter = fileURLToPath(
  new URL('../../../examples/example-custom-adapter/src/adapter.ts', import.meta.url),
);

it('serves a thread of an adapter, whose people are trusted by name [NX-266]', async () => {
  const tasks = await mkdtemp(join(tmpdir(), 'tasks-'));
  onTestFinished(() => rm(tasks, { recursive: true }));
  const file = join(tasks, '1-fix.md');
  await writeFile(file, '---\ntitle: Fix the sum\nauthor: alice\n---\n\nIt is wrong.\n');
  const words = {
    adapter,
    thread: `custom:notes:${basename(tasks)}:1`,
    adapterOptions: JSON.stringify({ tasks }),
    trusted: ['Alice'],
    secrets: [],
    state: null,
  };
  const desk = await openDesk(words, {});
  expect(await desk.getNewComments()).toMatchObject({ failed: false, ids: [] });
  const time = new Date(Date.now() + 60_000).toISOString();
  await appendFile(file, `\n## Comment 7 by @alice at ${time}\n\nIn euros!\n`);
  await appendFile(file, `\n## Comment 8 by @mallory at ${time}\n\nIn shells!\n`);
  const { ids, text } = await desk.getNewComments({ beforeEnd: true });
  expect(ids).toHaveLength(2);
  expect(text).toMatch(/author: @alice \| authority: trusted/);
  expect(text).toMatch(/author: @mallory \| authority: untrusted/);
  expect(await desk.postAnswer({ body: 'Euros it is.' })).toMatchObject({ failed: false });
  expect((await desk.getConversation()).text).toContain('Euros it is.');
  await expect(openDesk({ ...words, thread: 'github_issue:a:b:1' }, {})).rejects.toThrow('custom:tracker');
  await expect(openDesk({ ...words, adapterOptions: '[' }, {})).rejects.toThrow('must be a JSON object');
  await expect(openDesk({ ...words, adapter: './none.ts' }, {})).rejects.toThrow('could not be loaded');
});
