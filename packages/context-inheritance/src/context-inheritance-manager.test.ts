import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskReference } from '@agent/platforms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeHistory, makeRun, summaryLine, thread, toUuid } from '../test/inheritance-setup.ts';
import { ContextInheritanceManager } from './context-inheritance-manager.ts';
import type { ContextInheritanceOptions } from './context-inheritance-options.ts';

let history: Awaited<ReturnType<typeof makeHistory>>;
let log: { level: string; message: string }[];
let time: Date;
beforeEach(async () => {
  history = await makeHistory();
  log = [];
  time = new Date('2026-11-20T10:00:00Z');
});
afterEach(() => history.remove());

const note = (level: string) => (_: object, message: string) => void log.push({ level, message });
const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
const makeManager = (options: ContextInheritanceOptions = {}, reader = history.reader) =>
  new ContextInheritanceManager(reader, { logger, locale: 'ja', now: () => time, ...options });
const day = (number: number) => ({ completedAt: `2026-11-0${number}T10:00:00Z` });
const addRuns = async (...marks: readonly string[]) => {
  for (const [index, mark] of marks.entries()) {
    const run = makeRun(mark, { ...day(index + 1), inheritanceDepth: index });
    await history.addRun(run, { summaries: [summaryLine(`summary of ${mark}`)] });
  }
};
const uuidsOf = (contexts: readonly { readonly uuid: string }[]) =>
  contexts.map(({ uuid }) => uuid.slice(0, 2));

