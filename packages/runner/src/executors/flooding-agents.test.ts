import type { AgentScriptInput } from '@agent/simulators/acp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { createLog } from '../../test/log.ts';
import { commentSaying, createInbox, nothingNew, toOutcome } from '../../test/run-setup.ts';
import type { RunSignals } from '../ports.ts';
import { readEntries } from '../replay-journal.ts';
import { EventQueue } from './event-queue.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => {
  vi.restoreAllMocks();
  return bed.remove();
});

const update = (fields: object) =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', method: 'session/update' },
    params: { sessionId: '$session', update: fields },
  });
const says = (sessionUpdate: string, text: string) =>
  update({ sessionUpdate, content: { type: 'text', text } });

/** Writes one line again and again when it is prompted. */
const flood = (line: string, times: number): AgentScriptInput => ({
  misbehavior: { noise: [{ at: 'prompt', line, times }] },
});

const permission = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 'p$n', method: 'session/request_permission' },
  params: {
    sessionId: '$session',
    toolCall: { toolCallId: '1', kind: 'fetch', title: 'Fetch' },
    options: [{ optionId: 'no', name: 'No', kind: 'reject_once' }],
  },
});

const endless: readonly (readonly [string, string])[] = [
  ['thoughts', says('agent_thought_chunk', 'hm')],
  ['plans', update({ sessionUpdate: 'plan', entries: [{ content: 'step $n', status: 'pending' }] })],
  ['progress of one call', update({ sessionUpdate: 'tool_call_update', toolCallId: 'one', title: 'One' })],
  [
    'pieces of what a call prints',
    update({
      ...{ sessionUpdate: 'tool_call_update', toolCallId: 'one' },
      _meta: { terminal_output_delta: { data: `$n ${'x'.repeat(100)}` } },
    }),
  ],
  ['beginnings of calls', update({ sessionUpdate: 'tool_call', toolCallId: 'n$n', title: 'Another' })],
  ['costs', update({ sessionUpdate: 'usage_update', cost: { amount: 0.01, currency: 'USD' } })],
  ['updates of no kind', update({ sessionUpdate: 'mood' })],
  ['updates of no session', '{"jsonrpc":"2.0","method":"session/update","params":{}}'],
  ['answers to nothing', '{"jsonrpc":"2.0","id":"x$n","result":{}}'],
];

describe('an agent that floods', () => {
  it.each(endless)(
    'is worked with as any other, and leaves a short journal: any number of %s [NX-283]',
    async (_, line) => {
      const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
      const scripts = [flood(line, 10_000)];
      const { result, journal } = await bed.play({
        comments,
        scripts,
        task: { limits: { maxSteps: 1_000 } },
      });
      expect(toOutcome(result)).toMatchObject({ status: 'completed', finalText: 'I have read 2 messages.' });
      expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
      expect(JSON.stringify(await readEntries(journal)).length).toBeLessThan(300_000);
      expect(journal.toolEvents.length).toBeLessThan(600);
    },
    60_000,
  );

  it.each(endless.slice(0, 6))(
    'hears a stop in the middle of it: %s [NX-283]',
    async (_, line) => {
      let asked = 0;
      const signals: RunSignals = { read: async () => (++asked > 1 ? 'stop' : 'none') };
      const { result } = await bed.play({
        scripts: [flood(line, 10_000_000)],
        executor: { cancelTimeoutMs: 1 },
        task: { signals, checkIntervalMs: 10 },
      });
      expect(toOutcome(result).status).toBe('stopped');
    },
    60_000,
  );

  it.each([
    ['words', says('agent_message_chunk', 'word after word '.repeat(64))],
    ['thoughts', says('agent_thought_chunk', 'thought after thought '.repeat(64))],
  ])(
    'is told that its answer was too long, once: %s without end [NX-283]',
    async (_, line) => {
      const scripts = [{ ...flood(line, 4_000), calls: 0 }];
      const { result, journal } = await bed.play({ scripts, task: { maxAnswerChars: 100_000 } });
      expect(toOutcome(result).reason).toContain('answer was too long twice');
      expect(JSON.stringify(await readEntries(journal)).length).toBeLessThan(300_000);
    },
    60_000,
  );

  it('is ended for asking for permissions at full speed, which are told and not all logged [NX-283, NX-284]', async () => {
    // The agent of the test is told answers to requests that it wrote by hand.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const log = createLog();
    const { result } = await bed.play({
      scripts: [flood(permission, 20_000)],
      executor: { cancelTimeoutMs: 1 },
      task: { logger: log.logger },
    });
    expect(toOutcome(result).reason).toContain('permissions and kept asking.');
    const told = log.lines.filter(({ message }) => message === 'denied agent permission');
    expect(told.length).toBeGreaterThan(50);
    expect(told.length).toBeLessThan(200);
  }, 60_000);

  it('fails with a clear reason where it writes a line without end [NX-283, NX-288]', {
    tags: ['full'],
  }, async () => {
    const noise = [{ at: 'prompt' as const, fill: 100_000_000 }];
    const { result, starts } = await bed.play({ scripts: [{ misbehavior: { noise } }] });
    expect(toOutcome(result).reason).toContain('Details: it wrote a line of more than 16777216 bytes');
    expect(starts).toBe(3);
  });

  it('cannot have one call fill the journal [NX-283]', async () => {
    const call = update({
      ...{ sessionUpdate: 'tool_call', toolCallId: 'x'.repeat(9_000), title: 't'.repeat(9_000) },
      ...{ status: 'completed', rawInput: { text: 'i'.repeat(900_000) }, rawOutput: 'o'.repeat(900_000) },
    });
    const { result, journal } = await bed.play({ scripts: [flood(call, 1)] });
    expect(toOutcome(result).status).toBe('completed');
    expect(JSON.stringify([await readEntries(journal), journal.toolEvents]).length).toBeLessThan(800_000);
  });
});

