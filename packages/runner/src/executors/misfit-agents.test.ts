import type { AgentScriptInput } from '@agent/simulators/acp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { commentSaying, createInbox, nothingNew, toOutcome } from '../../test/run-setup.ts';

let bed: AgentBed;
let rejections: unknown[];
const onRejection = (reason: unknown) => void rejections.push(reason);

beforeEach(() => {
  bed = createAgentBed();
  rejections = [];
  process.on('unhandledRejection', onRejection);
});

afterEach(async () => {
  process.off('unhandledRejection', onRejection);
  await bed.remove();
});

const update = (fields: object, session = '$session') =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', method: 'session/update' },
    params: { sessionId: session, update: fields },
  });
const request = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: `own-$n-${method}`, method, params });
const chunk = (content: unknown) => update({ sessionUpdate: 'agent_message_chunk', content });

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** Lines of an agent that does not keep to the protocol. */
const misfits: readonly (readonly [string, string])[] = [
  ['words that are no JSON', 'warning: the cache is cold'],
  ['an empty line', ''],
  ['half of an object', '{"jsonrpc":"2.0","method":'],
  ['a list of messages', `[${chunk({ type: 'text', text: 'listed' })}]`],
  ['a number', '7'],
  ['nothing', 'null'],
  ['an object that is no message', '{"hello":"world"}'],
  ['a message of another version', '{"jsonrpc":"1.0","method":"session/update","params":{}}'],
  ['an answer to nothing that was asked', '{"jsonrpc":"2.0","id":4711,"result":{"stopReason":"end_turn"}}'],
  ['an answer with an id of control characters', '{"jsonrpc":"2.0","id":"\\u001b[2J","result":{}}'],
  ['an answer that is neither', '{"jsonrpc":"2.0","id":"x"}'],
  ['an update without a session', '{"jsonrpc":"2.0","method":"session/update","params":{}}'],
  ['an update without parameters', '{"jsonrpc":"2.0","method":"session/update"}'],
  ['an update of nothing', '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$session"}}'],
  [
    'an update of another session',
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'alien words' } }, 'other'),
  ],
  ['an update of a kind that nobody knows', update({ sessionUpdate: 'mood', mood: 'good' })],
  ['an update whose kind is a number', update({ sessionUpdate: 7 })],
  ['words that are a number', chunk({ type: 'text', text: 7 })],
  ['words that are nothing', chunk(null)],
  ['a picture', chunk({ type: 'image', data: 'AAAA', mimeType: 'image/png' })],
  ['a call without an id', update({ sessionUpdate: 'tool_call', title: 'x' })],
  ['a call whose id is an object', update({ sessionUpdate: 'tool_call', toolCallId: {}, title: 'x' })],
  [
    'a call whose parts are of wrong types',
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'odd',
      title: 7,
      kind: [],
      status: {},
      content: 'x',
      rawInput: 3,
    }),
  ],
  [
    'a call nested without end',
    `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$session","update":{"sessionUpdate":"tool_call","toolCallId":"deep","status":"completed","rawInput":${deep},"rawOutput":${deep}}}}`,
  ],
  ['a plan that is none', update({ sessionUpdate: 'plan', entries: 'all' })],
  [
    'a plan of things that are no steps',
    update({ sessionUpdate: 'plan', entries: [null, 7, { content: 7 }, { content: 'x', status: 'odd' }] }),
  ],
  ['a request for a file', request('fs/read_text_file', { sessionId: '$session', path: '/etc/passwd' })],
  [
    'a request to write a file',
    request('fs/write_text_file', { sessionId: '$session', path: '/tmp/x', content: '' }),
  ],
  ['a request for a terminal', request('terminal/create', { sessionId: '$session', command: 'sh' })],
  ['a request that nobody knows', request('_mood/ask')],
  ['a request for permission that is none', request('session/request_permission', { options: 7 })],
  ['the cancel of a request', '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}'],
];

