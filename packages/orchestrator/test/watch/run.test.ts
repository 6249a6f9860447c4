import { createHash } from 'node:crypto';
import { formatTaskKey } from '@agent/platforms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditLog } from '../../src/watch/index.ts';
import { end, openWatchBed, places, runOf, type WatchBed } from './watch-bed.ts';

const { uuid } = runOf(1);
const usage = { inputTokens: 100, outputTokens: 20, costMicros: 7 };
const last = { from: null, limit: 50 };

const observed = (id: string, body: string, kind = 'added') => ({
  id,
  revision: `${createHash('sha256').update(body).digest('hex').slice(0, 16)}@`,
  kind,
  body,
  author: { id: '7', login: 'mona', kind: 'person' },
  authority: 'trusted',
  created_at: '2026-03-01T11:59:00Z',
  updated_at: null,
  url: 'https://github.com/acme/shop/issues/1#issuecomment-5',
});

describe.each(places)('a run in %s, from outside', (_, openPlace) => {
  let bed: WatchBed;
  beforeEach(async () => {
    bed = await openWatchBed(openPlace);
  });
  afterEach(() => bed.close());
  const read = async (part: { readonly from: number | null; readonly limit: number } = last) => {
    bed.time += 1_000;
    return bed.watch.reader.readRun(uuid, part);
  };

  it('is unknown where nobody has begun it, and so are its lines and its thread [NX-313]', async () => {
    expect(await read()).toBeNull();
    expect(await bed.watch.reader.readLines(uuid, { from: 1, limit: 5 })).toBeNull();
    expect(await bed.watch.reader.readThread('github_issue:acme:shop:1')).toBeNull();
  });

  it('shows messages, tools, summaries and facts as a timeline, cut and without secrets [NX-313]', async () => {
    const { journal } = await bed.store.open(runOf(1, { extra: { branch: 'agent/1' } }));
    const say = (role: string, content: string, more = {}) =>
      journal.append({ type: 'message', message: { role, content }, usage: null, delivers: [], ...more });
    await say('user', 'Mend it, the password is hunter2.');
    await say('assistant', 'I look.', { usage });
    const call = { toolCallId: 'c', tool: 'run_command', args: { command: 'ls' } };
    await journal.append({ type: 'tool-started', ...call });
    expect((await read())?.timeline.at(-1)).toMatchObject({
      kind: 'tool',
      status: 'started',
      durationMs: null,
    });
    const output = 'x'.repeat(5_000);
    await journal.append({ type: 'tool-finished', ...call, status: 'success', output, durationMs: 12 });
    await say('tool', output);
    await journal.append({
      type: 'fact',
      name: 'agent-session',
      data: { id: 'sess-1', secret: 's3cret', agent: { name: 'opencode', version: '1' } },
    });
    await journal.finish(end);
    await bed.store.finish(uuid);
    const view = await read();
    expect(view?.timeline.map(({ kind, name, status }) => [kind, name, status])).toEqual([
      ['state', 'opened', null],
      ['message', 'user', null],
      ['message', 'assistant', null],
      ['tool', 'run_command', 'success'],
      ['state', 'agent-session', null],
      ['state', 'ended', null],
    ]);
    expect(view?.timeline[1]?.text).toBe('Mend it, the password is ***.');
    expect(view?.timeline[2]).toMatchObject({ tokens: 120, costMicros: 7 });
    expect(view?.timeline[3]).toMatchObject({ cut: 1_000, args: '{"command":"ls"}', durationMs: 12 });
    expect(view?.timeline[4]?.text).toBe('opencode 1');
    expect(view).toMatchObject({ outcome: { text: 'Done.' }, before: 0, after: 0, row: { state: 'ended' } });
    expect(view?.costs).toMatchObject([{ costMicros: 7, tokens: 120 }]);
    expect(view?.facts).toContainEqual({ name: 'branch', value: 'agent/1', url: null });
    const raw = await bed.watch.reader.readLines(uuid, { from: 1, limit: 100 });
    expect(raw?.lines).toHaveLength(raw?.total ?? 0);
    expect(raw?.lines.join('\n')).not.toMatch(/hunter2|s3cret|sess-1/);
  });

  it('begins the timeline of a failed run at the failed step, and shows tools, errors or comments alone', async () => {
    const { journal } = await bed.store.open(runOf(1));
    const call = async (id: string, status: 'success' | 'error', output: string) => {
      const about = { toolCallId: id, tool: 'run_command', args: { command: id } };
      await journal.append({ type: 'tool-started', ...about });
      await journal.append({ type: 'tool-finished', ...about, status, output, durationMs: 1 });
    };
    const say = (content: string, more = {}) =>
      journal.append({
        ...{ type: 'message', message: { role: 'assistant', content }, usage: null, delivers: [] },
        ...more,
      });
    await call('a', 'error', 'passing');
    await call('b', 'success', 'ok');
    for (let index = 0; index < 10; index += 1) await say(`Step ${index}`);
    await say('I try again.', { usage });
    await call('c', 'error', `${'x'.repeat(9_000)} the last line`);
    for (let index = 0; index < 30; index += 1) await say(`Later ${index}`);
    expect((await read({ from: null, limit: 5 }))?.failure).toBeNull();
    await journal.finish({ ...end, status: 'failed', reason: 'exit code 1' });
    await bed.store.finish(uuid);
    const view = await read({ from: null, limit: 5 });
    expect(view?.failure).toMatchObject({ kind: 'tool', args: '{"command":"c"}', step: 1 });
    expect(view?.failure?.text).toMatch(/^x+\n…\nx+ the last line$/);
    expect(view?.timeline.map(({ seq }) => seq)).toContain(view?.failure?.seq);
    expect(view?.filtered).toEqual({ tools: 3, errors: 2, comments: 0 });
    const errors = await bed.watch.reader.readRun(uuid, { from: 1, limit: 5, show: 'errors' });
    expect([errors?.before, errors?.after, errors?.show]).toEqual([1, 0, 'errors']);
    expect(errors?.timeline.map(({ kind, name }) => [kind, name])).toEqual([['tool', 'run_command']]);
  });

  it('names who paused, resumed and stopped it last, beside who opened it', async () => {
    await bed.store.open(runOf(1));
    const audit = createAuditLog(bed.storage.notes, { logger: { info: () => {} }, now: () => bed.time });
    const about = { target: 'acme/shop#1', run: uuid, outcome: 'accepted', reason: null } as const;
    for (const [index, [actor, via, action]] of (
      [
        ['alice', 'web', 'pause'],
        ['bob', 'comment', 'pause'],
        ['carol', 'cli', 'stop'],
      ] as const
    ).entries())
      await audit.write({ ...about, id: String(index), at: bed.time, actor, via, action });
    await audit.write({
      ...about,
      id: 'x',
      at: bed.time,
      actor: 'eve',
      via: 'cli',
      action: 'stop',
      run: 'other',
    });
    const facts = (await read())?.facts.map(({ name, value }) => `${name}: ${value}`);
    expect(facts).toEqual(
      expect.arrayContaining(['opened by: agent', 'paused by: bob', 'stopped by: carol']),
    );
    expect(facts?.join()).not.toContain('resumed by');
  });

  it('tells of each comment when it was posted, seen, delivered and answered [NX-314]', async () => {
    const { journal } = await bed.store.open(runOf(1));
    const observation = observed('5', 'Use PostgreSQL.');
    await journal.append({
      type: 'fact',
      name: 'observed',
      data: { opening: null, observations: [observation] },
    });
    const passage = async () => (await read())?.comments[0];
    expect(await passage()).toMatchObject({
      ...{
        id: '5',
        kind: 'added',
        author: 'mona',
        body: 'Use PostgreSQL.',
        deliveredAt: null,
        request: null,
      },
      postedAt: Date.parse('2026-03-01T11:59:00Z'),
      seenAt: Date.parse('2026-03-01T12:00:00Z'),
    });
    const { id, revision } = observation;
    const message = { role: 'user', content: 'Use PostgreSQL.' };
    await journal.append({
      type: 'message',
      message,
      usage: null,
      delivers: [{ id, revision, kind: 'added' }],
    });
    expect(await passage()).toMatchObject({
      deliveredAt: Date.parse('2026-03-01T12:00:01Z'),
      answeredAt: null,
    });
    const answer = { role: 'assistant', content: 'I do.' };
    await journal.append({ type: 'message', message: answer, usage, delivers: [] });
    expect(await passage()).toMatchObject({ request: 1, answeredAt: Date.parse('2026-03-01T12:00:02Z') });
  });

  it('shows assumptions, what became of them, and the plan that an agent tells of [NX-315]', async () => {
    const { journal, state } = await bed.store.open(runOf(1));
    const assumption = {
      label: 'A1',
      info_id: 'db',
      assumed_value: 'MySQL',
      reasoning: 'usual',
      confidence: 0.6,
    };
    const kept = (assumptions: readonly object[], gaps: readonly object[] = []) => ({
      state: { assumptions, information_gaps: gaps, assumption_count: 1 },
    });
    await state.write('pre_planning_state.json', kept([assumption]));
    expect((await read())?.assumptions).toEqual([
      { id: 'A1', text: 'MySQL', confidence: 0.6, outcome: 'open', reason: 'usual' },
    ]);
    await state.write('pre_planning_state.json', kept([], [{ info_id: 'db', reason: 'we use PostgreSQL' }]));
    const steps = [
      { text: 'Look', status: 'completed' },
      { text: 'Mend', status: 'in_progress' },
    ];
    await journal.append({ type: 'fact', name: 'agent-plan', data: steps });
    const view = await read();
    expect(view?.assumptions).toMatchObject([{ id: 'A1', outcome: 'rejected', reason: 'we use PostgreSQL' }]);
    expect(view?.plan?.actions.map(({ text, state: standing }) => [text, standing])).toEqual([
      ['Look', 'succeeded'],
      ['Mend', 'started'],
    ]);
  });

  it('is read in parts, each line once, however long its record is [NX-316]', async () => {
    const { journal } = await bed.store.open(runOf(1));
    const say = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (__, index) =>
          journal.append({
            type: 'message',
            message: { role: 'user', content: `Line ${from + index}` },
            usage: null,
            delivers: [],
          }),
        ),
      );
    await say(0, 700);
    const end700 = await read({ from: null, limit: 10 });
    expect([end700?.before, end700?.after]).toEqual([691, 0]);
    expect(end700?.timeline.at(-1)?.text).toBe('Line 699');
    const middle = await read({ from: 301, limit: 3 });
    expect(middle?.timeline.map(({ text }) => text)).toEqual(['Line 300', 'Line 301', 'Line 302']);
    expect([middle?.before, middle?.after]).toEqual([301, 397]);
    await say(700, 720);
    expect((await read({ from: null, limit: 1 }))?.timeline[0]?.text).toBe('Line 719');
    const raw = await bed.watch.reader.readLines(uuid, { from: 500, limit: 2 });
    expect(raw?.lines.map((line) => JSON.parse(line).content)).toEqual(['Line 498', 'Line 499']);
    expect(raw?.total).toBe(721);
  });

  it('stands in the lineage of its thread, with decisions and whether they stand [NX-317]', async () => {
    const hash = createHash('sha256').update('Use PostgreSQL.').digest('hex');
    const first = await bed.store.open(runOf(1));
    const seen = { opening: null, observations: [observed('5', 'Use PostgreSQL.')] };
    await first.journal.append({ type: 'fact', name: 'observed', data: seen });
    await first.journal.append({
      type: 'message',
      message: { role: 'user', content: 'a' },
      usage: null,
      delivers: [],
    });
    await first.journal.finish(end);
    await bed.store.finish(uuid);
    const decision = { text: 'PostgreSQL', source_comment_id: '5', source_sha256: hash };
    const { finalSummary } = await bed.store.openEnded(uuid);
    await finalSummary.append(
      { text: 'It was mended.', fields: { key_decisions: [decision] }, usage },
      { now: bed.time },
    );
    const thread = async () => {
      bed.time += 1_000;
      return bed.watch.reader.readThread('github_issue:acme:shop:1');
    };
    expect(await thread()).toMatchObject({
      name: 'acme/shop#1',
      runs: [
        {
          summary: 'It was mended.',
          decisions: [{ text: 'PostgreSQL', source: 'comment', commentId: '5', standing: 'stands' }],
        },
      ],
    });
    const other = { ...runOf(2), taskKey: runOf(1).taskKey, taskKeyText: runOf(1).taskKeyText };
    const second = await bed.store.open({ ...other, inheritedFromUuid: uuid, inheritanceDepth: 1 });
    const edited = { opening: null, observations: [observed('5', 'Use SQLite.', 'edited')] };
    await second.journal.append({ type: 'fact', name: 'observed', data: edited });
    const after = await thread();
    expect(after?.runs.map(({ inheritedFrom }) => inheritedFrom)).toEqual([[], [uuid]]);
    expect(after?.runs[0]?.decisions[0]?.standing).toBe('source-edited');
    const gone = { opening: null, observations: [observed('5', 'Use SQLite.', 'deleted')] };
    await second.journal.append({ type: 'fact', name: 'observed', data: gone });
    expect((await thread())?.runs[0]?.decisions[0]?.standing).toBe('source-deleted');
  });

  it('is acted on by the requests that make sense for it, under the name of who asks [NX-318]', async () => {
    await bed.store.open(runOf(1));
    const act = (
      control: 'pause' | 'resume' | 'retry' | 'approve' | 'budget',
      amountMicros: number | null = null,
    ) => {
      bed.time += 1_000;
      return bed.watch.actions.act({ uuid, control, amountMicros, actor: 'mona\nof acme' });
    };
    expect((await read())?.controls).toEqual(['pause', 'stop']);
    expect(await act('pause')).toEqual({ accepted: true });
    expect(await bed.storage.controls.list()).toEqual([{ uuid, verb: 'pause', by: 'mona of acme' }]);
    expect(await act('resume')).toEqual({ accepted: false, reason: 'This run is still running.' });
    expect(await act('approve')).toMatchObject({ accepted: false });
    expect(await act('budget', 5)).toMatchObject({ accepted: false });
    await bed.store.pause(uuid, { lastError: null, planningState: null });
    expect((await read())?.controls).toEqual(['resume', 'stop']);
    expect(await act('resume')).toEqual({ accepted: true });
    expect(await bed.storage.controls.list()).toEqual([{ uuid, verb: 'resume', by: 'mona of acme' }]);
    await bed.store.resume(uuid).then(({ journal }) => journal.finish({ ...end, status: 'failed' }));
    await bed.store.finish(uuid);
    expect((await read())?.controls).toEqual(['retry']);
    expect(await act('retry')).toEqual({ accepted: true });
  });

  it('says on its thread who resumed it and had it tried again; a thread that takes nothing keeps nobody from acting [NX-414]', async () => {
    await bed.store.open(runOf(1));
    await bed.store.pause(uuid, { lastError: null, planningState: null });
    const told: string[] = [];
    let isAway = false;
    const watch = bed.watchAnew({
      openWriter: (host, key) => ({
        ensureComment: async ({ topic, body }) => {
          if (isAway) throw new Error('away');
          told.push([host, formatTaskKey(key), topic, body].join(' | '));
          return { id: '1', url: null, change: 'created' };
        },
      }),
    });
    const act = (control: 'stop' | 'resume' | 'retry') =>
      watch.actions.act({ uuid, control, amountMicros: null, actor: 'mona' });
    expect(await act('resume')).toEqual({ accepted: true });
    expect(await act('stop')).toEqual({ accepted: true });
    const { host, taskKeyText } = runOf(1);
    expect(told).toEqual([
      `${host} | ${taskKeyText} | run:${uuid}:resume:${bed.time} | ▶️ \`mona\` resumed this task in the web UI.`,
    ]);
    isAway = true;
    await bed.store.resume(uuid).then(({ journal }) => journal.finish({ ...end, status: 'failed' }));
    await bed.store.finish(uuid);
    bed.time += 1_000;
    expect(await act('retry')).toEqual({ accepted: true });
    expect(told).toHaveLength(1);
  });

  it('tells who works in the place, and what stands in the way [NX-319]', async () => {
    bed.board.observe({ type: 'condition', part: 'model', state: 'failed', reason: 'no key hunter2' });
    expect(await bed.watch.health.readHealth('en')).toMatchObject({
      ...{ status: 'not-ready', model: 'a-model', waiting: 0 },
      problems: [{ what: 'The model endpoint refuses requests', state: 'failed', reason: 'no key ***' }],
      conditions: [{ part: 'model', state: 'failed', reason: 'no key ***' }],
      processes: [{ pid: process.pid, isThis: true }],
    });
  });
});
