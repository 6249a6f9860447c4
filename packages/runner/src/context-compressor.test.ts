import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation } from '../test/any-conversation.ts';
import { createLog } from '../test/log.ts';
import { createTool, runForTest, toOutcome } from '../test/run-setup.ts';
import { createModelOf, createScriptedModel, type ScriptedAnswer } from '../test/scripted-model.ts';
import { createContextCompressor } from './context-compressor.ts';
import { createMemoryRunJournal } from './memory-run-journal.ts';
import type { TokenUsage } from './model.ts';
import type { CompressibleContext } from './ports.ts';
import { replayJournal } from './replay-journal.ts';

const countTokens = (text: string) => text.length;
const talk = (count: number): ModelMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `message ${index} ${'.'.repeat(80)}`,
  }));
const toContext = (messages: readonly ModelMessage[], wasted: TokenUsage[] = []): CompressibleContext => ({
  messages,
  seqs: messages.map((_, index) => index + 2),
  instructions: 'You mend things.',
  onWastedCall: (usage) => void wasted.push(usage),
});
const create = (answers: readonly ScriptedAnswer[], options = {}) => {
  const model = createModelOf(...answers);
  const log = createLog();
  const settings = { contextLength: 2_000, countTokens, maxRetries: 0, logger: log.logger, ...options };
  return { model, log, compressor: createContextCompressor({ model, ...settings }) };
};

