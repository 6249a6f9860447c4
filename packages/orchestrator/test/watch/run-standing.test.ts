import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeHeld } from '../../src/held/held-record.ts';
import { createCommandRecord } from '../../src/inbox/handled-commands.ts';
import { openWatchBed, places, runOf, type WatchBed } from './watch-bed.ts';

const { uuid } = runOf(1);
const usage = { inputTokens: 100, outputTokens: 20 };
const last = { from: null, limit: 50 };
const query = { state: null, repository: null, text: null, after: null, limit: 10 };

describe.each(places)('the state of a run in %s', (_, openPlace) => {
  let bed: WatchBed;
  beforeEach(async () => {
    bed = await openWatchBed(openPlace);
  });
  afterEach(() => bed.close());
  const read = async (laterMs = 1_000) => {
    bed.time += laterMs;
    return bed.watch.reader.readRun(uuid, last);
  };

  it('names who paused it and since when, and its elapsed time stands still', async () => {
    await bed.store.open(runOf(1));
    bed.time += 60_000;
    const pausedAt = bed.time;
    await bed.store.pause(uuid, { lastError: null, planningState: { paused_by: 'bob' } });
    const view = await read(3_600_000);
    expect(view?.pause).toEqual({ at: pausedAt, by: 'bob', waitsFor: null });
    expect(view?.elapsedMs).toBe(60_000);
    await bed.store.resume(uuid);
    const resumed = await read(5_000);
    expect(resumed?.pause).toBeNull();
    expect(resumed?.elapsedMs).toBe(65_000);
  });

  it('lists the changes that wait for permission, without a secret', async () => {
    const { state } = await bed.store.open(runOf(1));
    const item = { kind: 'path', state: 'held', locked: null, line: null, patch: null } as const;
    await writeHeld(state, {
      items: [
        {
          ...{ ...item, number: 1, path: '.github/workflows/ci.yml', rule: '.github/workflows/**' },
          ...{ id: 'a', patch: '+ password: hunter2' },
        },
        { ...item, number: 2, kind: 'secret', path: 'a.env', rule: 'github-token', id: 'b', line: 3 },
        { ...item, number: 3, path: 'logo.yml', rule: '*.yml', id: 'c', locked: 'binary' },
        { ...item, number: 4, path: 'old.yml', rule: '*.yml', id: 'd', state: 'released' },
      ],
      ...{ drafts: [], checks: null, paths: [], problem: null, until: '2026-03-31T12:00:00Z', comment: '' },
    });
    expect((await read())?.held).toEqual([]);
    const waits = { kind: 'held', id: 'held:1,2,3', until: null };
    await bed.store.pause(uuid, { lastError: null, planningState: { waits_for: waits } });
    const view = await read();
    expect(view?.pause).toMatchObject({ by: null, waitsFor: 'held' });
    expect(view?.held).toEqual([
      {
        ...{ id: 'H1', path: '.github/workflows/ci.yml', allow: '/allow H1', patch: '+ password: ***' },
        text: '.github/workflows/ci.yml is protected (.github/workflows/**).',
      },
      {
        ...{ id: 'H2', path: 'a.env', allow: '/allow H2', patch: null },
        text: 'a.env, line 3: github-token.',
      },
      {
        ...{ id: 'H3', path: 'logo.yml', allow: null, patch: null },
        text: expect.stringMatching(/^logo\.yml is protected \(\*\.yml\)\. .*\/allow logo\.yml and start/),
      },
    ]);
  });

  it('shows a command of a comment as applied, and counts as many comments as it lists', async () => {
    const { journal, state } = await bed.store.open(runOf(1));
    const body = '/pause';
    const revision = `${createHash('sha256').update(body).digest('hex').slice(0, 16)}@`;
    const observation = {
      ...{ id: '5', revision, kind: 'added', body, author: { id: '7', login: 'mona', kind: 'person' } },
      ...{
        authority: 'trusted',
        url: 'https://x.example/5',
        created_at: '2026-03-01T11:59:00Z',
        updated_at: null,
      },
    };
    const data = { opening: null, observations: [observation] };
    await journal.append({ type: 'fact', name: 'observed', data: { opening: null, observations: [] } });
    await journal.append({ type: 'fact', name: 'observed', data });
    await journal.append({ type: 'fact', name: 'observed', data });
    const command = { comment: '5', revision, command: 'pause' } as const;
    await createCommandRecord(state).write({ ...command, outcome: 'obeyed', done: true });
    const view = await read();
    expect(view?.comments).toMatchObject([{ command: { name: '/pause', outcome: 'obeyed' } }]);
    expect(view?.filtered.comments).toBe(1);
    const comments = await bed.watch.reader.readRun(uuid, { ...last, show: 'comments' });
    expect(comments?.timeline).toHaveLength(1);
  });

  it('has one number of the step everywhere, and the start of a model call', async () => {
    const { journal } = await bed.store.open(runOf(1));
    const say = (role: string, more = {}) =>
      journal.append({ type: 'message', message: { role, content: '' }, usage: null, delivers: [], ...more });
    const row = async () => {
      bed.time += 6_000;
      return (await bed.watch.reader.readBoard(query)).rows[0];
    };
    await say('user');
    expect(await row()).toMatchObject({ step: 1, asking: null, tool: null });
    await say('assistant', { usage });
    await journal.append({ type: 'tool-started', toolCallId: 'c', tool: 'run_tests', args: {} });
    const startedAt = bed.time;
    expect(await row()).toMatchObject({ step: 1, tool: 'run_tests', toolSince: startedAt });
    const task = { uuid, name: 'acme/shop#1', title: 't', url: 'http://x/1' };
    bed.board.observe({ type: 'task-begin', task, resumed: false });
    bed.board.observe({ type: 'run-event', uuid, event: { type: 'step-start', step: 2 } });
    const { askingSince } = bed.board.state.running.get(uuid) ?? {};
    const asked = { step: 2, asking: 'model', askingSince, tool: null };
    expect(await row()).toMatchObject(asked);
    expect((await read())?.row).toMatchObject(asked);
  });
});
