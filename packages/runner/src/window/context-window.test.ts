import { APICallError, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../test/log.ts';
import type { ContextItem } from '../model.ts';
import { ContextWindow, type ContextWindowOptions } from './context-window.ts';

const countTokens = (text: string) => text.length;
const create = (options: ContextWindowOptions = {}) => {
  const log = createLog();
  return {
    log,
    window: new ContextWindow({ contextLength: 10_000, countTokens, logger: log.logger, ...options }),
  };
};

/** An endpoint's refusal of a request for its length. */
function refuse(limit?: number, tokens?: number): APICallError {
  const numbers = limit === undefined ? '' : `: ${tokens} tokens > ${limit} maximum`;
  const message = `prompt is too long${numbers}`;
  return new APICallError({ message, url: 'http://x', requestBodyValues: {}, statusCode: 400 });
}

let seq = 0;
const item = (message: ModelMessage, delivers = false): ContextItem => {
  seq += 1;
  return { seq, message, answers: message.role === 'assistant', delivers };
};
const says = (content: string, delivers = false) => item({ role: 'user', content }, delivers);
/** An answer with calls, and their results. */
const turn = (...sizes: readonly number[]): readonly ContextItem[] => [
  item({
    role: 'assistant',
    content: sizes.map((_, index) => ({
      type: 'tool-call',
      toolCallId: `${index}`,
      toolName: 'read',
      input: {},
    })),
  }),
  ...sizes.map((size, index) =>
    item({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: `${index}`,
          toolName: 'read',
          output: { type: 'text', value: `${'x'.repeat(49)}\n`.repeat(size / 50) },
        },
      ],
    }),
  ),
];
const fit = (window: ContextWindow, items: readonly ContextItem[], instructions = 'You mend things.') =>
  window.fit({ instructions, items, toolTokens: 100 });
const results = (messages: readonly ModelMessage[] | undefined) =>
  (messages ?? []).flatMap(({ role, content }) =>
    role === 'tool'
      ? content.map((part) =>
          part.type === 'tool-result' && 'value' in part.output ? String(part.output.value) : '',
        )
      : [],
  );