describe('createContextCompressor', () => {
  it('asks for nothing while the context is below its share of the window [RL-13]', async () => {
    const { model, compressor } = create([]);
    expect(await compressor.compress(toContext(talk(14)))).toBeNull();
    expect(model.prompts).toEqual([]);
  });

  it('names an option that is missing, unknown or invalid', () => {
    const model = createModelOf();
    const given = { model, contextLength: 9 };
    for (const [options, message] of [
      [{ model }, '.contextLength must be a number of tokens of at least 1; it is undefined.'],
      [{ contextLength: 9 }, '.model must be a model of the AI SDK; it is undefined.'],
      [
        { ...given, contextLength: '9' },
        '.contextLength must be a number of tokens of at least 1; it is "9".',
      ],
      [
        { ...given, compressionThreshold: 9 },
        '.compressionThreshold must be a number above 0, up to 1; it is 9.',
      ],
      [{ ...given, summaryPrompt: 'Sum up.' }, '.summaryPrompt must be a text with {messages} where'],
      [{ ...given, keepRecent: 5 }, '.keepRecent is unknown. Did you mean keepRecentMessages?'],
    ] as const)
      expect(() => createContextCompressor(options as never)).toThrow(
        new TypeError(`ContextCompressorOptions${message}`).message,
      );
  });

  it('counts the system prompt and the tools as part of the context [RL-13]', async () => {
    const contextLength = 2_200;
    const context = toContext(talk(15));
    expect(await create([], { contextLength }).compressor.compress(context)).toBeNull();
    const withTools = create(['Short.'], { contextLength });
    expect(await withTools.compressor.compress({ ...context, toolTokens: 500 })).not.toBeNull();
    const prompted = create(['Short.'], { contextLength });
    const instructions = '.'.repeat(500);
    expect(await prompted.compressor.compress({ ...context, instructions })).not.toBeNull();
  });

  it('replaces everything but the newest message of a trusted user and the last five, in a separate request [RL-13]', async () => {
    const { model, compressor } = create(['They talked.']);
    const messages = talk(20);
    expect(await compressor.compress(toContext(messages))).toEqual({
      messages: [messages[0], { role: 'assistant', content: 'They talked.' }, ...messages.slice(15)],
      summary: {
        startSeq: 3,
        endSeq: 16,
        text: 'They talked.',
        usage: { inputTokens: 10, outputTokens: 5 },
      },
    });
    expect(model.prompts).toHaveLength(1);
    expect(model.prompts[0]).toHaveLength(1);
    const text = JSON.stringify(model.prompts[0]);
    expect(text).toContain('message 14');
    expect(text).not.toContain('message 15');
    expect(text).not.toContain('You mend things.');
  });

  it('puts the messages into a prompt of the user as they are [RL-13]', async () => {
    const said = { role: 'assistant' as const, content: "$& $1 $' {messages}" };
    const messages = [{ role: 'user' as const, content: 'Mend it.' }, said, ...talk(20)];
    const { model, compressor } = create(['Short.'], { summaryPrompt: 'Kurz: {messages} Ende' });
    await compressor.compress(toContext(messages));
    expect(model.prompts[0]).toMatchObject([
      {
        role: 'user',
        content: [{ text: expect.stringMatching(/^Kurz: \[assistant\]\n\$& \$1 \$' \{messages\}/) }],
      },
    ]);
    expect(() => create([], { summaryPrompt: 'Be brief.' })).toThrow('{messages}');
  });

  it('summarizes few large messages as well as many small ones', async () => {
    const { compressor } = create(['Short.']);
    const messages = talk(5).map((message) => ({ ...message, content: 'x'.repeat(500) }) as ModelMessage);
    const compressed = await compressor.compress(toContext(messages));
    expect(compressed?.summary).toMatchObject({ startSeq: 3, endSeq: 5 });
  });

  it('does nothing if what could be summarized is small', async () => {
    const { compressor } = create([]);
    const messages = talk(5).map(
      (message, index) => ({ ...message, content: 'x'.repeat(index === 0 ? 1_500 : 20) }) as ModelMessage,
    );
    expect(await compressor.compress(toContext(messages))).toBeNull();
  });

  it.each([
    ['an error', new Error('busy'), 0],
    ['nothing', '', 1],
    ['thoughts alone', '<think>hm</think>', 1],
    ['a cut off summary', { cutOff: 'They' }, 1],
    ['a placeholder', '[summary of the messages]', 1],
    ['more than there was', 'x'.repeat(3_000), 1],
  ] as const)('changes nothing when the model gives %s, and says so [RL-13]', async (_, answer, calls) => {
    const wasted: TokenUsage[] = [];
    const { log, compressor } = create([answer]);
    expect(await compressor.compress(toContext(talk(20), wasted))).toBeNull();
    expect(wasted).toHaveLength(calls);
    expect(log.lines).toHaveLength(1);
    expect(JSON.stringify(log.lines)).not.toContain('message 1');
  });

  it('asks again after a failure only when the context has grown [RL-13]', async () => {
    const { model, compressor } = create([new Error('busy'), 'Short.']);
    expect(await compressor.compress(toContext(talk(20)))).toBeNull();
    expect(await compressor.compress(toContext(talk(20)))).toBeNull();
    expect(model.prompts).toHaveLength(1);
    expect(await compressor.compress(toContext(talk(22)))).not.toBeNull();
  });

  it('leaves out what a model thought aloud', async () => {
    const { compressor } = create(['<think>hm, what was it</think>\nThey talked.']);
    expect((await compressor.compress(toContext(talk(20))))?.summary.text).toBe('They talked.');
  });

  it('sends a request for the summary that fits the window, whatever has to be summarized [RL-13]', async () => {
    const messages = talk(20).map((message) => ({ ...message, content: 'x'.repeat(5_000) }) as ModelMessage);
    const { model, compressor } = create(['Short.'], { contextLength: 8_000 });
    await compressor.compress(toContext(messages));
    expect(JSON.stringify(model.prompts[0]).length).toBeLessThan(8_000);
  });

  it('keeps pairs, the system prompt and the newest request, never grows, and is read back the same [RL-13]', async () => {
    const anySettings = fc.record({
      contextLength: fc.integer({ min: 100, max: 4_000 }),
      keepRecentMessages: fc.integer({ min: 1, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(anyConversation, anySettings, async (messages, settings) => {
        const { compressor } = create(['They talked.', 'And more.'], settings);
        const journal = createMemoryRunJournal();
        const opening: ModelMessage[] = [{ role: 'system', content: 'You mend things.' }];
        for (const message of [...opening, ...messages]) {
          await journal.append({ type: 'message', message, usage: null, delivers: [] });
        }
        const before = replayJournal(journal.entries);
        if (before === null) throw new Error('there is a conversation');
        const context = before.context.map(({ message }) => message);
        const seqs = before.context.map(({ seq }) => seq);
        const result = await compressor.compress({ ...toContext(context), seqs });
        if (result === null) return;
        await journal.replaceContext(result.messages, result.summary);
        const after = replayJournal(journal.entries);
        expect(after?.instructions).toBe('You mend things.');
        expect(after?.context.map(({ message }) => message)).toEqual(result.messages);
        expect(JSON.stringify(result.messages).length).toBeLessThan(JSON.stringify(context).length);
        const at = result.messages.findIndex(({ content }) => content === result.summary.text);
        const kept = result.messages.slice(at + 1);
        expect(kept).toEqual(context.slice(context.length - kept.length));
        expect(kept[0]?.role).not.toBe('tool');
        expect(result.messages.slice(0, at)).toEqual(context.slice(0, at));
        const answer = context.findIndex(({ role }) => role === 'assistant');
        const requests = context.slice(0, answer === -1 ? context.length : answer);
        expect(result.messages).toContainEqual(requests.at(-1));
      }),
    );
  });
});

describe('a run that compresses its context', () => {
  const run = (journal = createMemoryRunJournal(), hideKnownSecrets = (text: string) => text) => {
    let turns = 0;
    const model = createScriptedModel((prompt) => {
      if (JSON.stringify(prompt).includes('You keep the memory')) return 'They read ten files; secret.';
      turns += 1;
      return turns > 8 ? 'Done.' : [{ id: `c${turns}`, tool: 'read', input: { text: 'x'.repeat(300) } }];
    });
    const settings = { contextLength: 6_000, countTokens };
    const compressor = createContextCompressor({ model, ...settings });
    const tools = { read: createTool((text) => text) };
    return runForTest({ model, tools, journal, compressor, hideKnownSecrets }).then((result) => ({
      ...result,
      model,
    }));
  };

  it('goes on from the summary, and counts what it cost, also when it is read back [RL-13]', async () => {
    const { result, journal, model, events } = await run();
    const summaries = journal.entries.filter(({ type }) => type === 'summary');
    expect(summaries.length).toBeGreaterThan(0);
    const { statistics } = toOutcome(result);
    expect(statistics).toMatchObject({ modelCalls: 9 + summaries.length, toolCalls: 8 });
    expect(statistics.inputTokens).toBe(10 * (9 + summaries.length));
    expect(events.filter(({ type }) => type === 'context-compressed')).toHaveLength(summaries.length);
    const last = model.prompts.at(-1);
    expect(last?.map(({ role }) => role).slice(0, 2)).toEqual(['system', 'user']);
    const again = await run(createMemoryRunJournal({ entries: journal.entries }));
    expect(again.model.prompts).toEqual([]);
    expect(toOutcome(again.result).statistics).toMatchObject({ modelCalls: 9 + summaries.length });
  });

  it('sends after a crash what it would have sent without one [RL-9, RL-13]', async () => {
    const whole = await run();
    const cut = createMemoryRunJournal({ entries: whole.journal.entries.slice(0, -1) });
    const { model } = await run(cut);
    expect(model.prompts[0]).toEqual(whole.model.prompts.at(-1));
  });

  it('has the journal replace the context by the system prompt, the summary and the rest [RL-13]', async () => {
    const memory = createMemoryRunJournal();
    const replaced: ModelMessage[][] = [];
    const replaceContext: typeof memory.replaceContext = async (messages, summary) => {
      replaced.push([...messages]);
      await memory.replaceContext(messages, summary);
    };
    await run({ ...memory, replaceContext });
    expect(replaced[0]?.slice(0, 3)).toEqual([
      { role: 'system', content: 'You mend things.' },
      { role: 'user', content: 'Mend it.' },
      { role: 'assistant', content: 'They read ten files; secret.' },
    ]);
    expect(replaced[0]?.length).toBeGreaterThanOrEqual(7);
  });

  it('keeps every message when the summary cannot be written, and ends as failed [RL-13]', async () => {
    const memory = createMemoryRunJournal();
    const replaceContext = () => Promise.reject(new Error('no space'));
    const { result } = await run({ ...memory, replaceContext });
    expect(toOutcome(result).status).toBe('failed');
    expect(memory.entries.every(({ type }) => type !== 'summary')).toBe(true);
  });

  it('takes secrets out of a summary as well [RL-13]', async () => {
    const { journal, model } = await run(createMemoryRunJournal(), (text) =>
      text.replaceAll('secret', '***'),
    );
    expect(JSON.stringify(journal.entries)).not.toContain('secret');
    expect(JSON.stringify(model.prompts.at(-1))).toContain('***');
  });
});
