import { createFileStorage } from '@agent/run-store/file';
import { migrateRuns } from '@agent/run-store/migration';
import { makeDirectory, writeEarlierRun } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContextInheritanceManager } from './context-inheritance-manager.ts';
import { createPreviousRunReader } from './load-previous-contexts.ts';

const now = Date.parse('2025-03-01T00:00:00Z');
const thread = { taskKeyText: 'github_issue:octo:cat:42', host: 'github.com' };
const taskKey = { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 };

let directory: Awaited<ReturnType<typeof makeDirectory>>;
beforeEach(async () => {
  directory = await makeDirectory();
});
afterEach(() => directory.remove());

describe('a directory of the earlier program', () => {
  it("leaves its summary, decisions and plan to a new run, and nobody's name [CI-5, CI-6, CI-8, CI-66]", async () => {
    const baseDirectory = directory.path;
    const uuid = '10000000-0000-4000-8000-000000000000';
    const summary = '合計を修正しました。\n\n## 決定事項\n- 数量は必ず掛ける';
    await writeEarlierRun(baseDirectory, { uuid, taskKey, summary });
    const toTask = () => ({ taskKey, ...thread });
    for await (const { kind } of migrateRuns({ baseDirectory, toTask, apply: true }))
      expect(kind).toBe('migrated');
    const { index, lines, upkeep } = createFileStorage({ baseDirectory, now: () => now });
    await upkeep.rebuildIndex();
    const reader = createPreviousRunReader({ lines, listRuns: index.find });
    const manager = new ContextInheritanceManager(reader, { now: () => new Date(now) });
    const context = await manager.getInheritanceContext(thread);
    const { system, planning } = manager.createInheritedPrompts(
      context ?? expect.fail('nothing is inherited'),
      { mode: 'planning' },
    );
    expect(system).toContain('合計を修正しました。');
    expect(system).toContain('- 数量は必ず掛ける');
    expect(`${system}${planning}`).toContain('Count quantities');
    expect(`${system}${planning}`).not.toMatch(/mona|build-7/);
  });
});
