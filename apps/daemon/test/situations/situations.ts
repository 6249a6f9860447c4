import {
  all,
  failed,
  hold,
  leads,
  longCall,
  ok,
  poller,
  ready,
  second,
  single,
  slow,
  waiting,
  worker,
} from './processes.ts';
import type { Situation } from './situation.ts';

/** Situations of the service. */
const services: readonly Situation[] = [
  { name: 'nothing to do', processes: [single], viewer: 11, expected: ready },
  { name: 'several processes, nothing to do', processes: all, viewer: 11, expected: ready },
  {
    name: 'a task waits for its turn',
    ...{ processes: [single], viewer: 11, isQueued: true },
    expected: { status: 'ready', run: 'queued', reason: 'Waiting for its turn' },
  },
  {
    name: 'the key of the model is refused on the workers while the poller is well',
    processes: [poller, ...[worker, second].map((one) => ({ ...one, conditions: [failed('model', 7)] }))],
    ...{ viewer: 11, isQueued: true },
    expected: {
      ...{ status: 'degraded', causes: { model_refused: 7 }, run: 'queued' },
      reason: 'The model endpoint refuses requests',
    },
  },
  {
    name: 'the same, asked at a worker',
    processes: [poller, { ...worker, conditions: [failed('model', 7)] }, second],
    viewer: 12,
    expected: { status: 'not-ready', causes: { model_refused: 7 } },
  },
  {
    name: 'the model of one of two workers is away',
    processes: [poller, { ...worker, conditions: [waiting('model', 4)] }, second],
    viewer: 13,
    expected: { status: 'degraded', causes: { model_away: 4 } },
  },
  {
    name: 'the queue is held by the limit of content writes, seen by a worker',
    processes: [poller, { ...worker, holds: [hold('content_writes', 33, 'github.com')] }, second],
    ...{ viewer: 11, isQueued: true },
    expected: {
      ...{ status: 'degraded', causes: { content_writes: 33 }, run: 'queued' },
      reason: 'The hourly limit of comments and pull requests on github.com is used up',
    },
  },
  {
    name: 'the hourly limit of requests is used up, seen by two workers',
    processes: [
      poller,
      { ...worker, holds: [hold('requests_primary', 9, 'github.com')] },
      { ...second, holds: [hold('requests_primary', 5, 'github.com')] },
    ],
    ...{ viewer: 11, isQueued: true },
    expected: {
      ...{ status: 'degraded', causes: { requests_primary: 9 }, run: 'queued' },
      reason: 'The hourly request limit of github.com is used up',
    },
  },
  {
    name: 'the platform asked for a break',
    processes: [{ ...single, holds: [hold('requests_secondary', 1, 'github.com')] }],
    ...{ viewer: 11, isQueued: true },
    expected: { status: 'degraded', causes: { requests_secondary: 1 }, run: 'queued', reason: 'github.com' },
  },
  ...(
    [
      ['money_day', '2026-01-02', 'The budget of the day is used up'],
      ['money_person', 'github.com/alice', 'Waiting for its turn'],
      ['money_repository', 'github.com/acme/shop', 'The budget of github.com/acme/shop is used up'],
    ] as const
  ).map(
    ([cause, scope, reason]): Situation => ({
      name: `a budget is used up: ${cause}`,
      processes: [poller, { ...worker, holds: [hold(cause, 50, scope)] }, second],
      ...{ viewer: 11, isQueued: true },
      expected: { status: 'degraded', causes: { [cause]: 50 }, run: 'queued', reason },
    }),
  ),
  {
    name: 'everything is paused, with a queued task',
    ...{ processes: [single], viewer: 11, pausedBy: 'carol', isQueued: true },
    expected: {
      ...{ status: 'degraded', causes: { paused_all: 0 }, run: 'queued' },
      reason: 'Everything is paused (by carol)',
    },
  },
  {
    name: 'everything is paused while no process runs',
    ...{ processes: [], viewer: null, pausedBy: 'carol' },
    expected: { status: 'stopped', causes: { paused_all: 0 } },
  },
  {
    name: 'the poller crashed',
    processes: [{ ...poller, silentSeconds: 300 }, worker, second],
    ...{ viewer: 12, isQueued: true },
    expected: {
      ...{ status: 'degraded', causes: { no_poller: 5 }, run: 'queued' },
      reason: 'No process polls for tasks',
    },
  },
  {
    ...{ name: 'the poller was stopped', processes: [worker, second], viewer: 12 },
    expected: { status: 'degraded', causes: { no_poller: null } },
  },
  {
    name: 'the workers crashed',
    processes: [poller, { ...worker, silentSeconds: 240 }, { ...second, silentSeconds: 120 }],
    ...{ viewer: 11, isQueued: true },
    expected: {
      ...{ status: 'degraded', causes: { no_worker: 2 }, run: 'queued' },
      reason: 'No process runs tasks',
    },
  },
  {
    name: 'a worker is suspended',
    processes: [poller, { ...worker, silentSeconds: 25, running: 1 }, second],
    viewer: 11,
    expected: { status: 'degraded', causes: { process_silent: 0 } },
  },
  {
    name: 'the only worker is suspended',
    processes: [poller, { ...worker, silentSeconds: 25 }],
    viewer: 11,
    expected: { status: 'degraded', causes: { no_worker: 0, process_silent: 0 } },
  },
  {
    name: 'the configuration is invalid after SIGHUP',
    processes: [
      { ...single, conditions: [...leads, failed('settings', 3, 'concurency is not a known key')] },
    ],
    viewer: 11,
    expected: { status: 'degraded', causes: { settings_invalid: 3 } },
  },
  {
    name: 'the platform is away, asked at the poller',
    processes: [{ ...poller, conditions: [ok('lead'), waiting('platform:github', 8)] }, worker],
    viewer: 11,
    expected: { status: 'not-ready', causes: { platform_away: 8 } },
  },
  {
    name: 'the platform is away, asked at a worker',
    processes: [{ ...poller, conditions: [ok('lead'), waiting('platform:github', 8)] }, worker],
    viewer: 12,
    expected: { status: 'degraded', causes: { platform_away: 8 } },
  },
  {
    name: 'a platform is away at the start',
    processes: [{ ...single, conditions: [waiting('platforms', 2)] }],
    viewer: 11,
    expected: { status: 'not-ready', causes: { platform_away: 2 } },
  },
  {
    name: 'the first poll is due',
    processes: [{ ...single, conditions: [waiting('platform:github', 0, 'not polled yet')] }],
    viewer: 11,
    expected: { status: 'not-ready', causes: { starting: 0 } },
  },
  {
    name: 'a repository is gone',
    processes: [{ ...single, conditions: [...leads, failed('place:github/acme/gone', 90, '404')] }],
    viewer: 11,
    expected: { status: 'degraded', causes: { repository_away: 90 } },
  },
  {
    name: 'the program of the agent is missing',
    processes: [{ ...single, conditions: [...leads, failed('agent', 6, 'ENOENT')] }],
    ...{ viewer: 11, isQueued: true },
    expected: {
      ...{ status: 'not-ready', causes: { agent_missing: 6 }, run: 'queued' },
      reason: 'The program of the external agent cannot be started',
    },
  },
  {
    name: 'the disk is full in a living process',
    processes: [{ ...single, conditions: [...leads, failed('disk', 12, 'less than 64 MiB left')] }],
    ...{ viewer: 11, isQueued: true },
    expected: {
      ...{ status: 'not-ready', causes: { disk: 12 }, run: 'queued' },
      reason: 'The disk of the runs is full',
    },
  },
  {
    name: 'the disk of the worktrees is full on one of two workers',
    processes: [
      poller,
      { ...worker, conditions: [failed('worktrees', 14, 'less than 64 MiB left')] },
      { ...second, conditions: [] },
    ],
    viewer: 11,
    expected: { status: 'degraded', causes: { disk_worktrees: 14 } },
  },
  {
    name: 'the disk of the database is full',
    processes: all.map((one) => ({ ...one, conditions: [failed('database', 5, 'No space left (53100)')] })),
    viewer: 12,
    expected: { status: 'not-ready', causes: { database: 5 } },
  },
  {
    name: 'the platform answers slowly, as two processes measured it',
    processes: [
      { ...poller, conditions: [...leads, slow(9, 2_600)] },
      { ...worker, conditions: [ok('model'), slow(14, 4_100)] },
      second,
    ],
    viewer: 13,
    expected: { status: 'degraded', causes: { platform_slow: 14 } },
  },
  {
    name: 'calls to the model take long',
    processes: [{ ...single, conditions: [...leads, ok('model'), longCall(6)] }],
    viewer: 11,
    expected: { status: 'degraded', causes: { model_slow: 6 } },
  },
  {
    name: 'all slots are busy with long calls, and a task waits for its turn',
    processes: [{ ...single, conditions: [...leads, ok('model'), longCall(6)], running: 4 }],
    ...{ viewer: 11, isQueued: true },
    expected: {
      status: 'degraded',
      causes: { model_slow: 6 },
      run: 'queued',
      reason: 'All 4 slots are busy',
    },
  },
  {
    name: 'several problems at once',
    processes: [
      poller,
      { ...worker, conditions: [failed('model', 7)], holds: [hold('content_writes', 33, 'github.com')] },
      { ...second, conditions: [waiting('outbox:acme/shop#9 (00000009)', 80, 'comment: 403')] },
    ],
    ...{ viewer: 11, pausedBy: 'carol' },
    expected: {
      status: 'degraded',
      causes: { model_refused: 7, paused_all: 0, content_writes: 33, updates_pending: 80 },
    },
  },
  {
    name: 'the process shuts down',
    ...{ processes: [single], viewer: 11, isEnding: true },
    expected: { status: 'ending' },
  },
];