describe('the search for earlier contexts', () => {
  it('finds them by the hash of the key, newest first, with summary and settings, without the user [CI-7] [CI-18] [CI-19] [CI-23] [CI-T1] [C12, C15]', async () => {
    await addRuns('a1', 'b2');
    const contexts = await makeManager().findPreviousContexts(thread);
    expect(history.asked).toEqual([
      {
        taskKeyHash: '3576f43e92686789e41d37d7fc87967ba1040d69754ae0bf61ca7792f54a818c',
        host: 'github.com',
      },
    ]);
    expect(uuidsOf(contexts)).toEqual(['b2', 'a1']);
    expect(contexts[0]).toEqual({
      uuid: toUuid('b2'),
      taskKeyText: thread.taskKeyText,
      status: 'completed',
      completedAt: '2026-11-02T10:00:00Z',
      inheritanceDepth: 1,
      summary: 'summary of b2',
      keyDecisions: [],
      metadata: { llmProvider: 'openai', model: 'local-model' },
    });
    expect(JSON.stringify(contexts)).not.toMatch(/mona|builder-7/);
  });

  it('looks back as many generations as it may, reads no more, and goes on counting them [CI-38] [CI-61] [C1]', async () => {
    await addRuns('a1', 'b2', 'c3', 'd4');
    await rm(join(history.base, 'completed', toUuid('a1')), { recursive: true });
    const manager = makeManager({ maxInheritanceDepth: 2 });
    expect(uuidsOf(await manager.findPreviousContexts(thread))).toEqual(['d4', 'c3']);
    expect(await manager.getInheritanceContext(thread)).toMatchObject({ inheritanceDepth: 4 });
    expect(log.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('asks the index once a minute at most for a task, and again when told of an end [CI-60, C19]', async () => {
    await addRuns('a1');
    const manager = makeManager();
    const other = { ...thread, taskKeyText: 'github_issue:octo:cat:43' };
    const count = async () => (await manager.findPreviousContexts(thread)).length;
    expect(await count()).toBe(1);
    await addRuns('b2');
    expect(await count()).toBe(1);
    expect(await manager.findPreviousContexts(other)).toEqual([]);
    manager.forget(thread);
    expect(await count()).toBe(2);
    await addRuns('c3');
    time = new Date(time.getTime() + 60_000);
    expect(await count()).toBe(3);
    await addRuns('d4');
    time = new Date(time.getTime() - 1);
    expect(await count()).toBe(4);
    expect(history.asked).toHaveLength(5);
  });

  it('finds nothing when it is turned off [CI-37]', async () => {
    await addRuns('a1');
    const manager = makeManager({ enabled: false });
    expect(await manager.findPreviousContexts(thread)).toEqual([]);
    expect(await manager.getInheritanceContext(thread)).toBeNull();
    expect(history.asked).toEqual([]);
  });

  it('reads the runs side by side, and each of them once [CI-63]', async () => {
    await addRuns('a1', 'b2', 'c3');
    let open = 0;
    let most = 0;
    let reads = 0;
    const { readLines: read } = history.reader;
    const readLines: typeof read = async (uuid, kinds) => {
      open += 1;
      reads += 1;
      most = Math.max(most, open);
      const lines = await read(uuid, kinds);
      open -= 1;
      return lines;
    };
    await makeManager({}, { ...history.reader, readLines }).getInheritanceContext(thread);
    expect([most, reads]).toEqual([3, 3]);
  });
});

describe('trouble with earlier runs', () => {
  it('skips one whose summary cannot be used, and takes the next [CI-47] [CI-49] [CI-51] [CI-69] [C3, C4]', async () => {
    await addRuns('a1');
    await history.addRun(makeRun('b2', day(5)), { summaries: ['}{', 'torn"'] });
    await history.addRun(makeRun('c3', day(6)), { summaries: [summaryLine('[要約生成失敗: timeout]')] });
    await history.addRun(makeRun('d4', day(7)), {});
    const context = await makeManager({ maxInheritanceDepth: 1 }).getInheritanceContext(thread);
    expect(context?.inheritedFromUuid).toBe(toUuid('a1'));
    expect(log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      '過去のコンテキストをスキップしました: #d4d4d4d4 (使用できる要約がありません)',
      '読み込めない行を無視しました: #c3c3c3c3 (1行)',
      '過去のコンテキストをスキップしました: #c3c3c3c3 (使用できる要約がありません)',
      '読み込めない行を無視しました: #b2b2b2b2 (2行)',
      '過去のコンテキストをスキップしました: #b2b2b2b2 (使用できる要約がありません)',
    ]);
  });

  it('begins a new task when no run left a summary, or none may be inherited from [CI-51, C4]', async () => {
    expect(await makeManager().getInheritanceContext(thread)).toBeNull();
    await history.addRun(makeRun('a1'), {});
    await history.addRun(makeRun('b2', { status: 'failed' }), { summaries: [summaryLine('failed')] });
    expect(await makeManager().getInheritanceContext(thread)).toBeNull();
  });

  it('forgets a run whose directory is gone, but not when the disk is [CI-48] [CI-69] [C5]', async () => {
    await addRuns('a1', 'b2');
    const forgotten: [TaskReference, string][] = [];
    const options = {
      forgetRun: async (task: TaskReference, uuid: string) => void forgotten.push([task, uuid]),
    };
    await rm(join(history.base, 'completed', toUuid('b2')), { recursive: true });
    expect(uuidsOf(await makeManager(options).findPreviousContexts(thread))).toEqual(['a1']);
    expect(forgotten.map(([{ host }, uuid]) => [host, uuid])).toEqual([['github.com', toUuid('b2')]]);
    await rename(join(history.base, 'completed'), join(history.base, 'elsewhere'));
    expect(await makeManager(options).findPreviousContexts(thread)).toEqual([]);
    expect(forgotten).toHaveLength(1);
    expect(log.map(({ message }) => message)).toContain(
      '過去のコンテキストをスキップしました: #a1a1a1a1 (読み込みに失敗しました)',
    );
  });

  it('finds a run that ended and was not moved yet', async () => {
    await addRuns('a1');
    await mkdir(join(history.base, 'running'));
    const name = toUuid('a1');
    await rename(join(history.base, 'completed', name), join(history.base, 'running', name));
    expect(uuidsOf(await makeManager().findPreviousContexts(thread))).toEqual(['a1']);
  });

  it('rejects when the index cannot be asked, says so, and asks again [CI-53] [CI-70] [NX-54] [C18]', async () => {
    await addRuns('a1');
    let isBroken = true;
    const listRuns = async (task: TaskReference) => {
      if (isBroken) throw new Error('the disk is gone');
      return history.reader.listRuns(task);
    };
    const manager = makeManager({}, { ...history.reader, listRuns });
    await expect(manager.getInheritanceContext(thread)).rejects.toThrow('the disk is gone');
    await expect(manager.findPreviousContexts(thread)).rejects.toThrow('the disk is gone');
    expect(log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      '過去のコンテキストの検索に失敗しました: the disk is gone (Task: github_issue:octo:cat:42)',
      '過去のコンテキストの検索に失敗しました: the disk is gone (Task: github_issue:octo:cat:42)',
    ]);
    isBroken = false;
    expect(await manager.getInheritanceContext(thread)).not.toBeNull();
  });
});

describe('what is asked wrongly', () => {
  it('is told at once, with what belongs there [NX-54]', async () => {
    expect(() => new ContextInheritanceManager(undefined as never)).toThrow(
      'ContextInheritanceManager needs a reader of earlier runs',
    );
    await expect(makeManager().getInheritanceContext({} as never)).rejects.toThrow(
      'A thread is { taskKeyText',
    );
    await expect(makeManager().listHistory(undefined as never)).rejects.toThrow('A thread is { taskKeyText');
  });
});

describe('the inherited context', () => {
  const decisions = [
    { text: 'Pages begin at 1', source_comment_id: '7', source_sha256: 'aa' },
    { text: 'Keep the API', source_comment_id: '8', source_sha256: 'bb' },
    { text: 'Use no dependency', source_comment_id: null },
  ];

  it('puts together what several runs left, the newest first [CI-20] [CI-31] [CI-32] [CI-T3] [CI-T5] [C3]', async () => {
    await history.addRun(makeRun('a1', { ...day(1), inheritanceDepth: 3 }), {
      summaries: [summaryLine('First.', decisions)],
      tools: [{ seq: 1, tool: 'old', status: 'success' }],
    });
    await history.addRun(makeRun('b2', day(2)), {
      summaries: [summaryLine('Interim.'), summaryLine('Second.', [decisions[1] ?? {}])],
      tools: [
        { seq: 1, tool: 'edit_file', args: {}, status: 'started' },
        { seq: 1, tool: 'edit_file', args: {}, status: 'error', error: 'secret result' },
      ],
    });
    const context = await makeManager({ summaryPriority: 'merged' }).getInheritanceContext(thread);
    expect(context).toMatchObject({
      combinedSummary:
        '#### #b2b2b2b2 (2026-11-02 10:00:00 UTC)\nSecond.\n\n#### #a1a1a1a1 (2026-11-01 10:00:00 UTC)\nFirst.',
      lastActionResults: [{ tool: 'edit_file', status: 'error', failure: 'error' }],
      toolUses: [{ tool: 'edit_file', calls: 1, failures: [['error', 1]] }],
      processingCount: 2,
      inheritedFromUuid: toUuid('b2'),
      inheritanceDepth: 4,
    });
    expect(context?.keyDecisions.map(({ runUuid, text }) => [runUuid.slice(0, 2), text])).toEqual([
      ['a1', 'Keep the API'],
      ['a1', 'Pages begin at 1'],
      ['a1', 'Use no dependency'],
    ]);
    expect(JSON.stringify(context)).not.toContain('secret result');
  });

  it('takes nothing from the messages of a run [CI-12]', async () => {
    const directory = await history.addRun(makeRun('a1'), { summaries: [summaryLine('Done.')] });
    for (const file of ['messages.jsonl', 'current.jsonl']) {
      await appendFile(join(directory, file), `${JSON.stringify({ role: 'user', content: 'said aloud' })}\n`);
    }
    const context = await makeManager().getInheritanceContext(thread);
    expect(JSON.stringify(context)).not.toContain('said aloud');
  });

  it('leaves out a decision whose comment was edited or deleted, and says so', async () => {
    const summary = 'Done.\n- Pages begin at 1\n- Keep the API';
    await history.addRun(makeRun('a1'), { summaries: [summaryLine(summary, decisions)] });
    const manager = makeManager();
    const context = await manager.getInheritanceContext(thread, { comments: new Map([['7', 'changed']]) });
    expect(context?.keyDecisions.map(({ text }) => text)).toEqual(['Use no dependency']);
    const prompt = context === null ? '' : manager.createInheritedPrompt(context);
    expect(prompt).toContain('Done.');
    expect(prompt).not.toMatch(/Pages begin|Keep the API/);
    expect(log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      '決定事項を引き継ぎませんでした: #a1a1a1a1 (コメント 7 が編集されました)',
      '決定事項を引き継ぎませんでした: #a1a1a1a1 (コメント 8 が削除されました)',
    ]);
    const same = new Map([
      ['7', 'aa'],
      ['8', 'bb'],
    ]);
    expect((await manager.getInheritanceContext(thread, { comments: same }))?.keyDecisions).toHaveLength(3);
  });

  it('leaves a decision out also where a later run repeats it and no longer says where it comes from [C11]', async () => {
    await history.addRun(makeRun('a1', day(1)), { summaries: [summaryLine('First.', decisions)] });
    const repeated = [{ text: 'Pages begin at 1', source_comment_id: null }, decisions[1] ?? {}];
    await history.addRun(makeRun('b2', day(2)), { summaries: [summaryLine('Second.', repeated)] });
    const comments = new Map([
      ['7', 'changed'],
      ['8', 'bb'],
    ]);
    const context = await makeManager().getInheritanceContext(thread, { comments });
    expect(context?.keyDecisions.map(({ text }) => text)).toEqual(['Keep the API', 'Use no dependency']);
  });

  it('is refused by a command, without a look at the index [CI-16] [CI-43] [CI-44]', async () => {
    await addRuns('a1');
    for (const refusal of ['no-inherit', 'fresh-start'] as const) {
      expect(await makeManager().getInheritanceContext(thread, { refusal })).toBeNull();
    }
    expect(history.asked).toEqual([]);
  });

  it('has its secrets and people removed before anything is cut [CI-56] [CI-58] [C12]', async () => {
    const token = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
    const goal = `${'x'.repeat(280)} ${token}`;
    await history.addRun(makeRun('a1'), {
      summaries: [summaryLine(`@mona used ${token}`, [{ text: `keep ${token}` }])],
      planning: [{ type: 'plan', plan: { goal_understanding: { main_objective: goal } } }],
      tools: [{ tool: `run ${token}`, status: 'success' }],
    });
    const context = await makeManager().getInheritanceContext(thread);
    expect(context?.combinedSummary).toBe('@[USER] used [REDACTED]');
    expect(context?.plans[0]?.plan?.goal).toBe(`${'x'.repeat(280)} [REDACTED]`);
    expect(JSON.stringify(context)).not.toMatch(/ghp_|mona/);
  });

  it('refers to as many of the newest plans as their own setting says, however many generations there are [CI-30] [CI-89] [C1]', async () => {
    for (const [index, mark] of ['a1', 'b2', 'c3'].entries()) {
      await history.addRun(makeRun(mark, day(index + 1)), {
        summaries: [summaryLine(mark)],
        planning: [{ type: 'plan', plan: { goal_understanding: { main_objective: `goal of ${mark}` } } }],
      });
    }
    const context = await makeManager({ maxPreviousPlans: 2 }).getInheritanceContext(thread);
    expect(context?.plans.map(({ plan }) => plan?.goal)).toEqual(['goal of c3', 'goal of b2']);
    expect(context?.previousContexts).toHaveLength(3);
  });
});

