import { findGitHubRouteClass } from '@agent/platforms/github';
import { startGitHubSimulator } from '@agent/simulators/github';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFetch } from '../platforms/platform-entry.ts';
import type { ReportedProcess } from '../state/process-report.ts';
import { deriveServiceState } from '../state/service-state.ts';
import type { BoardEvent } from './board-event.ts';
import { toReport } from './process-reports.ts';
import { TaskBoard } from './task-board.ts';
import { watchSlowness } from './watch-slowness.ts';

const minute = 60_000;
const about: Omit<ReportedProcess, 'number'> = {
  ...{ host: 'build-1', role: 'both', version: null, startedAt: 0, concurrency: 3 },
};

let time = 0;
beforeEach(() => {
  time = 1_000_000;
});

/** A process, and how it and others see the service. */
function openProcess({ stepTimeoutMs = 10 * minute } = {}) {
  const board = new TaskBoard({ now: () => time });
  const changes: string[] = [];
  board.subscribe(() => void changes.push([...board.state.conditions.values()].at(-1)?.reason ?? 'ok'));
  const watch = watchSlowness({ observe: board.observe, stepTimeoutMs, now: () => time });
  const report = (number = 1) =>
    toReport(board.state, { process: { ...about, number }, redact: (text) => text });
  const derive = (others: readonly ReturnType<typeof report>[] = []) => {
    watch.check();
    const own = { ...report(), isEnding: false };
    const members = [1, 2].map((number) => ({ number, pid: number, host: 'build-1', silentMs: 0 }));
    return deriveServiceState({ members, reports: others, pause: null, isShared: false, own, now: time });
  };
  return { watch, report, derive, changes };
}

const slowRequest = (durationMs: number): BoardEvent => ({
  ...{ type: 'request', platform: 'github', host: 'github.com', route: 'issues', method: 'GET' },
  ...{ status: 200, error: null, durationMs },
});

let gitHub: Awaited<ReturnType<typeof startGitHubSimulator>> | null = null;
afterEach(() => gitHub?.close().then(() => undefined));

describe('the watch over what takes long', () => {
  it('reports a platform that answers slowly, and no longer when it is fast again [NX-17]', async () => {
    gitHub = await startGitHubSimulator();
    const { watch, derive } = openProcess();
    let clock = 0;
    let takesMs = 2_600;
    const fetch = openFetch(
      { platform: 'github', toRouteClass: findGitHubRouteClass },
      { observe: watch.observe, monotonicNow: () => (clock += takesMs) },
    );
    const { url } = gitHub;
    const ask = async (times: number) => {
      for (let number = 0; number < times; number += 1) {
        time += 5_000;
        await fetch(`${url}/repos/acme/shop/issues`);
      }
    };
    await ask(9);
    expect(derive()).toMatchObject({ status: 'ready', problems: [] });
    await ask(1);
    expect(derive()).toMatchObject({
      status: 'degraded',
      problems: [
        {
          ...{ cause: 'platform_slow', scope: 'github', state: 'waiting', since: 1_005_000 - 2_600 },
          reason: 'issues.list takes 2.6 s (median of the last 10 requests)',
        },
      ],
    });
    takesMs = 50;
    await ask(6);
    expect(derive()).toMatchObject({ status: 'ready', problems: [], conditions: [{ state: 'ok' }] });
  });

  it('shows the worst of several processes, with the earliest start [NX-136]', () => {
    const [one, two] = [openProcess(), openProcess()];
    for (let number = 0; number < 10; number += 1) {
      one.watch.observe(slowRequest(3_000));
      time += 1_000;
      two.watch.observe(slowRequest(4_500));
    }
    two.derive();
    expect(one.derive([two.report(2)]).problems).toMatchObject([
      { since: 1_001_000 - 4_500, reason: expect.stringMatching(/^issues takes 4\.5 s/), processes: [1, 2] },
    ]);
  });

  it('does not count requests that failed at once, and counts those that timed out', () => {
    const { watch, derive } = openProcess();
    const request = { ...slowRequest(30_000), status: null };
    for (const error of ['TypeError', 'AbortError'])
      for (let number = 0; number < 20; number += 1) watch.observe({ ...request, error } as BoardEvent);
    expect(derive().problems).toEqual([]);
    for (let number = 0; number < 10; number += 1)
      watch.observe({ ...request, error: 'TimeoutError' } as BoardEvent);
    expect(derive().problems).toMatchObject([{ cause: 'platform_slow' }]);
  });

  it('changes the reason once a minute at most, while the figures change with each request', () => {
    const { watch, derive, changes } = openProcess();
    for (let number = 0; number < 120; number += 1) {
      watch.observe(slowRequest(3_000 + number * 100));
      time += 1_000;
      derive();
    }
    expect(changes).toHaveLength(2);
  });

  it('reports calls to the model that take long, as long as they do; they keep no task from starting [NX-17]', () => {
    const { watch, derive } = openProcess();
    const calls = ['a', 'b', 'c'].map((uuid) => ({ uuid }));
    for (const call of calls) watch.observe({ type: 'model-wait', call, begins: true });
    time += 3 * minute;
    expect(derive().problems).toEqual([]);
    time += 2 * minute;
    expect(derive()).toMatchObject({
      status: 'degraded',
      problems: [
        {
          ...{ cause: 'model_slow', since: 1_000_000, state: 'waiting' },
          reason: '3 runs wait for an answer of the model, the longest for 5 minutes',
        },
      ],
    });
    for (const call of calls.slice(1))
      watch.observe({ type: 'model-wait', call, begins: false, isAnswered: true });
    time += 7 * minute;
    expect(derive().problems[0]?.reason).toBe('1 run waits for an answer of the model, for 12 minutes');
    watch.observe({ type: 'model-wait', call: calls[0] ?? { uuid: '' }, begins: false, isAnswered: true });
    expect(derive()).toMatchObject({ status: 'ready', problems: [] });
  });

  it('reports calls to the model after half of a time limit below six minutes', () => {
    const { watch, derive } = openProcess({ stepTimeoutMs: 2 * minute });
    watch.observe({ type: 'model-wait', call: { uuid: 'a' }, begins: true });
    time += minute;
    expect(derive().problems).toEqual([]);
    time += 1;
    expect(derive().problems).toMatchObject([
      { cause: 'model_slow', reason: expect.stringMatching(/1 minute$/) },
    ]);
  });

  it('reports one wait while a call that ran into its time limit is made again, until an answer comes or the run is left [NX-430]', () => {
    const { watch, derive } = openProcess({ stepTimeoutMs: 2 * minute });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const call = { uuid: 'a' };
      watch.observe({ type: 'model-wait', call, begins: true });
      time += 2 * minute;
      watch.observe({ type: 'model-wait', call, begins: false, isAnswered: false });
    }
    expect(derive().problems).toMatchObject([
      {
        cause: 'model_slow',
        since: 1_000_000,
        reason: '1 run waits for an answer of the model, for 6 minutes',
      },
    ]);
    const call = { uuid: 'a' };
    watch.observe({ type: 'model-wait', call, begins: true });
    watch.observe({ type: 'model-wait', call, begins: false, isAnswered: true });
    expect(derive().problems).toEqual([]);
    watch.observe({ type: 'model-wait', call: { uuid: 'b' }, begins: true });
    time += 2 * minute;
    watch.observe({ type: 'task-leave', uuid: 'b' });
    expect(derive().problems).toEqual([]);
  });
});