const pending = waiting('outbox:acme/shop#1 (00000000)', 30, 'comment: 410');

/** Situations of a run. */
const runs: readonly Situation[] = (
  [
    ['a run works', 'opened', { run: 'running' }],
    ['a run is paused by a person', 'paused', { run: 'paused' }],
    ['a run waits for approval', 'approval', { run: 'needs_input', reason: 'Waiting for its plan' }],
    ['a run waits for an answer', 'answer', { run: 'needs_input', reason: 'Waiting for an answer' }],
    ['a run has held changes', 'held', { run: 'needs_input', reason: '2 held changes' }],
    ['a run is in review', 'follow-up', { run: 'in_review', reason: 'Watching for reviews' }],
    ['a run failed', 'failed', { run: 'ended', reason: 'run_command failed: exit code 1' }],
    ['a run ended partly done', 'partial', { run: 'ended', reason: 'run_command failed: exit code 1' }],
    ['a run was stopped', 'stopped', { run: 'ended', reason: 'run_command failed: exit code 1' }],
    ['a run completed', 'completed', { run: 'ended' }],
  ] as const
).map(([name, record, expected]) => ({
  ...{ name, record, processes: all, viewer: 11 },
  expected: { ...ready, ...expected },
}));

const pendingRuns: readonly Situation[] = [
  {
    name: 'a run failed and its updates are pending',
    ...{ record: 'pending updates', viewer: 11 },
    processes: [poller, { ...worker, conditions: [ok('model'), pending] }],
    expected: {
      ...{ status: 'degraded', causes: { updates_pending: 30 } },
      ...{ run: 'delivering', reason: 'run_command failed: exit code 1' },
    },
  },
  {
    name: 'a run failed and its updates are pending while no process runs',
    ...{ record: 'pending updates', viewer: null, processes: [] },
    expected: { status: 'stopped', run: 'delivering', reason: 'run_command failed: exit code 1' },
  },
  {
    name: 'a run has no process',
    ...{ record: 'opened', viewer: null, processes: [] },
    expected: { status: 'stopped', run: 'running' },
  },
];

/** All situations. */
export const situations: readonly Situation[] = [...services, ...runs, ...pendingRuns];
