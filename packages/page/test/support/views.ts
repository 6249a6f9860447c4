import type { BoardRow, HealthView, RunView, ThreadView, TimelineEntry } from '@agent/orchestrator/watch';

const START = Date.UTC(2026, 10, 28, 1, 0);
const minutes = (count: number): number => START + count * 60_000;

const outcomes = ['completed', 'failed', 'stopped', 'partial'] as const;

const titles = [
  'Fix the rounding of totals in the cart',
  '合計の丸めを直す（消費税の計算）',
  'Add a dark theme to the settings page and keep the choice of each person over all of their devices',
  'Update dependencies',
  'Search finds nothing after a rename',
];

/** Creates the row of a task by its place among all. */
export function createRow(index: number, total: number): BoardRow {
  const state = index < 3 ? 'running' : index < 7 ? 'queued' : index < 9 ? 'needs_input' : 'ended';
  const number = total - index;
  const repository = index % 3 === 0 ? 'acme/shop' : index % 3 === 1 ? 'acme/docs' : 'octo/tools';
  const hasRun = state !== 'queued';
  const threadKey = `github_issue:${repository.replace('/', ':')}:${number}`;
  return {
    id: hasRun ? `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` : threadKey,
    uuid: hasRun ? `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` : null,
    threadKey,
    name: `${repository}#${number}`,
    repository,
    title: titles[index % titles.length] ?? null,
    url: `https://github.com/${repository}/issues/${number}`,
    state,
    status: state === 'ended' ? (outcomes[index % 4] ?? null) : null,
    since: minutes(-index * 7),
    reason:
      state === 'queued'
        ? 'The hourly limit of comments on github.com is used up'
        : state === 'needs_input'
          ? 'Waiting for an answer to its question'
          : null,
    user: index % 2 === 0 ? 'alice' : null,
    progress: state === 'running' ? { phase: 'execution', done: index + 2, total: 7 } : null,
    step: state === 'running' ? 14 + index : null,
    ...(state === 'running'
      ? { tool: 'run_tests', toolSince: START, asking: null, askingSince: null }
      : { tool: null, toolSince: null, asking: null, askingSince: null }),
    tokens: hasRun ? 48_200 + index * 311 : null,
    costMicros: hasRun ? 412_000 + index * 9_100 : null,
  };
}

/** Creates a run for a row, with 60 steps. */
export function createRun(row: BoardRow): RunView {
  return {
    row,
    startedAt: minutes(-30),
    endedAt: row.state === 'ended' ? minutes(10) : null,
    elapsedMs: 40 * 60_000,
    maxSteps: 100,
    pause: null,
    held: [],
    facts: [
      { name: 'model', value: 'gpt-oss-120b', url: null },
      { name: 'branch', value: 'agent/42-fix-rounding', url: `${row.url}/tree` },
      { name: 'opened by', value: 'octocat', url: null },
      { name: 'requested by', value: 'mona', url: null },
      { name: 'pull request', value: '#57', url: `https://github.com/${row.repository}/pull/57` },
      { name: 'step', value: '14 of 60', url: null },
    ],
    outcome:
      row.state === 'ended'
        ? { reason: null, text: 'The total is rounded once, at the end.\n\nTests were added.' }
        : null,
    comments: [
      {
        id: '9001',
        kind: 'added',
        author: 'mona',
        url: `${row.url}#issuecomment-9001`,
        body: 'Please keep the API as it is.',
        postedAt: minutes(-12),
        seenAt: minutes(-12) + 900,
        deliveredAt: minutes(-11),
        request: 7,
        answeredAt: minutes(-9),
        command: null,
      },
      {
        id: '9002',
        kind: 'edited',
        author: 'hubot',
        url: null,
        body: '丸めは最後に一度だけにしてください。',
        postedAt: minutes(-2),
        seenAt: minutes(-2) + 700,
        deliveredAt: null,
        request: null,
        answeredAt: null,
        command: null,
      },
    ],
    assumptions: [
      {
        id: 'A1',
        text: 'Prices are in yen without decimals.',
        confidence: 0.8,
        outcome: 'confirmed',
        reason: 'mona said so',
      },
      { id: 'A2', text: 'The old API stays for a release.', confidence: 0.4, outcome: 'open', reason: null },
      {
        id: 'A3',
        text: 'No users are on Internet Explorer.',
        confidence: null,
        outcome: 'rejected',
        reason: 'The logs show some',
      },
    ],
    plan: {
      goal: 'Totals are rounded once.',
      phase: 'execution',
      actions: [
        {
          id: 'task_1',
          text: 'Find where totals are rounded',
          tool: 'search',
          state: 'succeeded',
          detail: null,
        },
        {
          id: 'task_2',
          text: 'Write a failing test',
          tool: 'edit_file',
          state: 'started',
          detail: 'second attempt',
        },
        { id: 'task_3', text: 'Round once', tool: null, state: 'open', detail: null },
        { id: 'task_4', text: 'Change the API', tool: null, state: 'dropped', detail: 'mona wants it kept' },
      ],
      revisions: [
        { at: minutes(-11), reason: 'A comment asks to keep the API', changes: ['task_4 dropped'] },
      ],
      verifications: [{ at: minutes(-3), passed: false, issues: ['One test fails'] }],
    },
    costs: Array.from({ length: 30 }, (_, index) => ({
      at: minutes(-30 + index),
      costMicros: Math.round(14_000 * index ** 1.15),
      tokens: 1_600 * index,
    })),
    currency: 'USD',
    controls: row.state === 'ended' ? ['retry'] : ['pause', 'stop', 'budget'],
    failure: row.status === 'failed' ? { ...createEntry(31), step: 11 } : null,
    show: null,
    filtered: { tools: 20, errors: 10, comments: 6 },
    timeline: Array.from({ length: 60 }, (_, index) => createEntry(index)),
    before: 0,
    after: 0,
  };
}