describe('the prompt of a run that inherits', () => {
  it('is the block, within the budget, and the log says what was used [CI-18] [CI-67] [CI-68] [CI-T1] [CI-T4]', async () => {
    await history.addRun(makeRun('a1'), { summaries: [summaryLine('長い要約。'.repeat(2_000))] });
    const manager = makeManager({ maxInheritedTokens: 500 });
    const context = await manager.getInheritanceContext(thread);
    if (context === null) throw new Error('there is something to inherit');
    const prompt = manager.createInheritedPrompt(context);
    expect(prompt).toMatch(/^## 過去の処理コンテキスト\n/);
    expect(prompt).toContain('... (要約が長いため一部省略されました)');
    const { tokens } = manager.createInheritedPrompts(context, { mode: 'normal' });
    expect(tokens).toBeLessThanOrEqual(500);
    expect(log.slice(0, 4)).toEqual([
      { level: 'debug', message: '過去のコンテキストを検索します (Task: github_issue:octo:cat:42)' },
      { level: 'debug', message: '過去のコンテキスト1件のうち1件が引き継ぎ対象です' },
      { level: 'info', message: '過去のコンテキストを検出しました: 1件 (Task: github_issue:octo:cat:42)' },
      {
        level: 'info',
        message: `過去のコンテキストを引き継ぎました: #a1a1a1a1 (深さ: 1, トークン数: ${tokens})`,
      },
    ]);
  });

  it('tells both modes of summary, plans and tools, planning mode in blocks of its own [CI-1] [CI-5] [CI-6] [CI-8] [X6]', async () => {
    await history.addRun(makeRun('a1'), {
      summaries: [summaryLine('The sort is stable now.')],
      planning: [{ type: 'plan', plan: { goal_understanding: { main_objective: 'Sort stably' } } }],
      tools: [{ tool: 'edit_file', status: 'success' }],
    });
    const manager = makeManager();
    const context = await manager.getInheritanceContext(thread);
    if (context === null) throw new Error('there is something to inherit');
    const normal = manager.createInheritedPrompts(context, { mode: 'normal' });
    const planning = manager.createInheritedPrompts(context, { mode: 'planning' });
    for (const { system, kinds } of [normal, planning]) {
      expect(system).toContain('The sort is stable now.');
      expect(system).toContain('- edit_file: 成功');
      expect(kinds).toEqual(['summary', 'plans', 'tools']);
    }
    expect(normal).toMatchObject({ goal: null, planning: null });
    expect(normal.system).toContain('Sort stably');
    expect(planning.system).not.toContain('Sort stably');
    expect(planning.goal).toMatch(/^## Previous Planning Context\n.*Sort stably/s);
    expect(planning.planning).toMatch(/^## Previous Planning History\n.*\*\*Goal\*\*: `Sort stably`/s);
    expect(planning.system).toMatch(/^## 過去の処理コンテキスト\n/);
  });

  it('has an English log where that is asked for [CI-67] [CI-68]', async () => {
    await addRuns('a1');
    await makeManager({ logLocale: 'en' }).getInheritanceContext(thread);
    expect(log.map(({ message }) => message)).toEqual([
      'searching earlier runs',
      'filtered earlier runs',
      'found earlier runs',
    ]);
  });
});

describe('the history of a thread', () => {
  it('names runs that ended, also those that nobody inherits from [CI-45]', async () => {
    await history.addRun(makeRun('a1', { ...day(1), status: 'failed' }), {});
    await history.addRun(makeRun('b2', { ...day(2), completedAt: '2025-01-01T00:00:00Z' }), {
      summaries: [summaryLine('old')],
    });
    await history.addRun(makeRun('c3', { ...day(3), inheritanceBarrierAt: '2026-11-03T09:00:00Z' }), {
      summaries: [summaryLine('afresh, by @mona')],
    });
    await history.addRun(makeRun('d4', { status: 'running', completedAt: null }), {});
    const items = await makeManager().listHistory(thread);
    expect(items.map(({ uuid, status, summary }) => [uuid.slice(0, 2), status, summary])).toEqual([
      ['c3', 'completed', 'afresh, by @[USER]'],
      ['a1', 'failed', null],
      ['b2', 'completed', 'old'],
    ]);
    expect(Object.keys(items[0] ?? {})).toEqual([
      'uuid',
      'status',
      'completedAt',
      'inheritanceDepth',
      'summary',
    ]);
    expect(JSON.stringify(items)).not.toMatch(/mona|builder-7/);
    expect(log.filter(({ level }) => level === 'warn')).toEqual([]);
    expect(await makeManager().findLastEnd(thread)).toBe('2026-11-03T10:00:00.000Z');
  });
});
