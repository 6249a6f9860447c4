import type { BoardEvent } from '@agent/orchestrator';

const task = { uuid: 'u1', name: 'acme/shop#1', title: 'The total is wrong', url: 'http://x/1' };
const answer = {
  ...{ type: 'model-answer' as const, step: 1, text: 'x', tools: ['read_file'] },
  usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 50 },
};
const call = { step: 1, toolCallId: 'c1', tool: 'read_file', args: {} } as const;
const request = {
  platform: 'github',
  host: 'github.com',
  route: 'issues.list',
  method: 'GET',
  durationMs: 300,
} as const;
const model = { provider: 'openai.chat', model: 'm', durationMs: 1_500 } as const;

/** At least one event for each number of `/metrics`. */
export const allEvents: readonly BoardEvent[] = [
  { type: 'queue-begin', kind: 'new', waitedMs: 90_000 },
  { type: 'task-begin', task, resumed: false },
  { type: 'inheritance', depth: 4, tokens: 700 },
  { type: 'preparation', uuid: 'u1', stage: { subphase: 'understanding', done: 0, total: 0 } },
  { type: 'run-event', uuid: 'u1', event: answer },
  {
    ...{ type: 'run-event', uuid: 'u1' },
    event: { type: 'tool-end', ...call, status: 'error', output: 'no', durationMs: 5 },
  },
  { type: 'call-cost', uuid: 'u1', micros: 2_500_000 },
  { type: 'model-call', ...model, inputTokens: 300, outputTokens: 20, failure: null },
  { type: 'model-call', ...model, inputTokens: null, outputTokens: null, failure: 'timeout' },
  { type: 'request', ...request, status: 200, error: null },
  { type: 'request', ...request, status: 304, error: null },
  { type: 'request', ...request, status: null, error: 'TimeoutError' },
  { type: 'git', operation: 'fetch', durationMs: 2_000, failed: false },
  { type: 'comment', platform: 'github' },
  { type: 'look', platform: 'github', error: null, places: [{ name: 'acme/shop', answered: true }] },
  { type: 'look', platform: 'gitlab', error: 'down' },
  {
    ...{ type: 'outbox', uuid: 'u2', name: 'acme/shop#2' },
    open: { kinds: ['comment', 'label'], reason: 'comment: 403' },
  },
  {
    ...{ type: 'plan', uuid: 'u1', ended: 'succeeded' },
    stage: { phase: 'execution', done: 1, total: 3 },
  },
  {
    type: 'holds',
    holds: [
      {
        ...{ cause: 'content_writes', scope: 'github.com', by: null, reason: null },
        ...{ since: 1_000, until: 151_500 },
      },
    ],
  },
  { type: 'run-end', uuid: 'u1', outcome: 'failed' },
];