function createEntry(index: number): TimelineEntry {
  const kind = index % 10 === 9 ? 'comment' : index % 3 === 1 ? 'tool' : 'message';
  return {
    seq: index + 1,
    at: minutes(-30) + index * 31_000,
    kind,
    name: kind === 'tool' ? 'run_tests' : kind === 'comment' ? '@mona' : 'assistant',
    text:
      kind === 'tool'
        ? 'ok 1 - rounds once\nnot ok 2 - keeps yen\n# tests 2'
        : 'I look at where the total is put together, then I change the rounding and run the tests again.',
    cut: index === 4 ? 12_345 : 0,
    args: kind === 'tool' ? '{"path":"src/cart","watch":false}' : null,
    status: kind === 'tool' ? (index % 2 === 0 ? 'success' : 'error') : null,
    durationMs: kind === 'tool' ? 2_340 : null,
    tokens: kind === 'message' ? 1_204 : null,
    costMicros: kind === 'message' ? 14_000 : null,
  };
}

/** Creates the lineage of a row's thread: three runs. */
export function createThread(row: BoardRow): ThreadView {
  const earlier = (index: number): BoardRow => ({
    ...row,
    id: `${row.id}-${index}`,
    uuid: `11111111-0000-4000-8000-00000000000${index}`,
    state: 'ended',
    status: index === 1 ? 'failed' : 'completed',
    reason: null,
  });
  return {
    key: row.threadKey,
    name: row.name,
    title: row.title,
    url: row.url,
    queued: null,
    runs: [
      { row: earlier(1), inheritedFrom: [], summary: null, decisions: [] },
      {
        row: earlier(2),
        inheritedFrom: [earlier(1).uuid ?? ''],
        summary: 'Rounding was moved to the end.\nThe API was kept.',
        decisions: [
          {
            text: 'The API stays as it is',
            source: 'comment',
            commentId: '9001',
            url: `${row.url}#issuecomment-9001`,
            detail: null,
            standing: 'stands',
          },
          {
            text: 'Prices are floats',
            source: 'agent',
            commentId: null,
            url: null,
            detail: null,
            standing: 'replaced',
          },
          {
            text: 'Round per line',
            source: 'comment',
            commentId: '9001',
            url: `${row.url}#issuecomment-8000`,
            detail: null,
            standing: 'source-deleted',
          },
        ],
      },
      { row, inheritedFrom: [earlier(2).uuid ?? ''], summary: null, decisions: [] },
    ],
  };
}

export const health: HealthView = {
  status: 'degraded',
  conditions: [
    { part: 'platform:github', state: 'ok', since: minutes(-300), reason: null, processes: [3] },
    {
      part: 'place:gitlab/acme/shop',
      state: 'waiting',
      since: minutes(-4),
      reason: 'Server error (503). Retrying in 40 s.',
      processes: [3],
    },
    { part: 'model', state: 'failed', since: minutes(-1), reason: 'connection refused', processes: [4] },
  ],
  problems: [
    {
      state: 'failed',
      since: minutes(-1),
      until: null,
      reason: 'connection refused',
      what: 'The model endpoint refuses requests',
      remedy: 'Fix the key or the model in llm, then reload or restart.',
    },
    {
      state: 'waiting',
      since: minutes(-20),
      until: minutes(33),
      reason: null,
      what: 'The hourly limit of comments on github.com is used up',
      remedy: 'Nothing to do: tasks start again when the limit allows it.',
    },
  ],
  notices: [
    {
      what: 'github: acme/shop: the default branch main is not protected',
      remedy: 'Protect it on <GitHub>.',
    },
  ],
  budgets: [
    {
      ...{ kind: 'requests', name: 'github', spent: null, reserved: null },
      ...{ left: 4_310, limit: 5_000, resetsAt: minutes(20), currency: null },
    },
    {
      ...{ kind: 'money', name: '2026-11-30', spent: 14_000, reserved: 22_800 },
      ...{ left: 4_963_200, limit: 5_000_000, resetsAt: minutes(600), currency: 'USD' },
    },
    {
      ...{ kind: 'requests', name: 'gitlab', spent: null, reserved: null },
      ...{ left: null, limit: null, resetsAt: null, currency: null },
    },
  ],
  model: 'gpt-oss-120b',
  waiting: 4,
  processes: [
    {
      ...{ number: 3, host: 'build-1', pid: 4242, silentMs: 2_000, isThis: true, leads: true },
      ...{ role: 'look', version: '1.0.0', startedAt: minutes(-600), running: 0, concurrency: 4 },
    },
    {
      ...{ number: 4, host: 'build-2', pid: 991, silentMs: 23_000, isThis: false, leads: false },
      ...{ role: null, version: null, startedAt: null, running: null, concurrency: null },
    },
  ],
};
