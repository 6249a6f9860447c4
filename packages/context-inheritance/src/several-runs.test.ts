import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileRunLines } from '@agent/run-store/file';
import { makeDirectory, newRun, openHouse, task } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thread, toUuid } from '../test/inheritance-setup.ts';
import { ContextInheritanceManager } from './context-inheritance-manager.ts';
import { createPreviousRunReader } from './load-previous-contexts.ts';

let directory: Awaited<ReturnType<typeof makeDirectory>>;
let time: number;
beforeEach(async () => {
  directory = await makeDirectory();
  time = Date.parse('2026-03-01T12:00:00Z');
});
afterEach(() => directory.remove());

// The store, the index and the manager, put together as an app does.
function openAll() {
  const house = openHouse(directory.path, { time: () => time });
  const lines = createFileRunLines({ baseDirectory: directory.path });
  const reader = createPreviousRunReader({ lines, listRuns: house.index.find });
  const manager = new ContextInheritanceManager(reader, {
    locale: 'ja',
    summaryPriority: 'merged',
    now: () => new Date(time),
    forgetRun: house.index.remove,
  });
  return { ...house, reader, manager };
}
type All = ReturnType<typeof openAll>;

async function endRun({ endRun, manager }: All, mark: string): Promise<void> {
  time += 3_600_000;
  await endRun({ uuid: toUuid(mark) });
  manager.forget(thread);
}

const isNamed = (mark: string) => `What ${toUuid(mark)} did.`;

describe('several runs of the same task', () => {
  it('each know what the earlier ones did, and no other task does [CI-54] [CI-55] [CI-T5]', async () => {
    const all = openAll();
    expect(await all.manager.getInheritanceContext(thread)).toBeNull();
    await endRun(all, 'a1');
    await endRun(all, 'b2');
    const context = await all.manager.getInheritanceContext(thread);
    const prompt = context === null ? '' : all.manager.createInheritedPrompt(context);
    expect(prompt).toContain('### 過去の処理回数\n2回');
    expect(prompt.indexOf(isNamed('b2'))).toBeGreaterThan(0);
    expect(prompt.indexOf(isNamed('b2'))).toBeLessThan(prompt.indexOf(isNamed('a1')));
    for (const other of [
      { ...thread, taskKeyText: 'github_pull_request:octo:cat:42' },
      { ...thread, host: 'github.example.org' },
    ]) {
      expect(await all.manager.getInheritanceContext(other)).toBeNull();
    }
  });

  it('leave something where they failed only if that is asked for and they left a summary [CI-41, C9]', async () => {
    const { store, reader } = openAll();
    const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };
    const openManager = (includeFailedContexts: boolean) =>
      new ContextInheritanceManager(reader, { includeFailedContexts, now: () => new Date(time) });
    for (const [mark, hasSummary] of [
      ['a1', true],
      ['b2', false],
    ] as const) {
      time += 3_600_000;
      const { journal } = await store.open(newRun(toUuid(mark)));
      if (hasSummary) await journal.replaceContext([], { startSeq: 0, endSeq: 0, text: isNamed(mark) });
      await journal.finish({ status: 'failed', reason: 'no model', finalText: null, statistics });
      await store.finish(toUuid(mark));
    }
    expect(await openManager(false).getInheritanceContext(thread)).toBeNull();
    expect(await openManager(true).getInheritanceContext(thread)).toMatchObject({
      inheritedFromUuid: toUuid('a1'),
      combinedSummary: isNamed('a1'),
    });
  });

  it('leave nothing to one that begins too late [CI-3] [CI-15] [CI-T6]', async () => {
    const all = openAll();
    await endRun(all, 'a1');
    const ended = (await all.index.find(task))[0]?.completedAt ?? '';
    time = Date.parse(ended) + 90 * 86_400_000;
    expect(await all.manager.getInheritanceContext(thread)).not.toBeNull();
    time += 1;
    expect(await all.manager.getInheritanceContext(thread)).toBeNull();
  });

  it('are forgotten by the index when their directory is gone [CI-48, C5]', async () => {
    const all = openAll();
    await endRun(all, 'a1');
    await endRun(all, 'b2');
    await rm(join(directory.path, 'completed', toUuid('b2')), { recursive: true });
    expect((await all.manager.getInheritanceContext(thread))?.inheritedFromUuid).toBe(toUuid('a1'));
    expect((await all.index.find(task)).map(({ uuid }) => uuid)).toEqual([toUuid('a1')]);
  });

  it('says of tools that cannot be read that they could not be, and is built without them [NX-54]', async () => {
    const all = openAll();
    await endRun(all, 'a1');
    const run = join(directory.path, 'completed', toUuid('a1'));
    const tools = join(run, 'tools.jsonl');
    // Its record is lost: only this file says what they were.
    await writeFile(join(run, 'messages.jsonl'), '');
    await rm(tools, { force: true });
    await mkdir(tools);
    const context = await all.manager.getInheritanceContext(thread);
    expect(context).toMatchObject({ lastActionResults: null, toolUses: null });
    expect(context?.combinedSummary).toContain(isNamed('a1'));
  });
});
