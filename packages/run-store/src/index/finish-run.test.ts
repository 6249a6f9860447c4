import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { acquireOwnership } from '../ownership/acquire-ownership.ts';
import { openHouse, task } from '../testing/index-setup.ts';
import { newRun } from '../testing/store-setup.ts';

const directory = useDirectory();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const script = fileURLToPath(new URL('../../test/end-runs.ts', import.meta.url));

/** Another process that ends these runs; what it said last, empty when it was killed. */
async function endElsewhere(point: string, uuids: readonly string[]): Promise<string> {
  const args = ['--conditions=@agent/source', script, directory.path, point, ...uuids];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const said: string[] = [];
  child.stdout.on('data', (data) => void said.push(String(data)));
  await once(child, 'close');
  return said.join('').trim();
}

async function readDays(): Promise<readonly string[]> {
  const expiry = join(directory.path, 'index', 'expiry');
  const texts = (await readdir(expiry)).map((name) => readFile(join(expiry, name), 'utf8'));
  return (await Promise.all(texts)).join('').match(/(?<="uuid":")[^"]*/g) ?? [];
}

describe('finishing a run', () => {
  it('puts it into the index, with its final summary and its key hash [CI-36, CI-66]', async () => {
    const house = openHouse(directory.path);
    const [first, second] = [
      await house.endRun(),
      await house.endRun({ extra: { inheritance_barrier_at: '2026-03-01T11:00:00Z' } }),
    ];
    const runs = await house.index.find(task);
    expect(new Set(runs.map(({ uuid }) => uuid))).toEqual(new Set([first, second]));
    expect(runs.find(({ uuid }) => uuid === second)).toMatchObject({
      ...task,
      taskKeyText: 'github_issue:octo:cat:42',
      status: 'completed',
      completedAt: '2026-03-01T12:30:00.000Z',
      llmProvider: 'openai',
      model: 'a-model',
      contextLength: 128_000,
      llmCallCount: 1,
      toolCallCount: 2,
      totalTokens: 7,
      compressionCount: 1,
      inheritanceBarrierAt: '2026-03-01T11:00:00Z',
    });
    expect(runs[0]?.finalSummary).toMatchObject({ summary: `What ${runs[0]?.uuid} did.` });
    expect(new Set(await readDays())).toEqual(new Set([first, second]));
  });

  it.each(['outcome.json', 'before the index', 'index', 'expiry', 'completed'])(
    'loses no run from the index and keeps none twice, killed at: %s [CI-36]',
    { tags: ['full'] },
    async (point) => {
      const uuids = [randomUUID(), randomUUID()];
      expect(await endElsewhere(point, uuids)).toBe('');
      const { index, expiry, store } = openHouse(directory.path);
      await index.heal();
      for (const { uuid, outcome } of (await store.listInterrupted()).runs) {
        if (outcome !== null) await store.finish(uuid);
      }
      expect((await index.find(task)).map(({ uuid }) => uuid)).toEqual([uuids[0]]);
      const [day, ...others] = await expiry.listExpired(new Date('2027-01-01'), { keepDays: 90 });
      expect([day?.runs.map(({ uuid }) => uuid), others]).toEqual([[uuids[0]], []]);
      expect(await readdir(join(directory.path, 'completed'))).toEqual([uuids[0]]);
      expect(await readdir(join(directory.path, 'running'))).toEqual([]);
    },
  );

  it('is refused to a second process, which is told who owns the directory; then no update is lost [CI-53]', async () => {
    const uuids = [randomUUID(), randomUUID(), randomUUID()];
    const owner = await acquireOwnership({ baseDirectory: directory.path });
    const house = openHouse(directory.path);
    const [refusal] = await Promise.all([
      endElsewhere('', uuids.slice(1)),
      house.endRun({ uuid: uuids[0] ?? '' }),
    ]);
    expect(refusal).toContain(`is held by process ${process.pid}`);
    await owner.release();
    expect(await endElsewhere('', uuids.slice(1))).toBe('done');
    expect(new Set((await house.index.find(task)).map(({ uuid }) => uuid))).toEqual(new Set(uuids));
  });

  it('goes on where the directory does not say what it must, and waits where the disk refuses [CI-49, CI-52]', async () => {
    const house = openHouse(directory.path);
    const [damaged, waiting] = [randomUUID(), randomUUID()];
    await house.store.open(newRun(damaged));
    const run = join(directory.path, 'running', damaged);
    // Its record is lost, and somebody changed its metadata.
    const metadata = JSON.parse(await readFile(join(run, 'metadata.json'), 'utf8'));
    const changed = { ...metadata, task_key_hash: 'none' };
    await writeFile(join(run, 'metadata.json'), JSON.stringify(changed));
    await writeFile(join(run, 'messages.jsonl'), '');
    await house.store.finish(damaged);
    expect(await readdir(join(directory.path, 'completed'))).toEqual([damaged]);
    expect(house.log).toContain('failed to read run; leaving it out of index');
    await writeFile(join(directory.path, 'index'), 'in the way');
    await expect(house.endRun({ uuid: waiting })).rejects.toMatchObject({ code: 'storage-failed' });
    expect(await readdir(join(directory.path, 'running'))).toEqual([waiting]);
    await rm(join(directory.path, 'index'));
    await house.store.finish(waiting);
    expect((await house.index.find(task)).map(({ uuid }) => uuid)).toEqual([waiting]);
  });

  it('leaves the old record whole when the new one cannot be written [CI-52]', async () => {
    const house = openHouse(directory.path);
    const first = await house.endRun();
    await rm(join(directory.path, 'index', 'making'), { recursive: true });
    await writeFile(join(directory.path, 'index', 'making'), 'in the way');
    await expect(house.endRun()).rejects.toMatchObject({ code: 'storage-failed' });
    expect((await house.index.find(task)).map(({ uuid }) => uuid)).toEqual([first]);
  });
});