describe('an agent whose words do not fit the protocol', () => {
  it.each(misfits)('changes nothing by what it writes at any moment: %s [NX-282]', async (_, line) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const moments = ['start', 'new', 'load', 'prompt', 'call', 'steer', 'ended'] as const;
      const noise = moments.map((at) => ({ at, line }));
      const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
      const { result } = await bed.play({ comments, scripts: [{ waits: true, misbehavior: { noise } }] });
      expect(toOutcome(result)).toMatchObject({ status: 'completed', finalText: 'I have read 2 messages.' });
      expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
      // The client of the protocol would write names of the agent's choice to the terminal.
      expect(said.mock.calls.filter(([first]) => !String(first).startsWith('Got response'))).toEqual([]);
      expect(rejections).toEqual([]);
    } finally {
      said.mockRestore();
    }
  });

  const steers: AgentScriptInput = { waits: true };
  it.each([
    ['a number', { '_session/steering': { result: 7 } }],
    ['nothing', { '_session/steering': { result: null } }],
    ['an outcome that nobody knows', { '_session/steering': { result: { outcome: 'perhaps' } } }],
    ['an error', { '_session/steering': { error: { code: -32601, message: 'no' } } }],
    ['no answer', { '_session/steering': 'nothing' }],
  ] as const)(
    'is told at the end of its turn what it does not clearly take: %s [NX-282]',
    async (_, answers) => {
      const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
      const { result } = await bed.play({
        ...{ comments, scripts: [{ ...steers, waits: false, misbehavior: { answers } }, {}] },
        executor: { steerTimeoutMs: 20 },
      });
      expect(toOutcome(result).status).toBe('completed');
      expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
      expect(rejections).toEqual([]);
    },
  );

  it.each([
    ['initialize', { result: 7 }, 'does not follow the Agent Client Protocol'],
    [
      'initialize',
      { result: { protocolVersion: 2 } },
      'speaks another version of the Agent Client Protocol. Use a version of the agent that supports version 1. Details: 2',
    ],
    ['initialize', { result: {} }, 'Details: none'],
    [
      'initialize',
      { error: { code: -32603, message: 'broken' } },
      'It refused the request. Check its version and its own settings. Details: broken',
    ],
    ['session/new', { result: {} }, 'its new session has no usable id'],
    ['session/new', { result: { sessionId: '' } }, 'its new session has no usable id'],
    ['session/new', { result: { sessionId: 'x'.repeat(2_000) } }, 'its new session has no usable id'],
    ['session/prompt', { result: {} }, 'it does not say why its turn ended'],
    ['session/prompt', { result: null }, 'it does not say why its turn ended'],
    ['session/prompt', { result: { stopReason: 'tired\u001b[2J' } }, 'Details: its turn ended by "tired"'],
    ['session/prompt', { error: { code: -32603, message: 'broken' } }, 'Details: broken'],
  ] as const)(
    'fails with words that say what to do where it cannot go on: %s %j [NX-282, NX-288]',
    async (method, answer, words) => {
      const scripts = [{ misbehavior: { answers: { [method]: answer } } }];
      const { result } = await bed.play({ scripts, task: { maxTurnFailures: 1 } });
      expect(toOutcome(result).status).toBe('failed');
      expect(toOutcome(result).reason).toContain(words);
      expect(rejections).toEqual([]);
    },
  );

  it('fails where it never answers, in time [NX-282]', async () => {
    for (const method of ['initialize', 'session/new']) {
      const scripts = [{ misbehavior: { answers: { [method]: 'nothing' as const } } }];
      const { result, starts } = await bed.play({ scripts, executor: { answerTimeoutMs: 5 } });
      expect(toOutcome(result).reason).toContain(`Details: ${method}: 0 s`);
      expect(starts).toBe(3);
    }
  });

  it('counts an answer that comes twice, or after the end, as no answer [NX-282]', async () => {
    // Ids of requests are numbers from 0: those of all that was ever asked, and of some that never was.
    const again = Array.from({ length: 9 }, (_, id) => ({
      ...{ at: 'ended' as const },
      line: JSON.stringify({ jsonrpc: '2.0', id, result: { stopReason: 'refusal' } }),
    }));
    const comments = createInbox([nothingNew, nothingNew, nothingNew, commentSaying('Once more.', 'c1')]);
    const { result } = await bed.play({ comments, scripts: [{ misbehavior: { noise: again } }] });
    expect(toOutcome(result).status).toBe('completed');
    expect(countHolding(bed.userMessages(), 'Once more.')).toBe(1);
  });

  it('has to be signed in: the failure says how, in the language of the thread, bounded and clean [NX-287, NX-288]', async () => {
    const secret = 'plum-orchard';
    const answers = {
      initialize: {
        result: {
          protocolVersion: 1,
          authMethods: [{ id: 'a', name: `Sign in \u001b[31m${secret}` }, { name: 'x'.repeat(5_000) }, 7],
        },
      },
      'session/new': { error: { code: -32000, message: 'Authentication required' } },
    };
    const hides = { hideKnownSecrets: (text: string) => text.replaceAll(secret, '***') };
    const scripts = [{ misbehavior: { answers } }];
    for (const [locale, words] of [
      ['en', 'Pass its credential in a variable that executor.acp.env names'],
      ['ja', 'サインインが必要です。executor.acp.env に指定した環境変数で認証情報を渡してください'],
    ] as const) {
      const { result, starts } = await bed.play({ scripts, task: { ...hides, locale } });
      const { reason } = toOutcome(result);
      expect(reason).toContain(words);
      expect(reason).toContain('Sign in ***');
      expect(reason).not.toMatch(/\p{Cc}/u);
      expect(reason?.length).toBeLessThan(700);
      expect(starts).toBe(1);
    }
  });

  it('is asked nothing about signing in where it offers no way to [NX-287]', async () => {
    const answers = { 'session/new': { error: { code: -32000, message: 'Server error' } } };
    const { result } = await bed.play({ scripts: [{ misbehavior: { answers } }] });
    expect(toOutcome(result).reason).toContain('It refused the request.');
  });
});
