import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStorage } from '@agent/run-store/file';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeDecision } from '../test/inheritance-setup.ts';
import { ContextInheritanceManager, createPreviousRunReader, runWithMemory } from './index.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const task = {
  taskKey: { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 },
  taskKeyText: 'github_issue:octo:cat:42',
  host: 'github.com',
  user: 'mona',
};

async function openStage() {
  const directory = await mkdtemp(join(tmpdir(), 'memory-'));
  const storage = createFileStorage({ baseDirectory: directory, logger: silent });
  const owner = await storage.members.acquire();
  onTestFinished(async () => {
    await owner.release();
    await rm(directory, { recursive: true });
  });
  const parseMessage = (json: unknown) => json as { role: string; content: string };
  const store = storage.openStore({ owner, parseMessage });
  const manager = new ContextInheritanceManager(
    createPreviousRunReader({ lines: storage.lines, listRuns: storage.index.find }),
  );
  return { store, manager, storage };
}

describe('runWithMemory', () => {
  it('inherits, works, and leaves its summary to the next run [NX-270]', async () => {
    const { store, manager } = await openStage();
    const first = await runWithMemory({ store, manager, task }, async (run) => {
      expect([run.inherited, run.inheritedPrompt]).toEqual([null, '']);
      await run.append({ role: 'user', content: 'Sort it.' }, { role: 'assistant', content: 'Sorted.' });
      return {
        result: run.uuid,
        summary: 'The list is sorted stably.',
        keyDecisions: [makeDecision({ text: 'Sort by name' })],
      };
    });
    const second = await runWithMemory({ store, manager, task }, async (run) => {
      expect(run.inheritedPrompt).toContain('The list is sorted stably.');
      expect(run.inheritedPrompt).toContain('Sort by name');
      expect(run.inherited).toMatchObject({ inheritedFromUuid: first });
      return { result: run.uuid, summary: null };
    });
    const history = await manager.listHistory(task);
    expect(history.map(({ uuid, status }) => [uuid, status])).toEqual([
      [second, 'completed'],
      [first, 'completed'],
    ]);
  });

  it('files a run whose work failed as failed, and lets its error through [NX-270]', async () => {
    const { store, manager } = await openStage();
    const failing = runWithMemory({ store, manager, task }, async () => {
      throw new Error('the model is down');
    });
    await expect(failing).rejects.toThrow('the model is down');
    expect(await manager.listHistory(task)).toMatchObject([{ status: 'failed' }]);
    await runWithMemory({ store, manager, task }, async ({ inherited }) => {
      expect(inherited).toBe(null);
      return { result: null, summary: null };
    });
  });

  it('begins nothing where nobody can say what there is to inherit [NX-270]', async () => {
    const { store, manager, storage } = await openStage();
    const deaf = new ContextInheritanceManager(
      createPreviousRunReader({
        lines: storage.lines,
        listRuns: () => Promise.reject(new Error('no index')),
      }),
      { logger: silent },
    );
    const work = async () => Promise.reject(new Error('it was begun'));
    await expect(runWithMemory({ store, manager: deaf, task }, work)).rejects.toThrow('no index');
    expect(await manager.listHistory(task)).toEqual([]);
  });
});
