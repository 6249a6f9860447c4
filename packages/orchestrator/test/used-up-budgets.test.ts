import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { createMemoryStorage } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toRunSummaries } from '../src/board/run-summary.ts';
import { parseRunSettings } from '../src/config/index.ts';
import { silentLogger } from '../src/host/ports.ts';
import { createOrchestrator } from '../src/index.ts';
import { createPaidModel, price } from './paid-model.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'used-up-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const midnight = Date.parse('2026-03-02T00:00:00Z');

/** A place where each day's budget is one call. */
function openPlace() {
  const clock = { ms: Date.parse('2026-03-01T23:55:00Z') };
  const now = () => clock.ms;
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    answersOnly: true,
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write' } }],
  });
  const { people } = platform;
  const ask = (title: string) => {
    const key = people.openIssue({ author: 'alice', title, body: title });
    people.assign(key, ['agent'], { by: 'alice' });
    return key;
  };
  const calledAt: number[] = [];
  const model = createPaidModel(() => calledAt.push(clock.ms));
  const lines: string[] = [];
  const note = (fields: object, message: string) => {
    const { cause = null, scope = null } = fields as { readonly cause?: unknown; readonly scope?: unknown };
    if (cause !== null) lines.push(`${message}: ${cause} ${scope}`);
  };
  const logger = { ...silentLogger, info: note, warn: note, child: () => logger };
  const storage = createMemoryStorage({ now });
  const commentsOf = (key: ReturnType<typeof ask>, topic: string) =>
    people.commentsOn(key).filter(({ body }) => body.includes(`:${topic} -->`));
  /** Works until this is true, with `onTurn` called beside each sleep. */
  const work = async ({
    isOver,
    onTurn = () => undefined,
    once = false,
  }: {
    readonly isOver: () => boolean;
    readonly onTurn?: (() => unknown) | undefined;
    readonly once?: boolean;
  }) => {
    const ending = new AbortController();
    let turns = 0;
    const orchestrator = createOrchestrator({
      ...{ platforms: [platform], model, directory, now, monotonicNow: now, logger, storage, concurrency: 1 },
      settings: parseRunSettings({
        planning: { enabled: false },
        tools: { run_command: { sandbox: 'off', allow_root: true } },
        limits: { max_cost: { day: 0.0002 } },
        llm: { prices: { 'mock-model-id': price }, max_retries: 0 },
        comment_detection: { enabled: true },
      }),
      sleep: async (milliseconds) => {
        await nextTurn();
        await onTurn();
        // The work between two sleeps is real and takes no time of this clock.
        const isHeld = orchestrator.board.state.holds.length > 0;
        clock.ms += Math.min(milliseconds, isHeld ? 60_000 : 1);
        turns += 1;
        if (isOver() || turns > 200_000) ending.abort();
      },
    });
    return { result: await orchestrator.run({ once, signal: ending.signal }), ...orchestrator };
  };
  return { clock, people, ask, calledAt, lines, storage, commentsOf, work };
}

describe('a day whose budget is used up', () => {
  it('holds all tasks in the living process until midnight, with one comment and one log line, and then all complete [NX-196]', async () => {
    const { ask, calledAt, lines, commentsOf, work } = openPlace();
    const [first, second] = [ask('Apples'), ask('Pears')];
    const finals = () => [first, second].map((key) => commentsOf(key, 'final').length);
    await work({ isOver: () => finals().every((count) => count > 0) });
    expect(finals()).toEqual([1, 1]);
    expect(calledAt.slice(1).every((at) => at >= midnight)).toBe(true);
    expect(lines.slice(0, 2)).toEqual([
      'not starting tasks: money_day 2026-03-01',
      'starting tasks again: money_day 2026-03-01',
    ]);
    expect([commentsOf(first, 'money').length, commentsOf(second, 'money').length]).toEqual([1, 0]);
  }, 60_000);

  it('lets a run that waits for it be paused and resumed by comments, and resumes the wait [RL-2, NX-196]', async () => {
    const { clock, people, ask, calledAt, storage, commentsOf, work } = openPlace();
    clock.ms -= 12 * 3_600_000;
    const key = ask('Apples');
    const reader = storage.openReader({ parseMessage: (json) => json as never });
    const seen: string[] = [];
    const readState = async () => {
      const [run] = toRunSummaries(await reader.readOverview({ recent: 5 }));
      const [asked = { verb: 'no', by: 'one' }] = await storage.controls.list();
      return `${run?.state}: ${asked.verb} by ${asked.by}`;
    };
    const steps = [
      { when: () => commentsOf(key, 'money').length > 0, say: '/pause' },
      { when: () => seen.at(-1) === 'paused: pause by alice', say: '/resume' },
    ];
    await work({
      onTurn: async () => {
        const state = await readState();
        if (seen.at(-1) !== state) seen.push(state);
        if (steps[0]?.when() === true)
          people.comment(key, { author: 'alice', body: steps.shift()?.say ?? '' });
      },
      isOver: () => seen.length > 3,
    });
    const atWork = 'running: no by one';
    expect(seen).toEqual(['undefined: no by one', atWork, 'paused: pause by alice', atWork]);
    expect([commentsOf(key, 'money').length, calledAt.length]).toEqual([1, 1]);
  }, 60_000);

  it('ends a process with "once", which begins no further task, at that start and at the next [NX-196]', async () => {
    const { clock, people, ask, calledAt, commentsOf, work } = openPlace();
    const [first, second] = [ask('Apples'), ask('Pears')];
    const start = async () => {
      const { result, board } = await work({ once: true, isOver: () => false });
      const [hold] = board.state.holds;
      return { result, calls: calledAt.length, cause: hold?.cause, scope: hold?.scope, until: hold?.until };
    };
    const held = { result: false, calls: 1, cause: 'money_day', scope: '2026-03-01', until: midnight };
    expect(await start()).toEqual(held);
    expect(await start()).toEqual(held);
    const comments = (key: typeof first) => people.commentsOn(key).length;
    expect([commentsOf(first, 'money').length, commentsOf(first, 'final').length]).toEqual([1, 0]);
    expect(comments(second)).toBe(0);
    clock.ms = midnight;
    await start();
    expect(commentsOf(first, 'final')).toHaveLength(1);
  }, 60_000);
});