describe('a flooding agent in a process of its own', () => {
  it('does not fill the memory of the run, also by its standard error [NX-283]', {
    tags: ['full'],
  }, async () => {
    const own = createAgentBed({ isProcess: true });
    const thought = says('agent_thought_chunk', 'x');
    const noise = [
      { at: 'prompt' as const, line: 'e'.repeat(1_000), times: 20_000, to: 'stderr' as const },
      { at: 'prompt' as const, line: thought, times: 100_000 },
    ];
    try {
      const before = process.memoryUsage().rss;
      const { result } = await own.play({ scripts: [{ misbehavior: { noise } }] });
      expect(toOutcome(result).status).toBe('completed');
      expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
    } finally {
      await own.remove();
    }
  });

  it('that never reads what it is sent is given up in time [NX-283, NX-287]', async () => {
    const own = createAgentBed({ isProcess: true });
    try {
      const { result, starts } = await own.play({
        scripts: [{ isDeaf: true }],
        executor: { answerTimeoutMs: 50 },
      });
      expect(toOutcome(result).reason).toContain('It did not answer in time.');
      expect(starts).toBe(3);
    } finally {
      await own.remove();
    }
  }, 60_000);
});

describe('EventQueue', () => {
  it('has no room while much waits, and tells when it has again [NX-283]', async () => {
    let told = 0;
    const queue = new EventQueue({
      onRoom: () => {
        told += 1;
      },
    });
    for (let n = 0; n < 256; n += 1)
      queue.add([{ type: 'tool-start', toolCallId: String(n), tool: 't', title: null, args: {} }]);
    expect(queue.hasRoom).toBe(false);
    await queue.next();
    expect([queue.hasRoom, told]).toEqual([true, 1]);
  });

  it('tells in one what can be told in one, and loses no word and no cost [NX-283]', async () => {
    const queue = new EventQueue({ onRoom: () => undefined });
    const cost = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
    queue.add([
      ...[{ type: 'text', text: 'a' } as const, { type: 'text', text: 'b' } as const],
      ...[
        { type: 'usage', usage: cost } as const,
        { type: 'usage', usage: { ...cost, costMicros: 3 } } as const,
      ],
    ]);
    expect(await queue.next()).toEqual({ type: 'text', text: 'ab' });
    expect(await queue.next()).toEqual({ type: 'usage', usage: { ...cost, costMicros: 3 } });
    queue.add([{ type: 'text', text: 'x'.repeat(1_000_000) }]);
    expect(queue.hasRoom).toBe(false);
  });
});