describe('ContextWindow', () => {
  it('sends what fits unchanged', () => {
    const { window } = create();
    const items = [says('Mend it.'), ...turn(1_000, 500), says('Use tabs.', true)];
    expect(fit(window, items)?.messages).toEqual(items.map(({ message }) => message));
    expect(window.takeChange()).toBeNull();
  });

  it('shows a new result in at most a quarter of the window, with a handle for the rest', () => {
    const { window } = create();
    window.hasHandles = true;
    const items = [says('Mend it.'), ...turn(4_000)];
    const [result = ''] = results(fit(window, items)?.messages);
    expect(result.length).toBeLessThanOrEqual(2_500);
    expect(result).toContain(`read_output {"handle":"output-${items.at(-1)?.seq}","from_line":`);
  });

  it('shows the output of a command in 8,192 tokens of a large window, and what is read in a quarter', () => {
    const { window } = create({ contextLength: 128_000 });
    const size = () => results(fit(window, [says('Fix it.'), ...turn(60_000)])?.messages)[0]?.length ?? 0;
    expect(size()).toBeLessThanOrEqual(8_192);
    expect(size()).toBeGreaterThan(7_500);
    window.readers = new Set(['read']);
    expect(size()).toBeGreaterThan(30_000);
    expect(size()).toBeLessThanOrEqual(32_000);
  });

  it('gives large results of one answer equal shares, and leaves small ones whole', () => {
    const { window } = create();
    const sizes = results(
      fit(window, [says('Mend it.'), ...turn(200, 6_000, 6_000, 6_000, 6_000)])?.messages,
    ).map((text) => text.length);
    expect(sizes[0]).toBe(200);
    expect(Math.max(...sizes.slice(1)) - Math.min(...sizes.slice(1))).toBeLessThan(100);
    expect(Math.min(...sizes.slice(1))).toBeGreaterThan(1_400);
  });

  it('elides old results in large steps, so that most requests begin with the one before', () => {
    const { window } = create();
    const items = [says('Mend it.')];
    let changes = 0;
    let before: readonly ModelMessage[] = [];
    for (let step = 0; step < 25; step += 1) {
      items.push(...turn(800));
      const messages = fit(window, items)?.messages ?? [];
      const isPrefix = JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before);
      expect(isPrefix).toBe(window.takeChange() === null);
      if (!isPrefix) changes += 1;
      before = messages;
    }
    const elided = results(before).filter((text) => text.includes('is elided to save space'));
    expect(elided.length).toBeGreaterThan(15);
    expect(results(before).at(-1)).toHaveLength(800);
    expect(changes).toBeLessThan(10);
  });

  it('shortens the newest message of a trusted user last', () => {
    const { window } = create({ contextLength: 4_000 });
    const trusted = says(`NEWEST ${'n'.repeat(1_500)}`, true);
    const messages = fit(window, [
      says('o'.repeat(3_000)),
      ...turn(3_000),
      trusted,
      says('Planning phase: x.'),
    ])?.messages;
    expect(messages).toContainEqual(trusted.message);
    expect(JSON.stringify(messages)).toMatch(/lines of this message are not shown \(\d+ characters\)/);
  });

  it('marks the newest message if it does not fit alone', () => {
    const { window } = create({ contextLength: 4_000 });
    window.hasHandles = true;
    const message = says('n\n'.repeat(9_000));
    const text = String(fit(window, [message])?.messages[0]?.content);
    expect(text.length).toBeLessThan(3_500);
    expect(text).toContain(`read_output {"handle":"message-${message.seq}"`);
  });

  it('shortens the end of instructions that leave no room, and gives up on tools that do', () => {
    const { window, log } = create({ contextLength: 4_000 });
    const prompt = fit(window, [says('Mend it.')], `Rules first. ${'r'.repeat(9_000)}`);
    expect(prompt?.instructions).toMatch(
      /^Rules first\. r+\n\[\d+ characters of these instructions are left out/,
    );
    expect(log.lines).toHaveLength(1);
    expect(window.fit({ instructions: 'x', items: [says('Mend it.')], toolTokens: 3_900 })).toBeNull();
  });

  it('leaves out the oldest messages of a conversation of many, and says so', () => {
    const { window } = create({ contextLength: 4_000 });
    const items = [says('Mend it.'), ...Array.from({ length: 200 }, () => turn(50)).flat(), says('Go on.')];
    const messages = fit(window, items)?.messages ?? [];
    expect(messages.length).toBeLessThan(100);
    expect(JSON.stringify(messages)).toMatch(/\d+ messages are left out here, because of the context window/);
    const calls = messages.filter(({ role }) => role === 'assistant').length;
    expect(results(messages)).toHaveLength(calls);
  });

  it('learns the ratio of the endpoint, at once upward and slowly downward', () => {
    const { window } = create();
    const prompt = fit(window, [says('Mend it.'), ...turn(2_000)]);
    if (prompt === null) throw new Error('it fits');
    window.learn(prompt, prompt.estimate * 1.5);
    expect(window.ratio).toBeCloseTo(1.5);
    window.learn(prompt, prompt.estimate);
    expect(window.ratio).toBeCloseTo(1.25);
    for (const nonsense of [0, 3, Number.NaN, 1e9]) window.learn(prompt, nonsense);
    expect(window.ratio).toBeCloseTo(1.25);
  });

  it('learns from the numbers of a refusal, and warns once of a context_length that is too large', () => {
    const { window, log } = create({ contextLength: 100_000 });
    const items = [says('Mend it.'), ...turn(20_000)];
    const prompt = fit(window, items);
    if (prompt === null) throw new Error('it fits');
    for (const limitTokens of [4_096, 4_000]) {
      expect(window.shrinkAfter(prompt, refuse(limitTokens, prompt.estimate * 2))).toBe(true);
    }
    expect([window.limit, window.ratio]).toEqual([4_000, 2]);
    expect((fit(window, items)?.estimate ?? 0) * 2).toBeLessThanOrEqual(4_000);
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]?.fields).toEqual({ contextLength: 100_000, learned: 4_096 });
  });

  it('is not lost to a refusal whose numbers are not those of the request', () => {
    const window = new ContextWindow({ contextLength: 32_000 });
    const long = 'The total is wrong. '.repeat(1_000);
    const before = window.fitConversation([{ role: 'user', content: long }], { answer: 0 });
    expect(window.shrinkAfter(before, refuse(1_000_000, 1_200_000))).toBe(true);
    const after = window.fitConversation([{ role: 'user', content: long }], { answer: 0 });
    expect(after.estimate).toBeLessThan(before.estimate);
    expect(after.estimate).toBeGreaterThan(before.estimate / 3);
  });

  it('sends less after each refusal without numbers', () => {
    const { window } = create({ contextLength: 100_000 });
    const items = [says('Mend it.'), ...turn(20_000), ...turn(20_000)];
    let before = Number.POSITIVE_INFINITY;
    for (let refusals = 0; refusals < 6; refusals += 1) {
      const prompt = fit(window, items);
      if (prompt === null) throw new Error('it fits');
      expect(prompt.estimate).toBeLessThan(before * 0.95);
      before = prompt.estimate;
      expect(window.shrinkAfter(prompt, refuse())).toBe(true);
    }
    expect(before).toBeLessThan(3_000);
    const last = fit(window, items);
    if (last === null) throw new Error('it fits');
    expect(window.shrinkAfter(last, refuse())).toBe(false);
    expect(window.shrinkAfter(last, new Error('prompt is too long'))).toBe(false);
  });

  it('warns once of a context_length that is too small', () => {
    const { window, log } = create({ contextLength: 1_000 });
    const prompt = fit(window, [says('Mend it.')]);
    if (prompt === null) throw new Error('it fits');
    for (const inputTokens of [1_001, 1_002]) window.learn({ ...prompt, estimate: 900 }, inputTokens);
    expect(log.lines).toHaveLength(1);
  });

  it('makes the same messages from its stored state', () => {
    const { window } = create();
    const items = [says('Mend it.'), ...turn(4_000), ...turn(6_000, 6_000), ...turn(3_000)];
    const prompt = fit(window, items);
    const { window: resumed } = create();
    resumed.restore(JSON.parse(JSON.stringify(window.takeChange())));
    expect(fit(resumed, items)).toEqual(prompt);
    expect(resumed.takeChange()).toBeNull();
    for (const unknown of [{}, 'x', 1]) resumed.restore(unknown);
    expect(fit(resumed, items)).toEqual(prompt);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '32768'])(
    'refuses a contextLength of %j',
    (contextLength) => {
      expect(() => create({ contextLength } as never)).toThrow(
        'ContextWindowOptions.contextLength must be a number of tokens of at least 1; it is ',
      );
    },
  );
});
