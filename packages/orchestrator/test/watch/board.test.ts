import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allRows, end, openWatchBed, places, runOf, type WatchBed } from './watch-bed.ts';

describe.each(places)('the board of runs in %s', (_, openPlace) => {
  let bed: WatchBed;
  beforeEach(async () => {
    bed = await openWatchBed(openPlace);
  });
  afterEach(() => bed.close());

  const names = async (query: Partial<Parameters<WatchBed['watch']['reader']['readBoard']>[0]> = {}) => {
    bed.time += 5_000;
    const { rows } = await bed.watch.reader.readBoard({ ...allRows, ...query });
    return rows.map(({ name, state }) => `${name} ${state}`);
  };

  it('shows what runs, waits, is paused and has ended, as the records have it [NX-310]', async () => {
    expect(await names()).toEqual([]);
    await bed.store.open(runOf(1));
    bed.time += 1_000;
    const second = await bed.store.open(runOf(2));
    const third = await bed.store.open(runOf(3, { repository: 'acme/tool' }));
    bed.queue.push({
      key: 'github.com github_issue:acme:shop:9',
      kind: 'new',
      platform: 'github.com',
      runId: null,
      since: bed.time,
    });
    expect(await names()).toEqual([
      'acme/shop#1 running',
      'acme/shop#2 running',
      'acme/tool#3 running',
      'acme/shop#9 queued',
    ]);
    await second.journal.finish(end);
    await bed.store.finish(second.metadata.uuid);
    await bed.store.pause(third.metadata.uuid, {
      lastError: null,
      planningState: { waits_for: { kind: 'answer', id: 'q', until: '2026-03-02T12:00:00.000Z' } },
    });
    bed.queue.length = 0;
    expect(await names()).toEqual(['acme/shop#1 running', 'acme/tool#3 needs_input', 'acme/shop#2 ended']);
    const { rows, counts, repositories } = await bed.watch.reader.readBoard(allRows);
    expect(counts).toMatchObject({ running: 1, queued: 0, needs_input: 1, paused: 0, ended: 1 });
    expect(repositories).toEqual([
      { name: 'acme/shop', count: 2 },
      { name: 'acme/tool', count: 1 },
    ]);
    expect(rows[1]?.reason).toBe('Waiting for an answer to its question until 2026-03-02 12:00 UTC');
    expect(rows[2]).toMatchObject({ status: 'completed', title: 'Task 2' });
    await bed.store.resume(third.metadata.uuid);
    expect(await names({ state: 'running' })).toEqual(['acme/shop#1 running', 'acme/tool#3 running']);
    expect(await names({ repository: 'acme/tool' })).toEqual(['acme/tool#3 running']);
    expect(await names({ text: 'TASK 2' })).toEqual(['acme/shop#2 ended']);
  });

  it('shows queued tasks in the order of the queue with since, title and reason [NX-310]', async () => {
    const { metadata } = await bed.store.open(runOf(5));
    await bed.store.pause(metadata.uuid, { lastError: null, planningState: { paused_by: 'alice' } });
    const since = bed.time - 60_000;
    const entry = (number: number) => ({
      ...({
        key: `github.com github_issue:acme:shop:${number}`,
        kind: 'new',
        platform: 'github.com',
      } as const),
      ...{ runId: null, since, title: `Task ${number} hunter2`, user: 'bob' },
      url: `https://github.com/acme/shop/issues/${number}`,
    });
    bed.queue.push(entry(8), entry(9));
    expect(await names()).toEqual(['acme/shop#8 queued', 'acme/shop#9 queued', 'acme/shop#5 paused']);
    bed.queue.unshift({ ...entry(5), kind: 'paused', runId: metadata.uuid });
    expect(await names()).toEqual(['acme/shop#5 queued', 'acme/shop#8 queued', 'acme/shop#9 queued']);
    bed.queue.reverse();
    expect(await names()).toEqual(['acme/shop#9 queued', 'acme/shop#8 queued', 'acme/shop#5 queued']);
    const read = async () => (await bed.watch.reader.readBoard(allRows)).rows;
    const about = { since, title: 'Task 9 ***', url: entry(9).url, user: 'bob' };
    expect(await read()).toMatchObject([
      { ...about, reason: 'Waiting for its turn' },
      { reason: 'Waiting for its turn' },
      { since, reason: 'Resumed, waiting for its turn' },
    ]);
    for (const number of [1, 2, 3]) {
      const task = { uuid: runOf(number).uuid, name: `acme/shop#${number}`, title: 't', url: 'http://x' };
      bed.board.observe({ type: 'task-begin', task, resumed: false });
    }
    expect(await read()).toMatchObject([
      { reason: 'All 3 slots are busy' },
      { reason: 'All 3 slots are busy' },
      { reason: 'Resumed, all 3 slots are busy' },
    ]);
    expect(await bed.watch.reader.readThread('github_issue:acme:shop:9')).toMatchObject({
      name: 'acme/shop#9',
      url: entry(9).url,
      queued: { since, reason: 'All 3 slots are busy' },
      runs: [],
    });
    const japanese = bed.watchAnew({ about: { locale: 'ja', model: () => null } });
    expect((await japanese.reader.readBoard(allRows)).rows[0]?.reason).toBe('3 個の実行枠がすべて使用中です');
  });

  it('shows a failed run with its reason, also while its updates are pending', async () => {
    const { journal } = await bed.store.open(runOf(1));
    await journal.finish({ ...end, status: 'failed', reason: 'run_command failed: exit code 1 hunter2' });
    const ended = { status: 'failed', reason: 'run_command failed: exit code 1 ***', user: 'agent' };
    const pending = await bed.watch.reader.readBoard(allRows);
    expect(pending).toMatchObject({ failed: 1, counts: { running: 0, delivering: 1 } });
    expect(pending.rows).toMatchObject([{ ...ended, state: 'delivering', tool: null }]);
    await bed.store.finish(runOf(1).uuid);
    bed.time += 5_000;
    const read = () => bed.watch.reader.readBoard({ ...allRows, outcome: 'failed', text: 'exit code' });
    await expect.poll(read).toMatchObject({ failed: 1, rows: [{ ...ended, state: 'ended' }] });
    expect((await bed.watch.reader.readBoard({ ...allRows, outcome: 'partial' })).rows).toEqual([]);
    expect((await bed.watch.reader.readBoard({ ...allRows, since: bed.time + 1 })).rows).toEqual([]);
  });

  it('shows a run whose thread has a key of somebody else, without a repository [NX-310]', async () => {
    await bed.store.open({ ...runOf(1), taskKeyText: 'jira:SHOP-1' });
    await bed.store.open({ ...runOf(2), taskKeyText: 'custom:odd' });
    const { rows } = await bed.watch.reader.readBoard(allRows);
    expect(rows.map(({ name, repository }) => [name, repository])).toEqual([
      ['jira:SHOP-1', null],
      ['custom:odd', null],
    ]);
  });

  it('goes on with a page where it stopped, whatever comes and goes meanwhile [NX-311]', async () => {
    for (const number of [1, 2, 3, 4]) {
      bed.time += 1_000;
      const run = await bed.store.open(runOf(number));
      await run.journal.finish(end);
      await bed.store.finish(run.metadata.uuid);
    }
    const page = (after: string | null) => bed.watch.reader.readBoard({ ...allRows, after, limit: 2 });
    const first = await page(null);
    expect(first.rows.map(({ name }) => name)).toEqual(['acme/shop#4', 'acme/shop#3']);
    bed.time += 1_000;
    const run = await bed.store.open(runOf(5));
    await run.journal.finish(end);
    await bed.store.finish(run.metadata.uuid);
    const second = await page(first.next);
    expect(second.rows.map(({ name }) => name)).toEqual(['acme/shop#2', 'acme/shop#1']);
    expect(second.next).toBeNull();
  });

  it('tells how far a run at work is: step, tool, tokens, cost and plan [NX-310]', async () => {
    const { journal } = await bed.store.open(runOf(1));
    const usage = { inputTokens: 100, outputTokens: 20, costMicros: 7 };
    await journal.append({
      type: 'message',
      message: { role: 'assistant', content: 'a' },
      usage,
      delivers: [],
    });
    await journal.append({ type: 'tool-started', toolCallId: 'c', tool: 'run_command', args: {} });
    bed.time += 1_000;
    const [row] = (await bed.watch.reader.readBoard(allRows)).rows;
    expect(row).toMatchObject({ step: 1, tool: 'run_command', tokens: 120, costMicros: 7 });
    const done = { toolCallId: 'c', tool: 'run_command', args: {}, durationMs: 3 };
    await journal.append({ type: 'tool-finished', ...done, status: 'success', output: 'x' });
    await journal.append({
      type: 'message',
      message: { role: 'assistant', content: 'b' },
      usage,
      delivers: [],
    });
    bed.time += 5_000;
    const [later] = (await bed.watch.reader.readBoard(allRows)).rows;
    expect(later).toMatchObject({ step: 2, tool: null, tokens: 240, costMicros: 14 });
  });

  it('is shown as it was known a few seconds ago, while what has changed is read behind it [NX-365]', async () => {
    expect(await names()).toEqual([]);
    await bed.store.open(runOf(1));
    bed.time += 4_999;
    const shown = async () => (await bed.watch.reader.readBoard(allRows)).rows.map(({ name }) => name);
    expect(await shown()).toEqual([]);
    let rows = await shown();
    while (rows.length === 0) {
      // As long as the place takes for an answer.
      await bed.storage.notes.read('nothing');
      rows = await shown();
    }
    expect(rows).toEqual(['acme/shop#1']);
    await bed.store.open(runOf(2));
    bed.time += 5_000;
    expect(await shown()).toEqual(['acme/shop#1', 'acme/shop#2']);
  });

  it('is not what an act goes by: that reads what has changed [NX-365]', async () => {
    const { journal, metadata } = await bed.store.open(runOf(1));
    expect(await names()).toEqual(['acme/shop#1 running']);
    await journal.finish(end);
    await bed.store.finish(metadata.uuid);
    bed.time += 1_000;
    const request = { uuid: metadata.uuid, control: 'pause', amountMicros: null, actor: 'ada' } as const;
    expect(await bed.watch.actions.act(request)).toMatchObject({ accepted: false });
  });

  it('tells listeners what has changed, and does nothing while nobody listens [NX-312]', async () => {
    const heard: (string | null)[] = [];
    const stop = bed.watch.changes.subscribe(({ threadKey }) => heard.push(threadKey));
    const hears = async (what: string | null) => {
      while (!heard.includes(what)) {
        bed.wake();
        // As long as the place takes for an answer.
        await bed.storage.notes.read('nothing');
      }
    };
    await bed.store.open(runOf(1));
    await hears('github_issue:acme:shop:1');
    await hears(null);
    stop();
    heard.length = 0;
    await bed.store.open(runOf(2));
    bed.wake();
    await bed.storage.notes.read('nothing');
    expect(heard).toEqual([]);
  });
});
