import { describe, expect, it } from 'vitest';
import { createTool, runForTest, toOutcome } from '../test/run-setup.ts';
import { createModelOf, createScriptedModel } from '../test/scripted-model.ts';
import { createMemoryRunJournal } from './memory-run-journal.ts';
import { runTask } from './run-task.ts';

const call = (text: string, id = 'c1') => [{ id, tool: 'echo', input: { text } }];
const tick = () => {
  let time = 0;
  return () => {
    time += 100;
    return time;
  };
};

describe('runTask', () => {
  it('ends completed with the final answer and what it cost [RL-14]', async () => {
    const model = createModelOf(call('a'), 'It is mended.');
    const { result, journal } = await runForTest({ model, tools: { echo: createTool((text) => text) } });
    expect(toOutcome(result)).toMatchObject({
      status: 'completed',
      reason: null,
      finalText: 'It is mended.',
      statistics: { modelCalls: 2, toolCalls: 1, inputTokens: 20, outputTokens: 10 },
    });
    // Committing the end is the caller's, after the results are delivered.
    expect(journal.outcome()).toBeNull();
  });

  it('names an option that is missing, unknown or invalid, before anything happens', async () => {
    const given = { model: createModelOf(), tools: {}, journal: createMemoryRunJournal() };
    const whole = { ...given, openConversation: async () => ({ instructions: '', messages: [] }) };
    for (const name of Object.keys(whole)) {
      const options = { ...whole, [name]: undefined } as never;
      await expect(runTask(options)).rejects.toThrow(`RunTaskOptions.${name} must be `);
    }
    for (const [options, message] of [
      [undefined, ' must be an object; it is undefined.'],
      [{ ...whole, signals: {} }, '.signals must be null or an object with the functions read; it is '],
      [{ ...whole, maxRetrys: 1 }, '.maxRetrys is unknown. Did you mean maxRetries?'],
      [{ ...whole, stepTimeoutMs: '9' }, '.stepTimeoutMs must be a number of at least 0; it is "9".'],
      [{ ...whole, logger: {} }, '.logger must be null or a logger with debug, info, warn and error'],
    ] as const) {
      const running = runTask(options as never);
      await expect(running).rejects.toBeInstanceOf(TypeError);
      await expect(running).rejects.toThrow(`RunTaskOptions${message}`);
    }
    expect(given.journal.entries).toEqual([]);
  });

  it.each([
    [{ maxSteps: -1 }, 'maxSteps must be null or a number of at least 0; it is -1.'],
    [{ maxTokens: '4000' }, 'maxTokens must be null or a number of at least 0; it is "4000".'],
    [{ maxDurationMs: Number.NaN }, 'maxDurationMs must be null or a number of at least 0; it is NaN.'],
    [{ max_steps: 1 }, 'max_steps is unknown. Did you mean maxSteps?'],
  ])('refuses the limits %o, also if a function returns them', async (limits, message) => {
    const model = createModelOf('Done.');
    for (const given of [limits, () => limits])
      await expect(runForTest({ model, limits: given as never })).rejects.toThrow(
        `RunTaskOptions.limits.${message}`,
      );
    expect(model.prompts).toEqual([]);
  });

  it('ends stopped and paused as such, never as completed [RL-8, RL-14]', async () => {
    for (const [signal, status] of [
      ['stop', 'stopped'],
      ['pause', 'needs_input'],
    ] as const) {
      const model = createModelOf('never asked');
      const { result } = await runForTest({ model, signals: { read: async () => signal } });
      expect(toOutcome(result)).toMatchObject({ status, finalText: null });
      expect(model.prompts).toHaveLength(0);
    }
  });

  it('journals an assistant message before its tools run, and a line before and after each call', async () => {
    const journal = createMemoryRunJournal();
    const seen: number[][] = [];
    const echo = createTool(() => {
      seen.push([journal.entries.length, journal.toolEvents.length]);
      return 'ok';
    });
    const model = createModelOf([...call('a', 'c1'), ...call('b', 'c2')], 'Done.');
    await runForTest({ model, journal, tools: { echo } });
    expect(seen).toEqual([
      [3, 1],
      [4, 3],
    ]);
    expect(journal.toolEvents.map(({ type }) => type)).toEqual([
      'tool-started',
      'tool-finished',
      'tool-started',
      'tool-finished',
    ]);
  });

  it('reports each step to the listener', async () => {
    const model = createModelOf(call('a'), 'Done.');
    const { events } = await runForTest({ model, tools: { echo: createTool((text) => text) } });
    expect(events.map(({ type }) => type)).toEqual([
      'run-start',
      'checkpoint',
      'step-start',
      'model-answer',
      'checkpoint',
      'tool-start',
      'tool-end',
      'checkpoint',
      'step-start',
      'model-answer',
      'checkpoint',
    ]);
  });

  it('goes on when its listener throws', async () => {
    const onEvent = () => {
      throw new Error('the terminal is gone');
    };
    const journal = createMemoryRunJournal();
    const openConversation = async () => ({
      instructions: '',
      messages: [{ role: 'user' as const, content: 'Go.' }],
    });
    const model = createModelOf('Done.');
    const result = await runTask({ model, tools: {}, journal, openConversation, onEvent });
    expect(toOutcome(result).status).toBe('completed');
    expect(model.prompts[0]?.map(({ role }) => role)).toEqual(['user']);
  });

  it('names the limit on steps and its setting when the model never ends [RL-14]', async () => {
    let calls = 0;
    const model = createScriptedModel(() => call('again', `c${calls++}`));
    const limits = { maxSteps: 3 };
    const limitNames = { maxSteps: 'limits.max_steps' };
    const tools = { echo: createTool((text) => text) };
    const { result } = await runForTest({ model, tools, limits, limitNames });
    const { status, reason, statistics } = toOutcome(result);
    // The steps, and the last turn.
    expect({ status, calls: statistics.modelCalls }).toEqual({ status: 'failed', calls: 3 + 1 });
    expect(reason).toContain('3 model calls');
    expect(reason).toContain('"limits.max_steps"');
  });

  it('follows limits that change while it works, at its next step [NX-358]', async () => {
    let calls = 0;
    let maxSteps = 100;
    const model = createScriptedModel(() => {
      calls += 1;
      if (calls === 2) maxSteps = 3;
      return call('again', `c${calls}`);
    });
    const tools = { echo: createTool((text) => text) };
    const { result } = await runForTest({ model, tools, limits: () => ({ maxSteps }) });
    expect(toOutcome(result)).toMatchObject({ status: 'failed', statistics: { modelCalls: 3 + 1 } });
  });

  it.each([
    [{ maxTokens: 30 }, '30 tokens'],
    [{ maxDurationMs: 2_000 }, '2 seconds'],
  ])('ends a run that has used up %j', async (limits, words) => {
    let calls = 0;
    const model = createScriptedModel(() => call('again', `c${calls++}`));
    const tools = { echo: createTool((text) => text) };
    const { result } = await runForTest({ model, tools, limits, now: tick() });
    expect(toOutcome(result).reason).toContain(words);
  });

  it('asks once more after an answer with nothing in it, and fails after the second', async () => {
    const mended = await runForTest({ model: createModelOf('', 'Here I am.') });
    expect(toOutcome(mended.result)).toMatchObject({ status: 'completed', statistics: { modelCalls: 2 } });
    const empty = await runForTest({ model: createModelOf('', '<your answer here>') });
    expect(toOutcome(empty.result).status).toBe('failed');
    expect(toOutcome(empty.result).reason).toContain('an empty answer');
    expect(toOutcome(empty.result).statistics.modelCalls).toBe(2);
  });

  it('quotes the model that refuses to answer', async () => {
    const model = createModelOf(
      { filtered: 'I cannot help with that.' },
      { filtered: 'I cannot help with that.' },
    );
    const { result } = await runForTest({ model });
    expect(toOutcome(result)).toMatchObject({
      status: 'failed',
      reason: 'The model refused to answer: I cannot help with that.',
    });
  });

  it('takes an answer that was cut off for none, and asks for a shorter one', async () => {
    const model = createModelOf({ cutOff: 'I have men' }, 'Mended.');
    const mended = await runForTest({ model });
    expect(toOutcome(mended.result)).toMatchObject({ status: 'completed', finalText: 'Mended.' });
    expect(JSON.stringify(model.prompts[1])).toContain('more briefly');
    const cut = await runForTest({ model: createModelOf({ cutOff: 'I ha' }, { cutOff: 'I' }) });
    expect(toOutcome(cut.result).reason).toContain('maximum length');
  });

  it.each([
    [{ filtered: 'I cannot' }],
    ['<think>Only thoughts.</think>'],
    [`\`\`\`${'\n'.repeat(5_000)}`],
    ['---\n\u200b\n***'],
  ] as const)('takes %j for no result: asks once, then ends the run as failed [NX-46]', async (answer) => {
    const tools = { echo: createTool((text) => text) };
    const mended = await runForTest({ model: createModelOf(answer, 'Mended.'), tools });
    expect(toOutcome(mended.result)).toMatchObject({ status: 'completed', finalText: 'Mended.' });
    const twice = await runForTest({ model: createModelOf(answer, answer), tools });
    expect(toOutcome(twice.result)).toMatchObject({ status: 'failed', finalText: null });
    expect(toOutcome(twice.result).reason).not.toBeNull();
  });

  it('never gives out what the model only thought [NX-46]', async () => {
    const { result } = await runForTest({ model: createModelOf('<think>Secret plan.</think>\n\nDone.') });
    expect(toOutcome(result).finalText).toBe('Done.');
  });

  it('tells the model once that most of its steps are used up [NX-43]', async () => {
    let calls = 0;
    const model = createScriptedModel(() => (calls < 9 ? call('again', `c${calls++}`) : 'Done.'));
    const tools = { echo: createTool((text) => text) };
    const { result } = await runForTest({ model, tools, limits: { maxSteps: 10 } });
    expect(toOutcome(result).status).toBe('completed');
    const told = model.prompts.map((prompt) => JSON.stringify(prompt).split('Four fifths').length - 1);
    expect(told).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
  });

  it('gives its reasons in Japanese when asked to', async () => {
    const { result } = await runForTest({ model: createModelOf('', ''), locale: 'ja' });
    expect(toOutcome(result).reason).toContain('空の応答');
  });

  it('rejects when the conversation cannot be opened, with nothing journaled', async () => {
    const journal = createMemoryRunJournal();
    const openConversation = () => Promise.reject(new Error('the thread cannot be read'));
    const run = runForTest({ model: createModelOf('x'), journal, openConversation });
    await expect(run).rejects.toThrow('the thread cannot be read');
    expect(journal.entries).toEqual([]);
  });

  it('takes secrets out of everything that is journaled or sent [NX-7]', async () => {
    const model = createModelOf(call('my s3cret'), 'The s3cret is out.');
    const tools = { echo: createTool((text) => `it was ${text}`) };
    const hideKnownSecrets = (text: string) => text.replaceAll('s3cret', '[REDACTED]');
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Use s3cret.' }] }];
    const openConversation = async () => ({ instructions: 'The key is s3cret.', messages });
    const { result, journal, events } = await runForTest({
      model,
      tools,
      hideKnownSecrets,
      openConversation,
    });
    const written = JSON.stringify([journal.entries, journal.toolEvents, events, result, model.prompts]);
    expect(written).not.toContain('s3cret');
    expect(written).toContain('it was my [REDACTED]');
  });

  it('waits for room when the journal reports a full disk', async () => {
    const journal = createMemoryRunJournal();
    const full = Object.assign(new Error('No space is left'), { code: 'storage-full' });
    const append: typeof journal.append = (event) =>
      journal.entries.length < 3 ? journal.append(event) : Promise.reject(full);
    const tools = { echo: createTool((text) => text) };
    const { result } = await runForTest({
      model: createModelOf(call('a')),
      tools,
      journal: { ...journal, append },
    });
    expect(result).toMatchObject({ kind: 'deferred', waitsFor: 'disk' });
    expect(result.kind === 'deferred' && result.reason).toContain('disk is full');
    // The line before the call could not be written, so the call was not made.
    expect(tools.echo.calls).toEqual([]);
  });
});
