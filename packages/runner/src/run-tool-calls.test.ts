import { describe, expect, it } from 'vitest';
import { createTool, runForTest, toOutcome } from '../test/run-setup.ts';
import { createModelOf, createScriptedModel } from '../test/scripted-model.ts';
import type { ToolCallOptions } from './index.ts';
import { createMemoryRunJournal } from './memory-run-journal.ts';

const call = (tool: string, text: string) => ({ id: `${tool}-${text}`, tool, input: { text } });
const failing = () =>
  createTool(() => {
    throw new Error('no such file');
  });

describe('tool calls', () => {
  it('end the run as failed after three failures of one tool in a row', async () => {
    const model = createModelOf([call('read', '1')], [call('read', '2')], [call('read', '3')]);
    const { result } = await runForTest({ model, tools: { read: failing() } });
    const { status, reason } = toOutcome(result);
    expect(status).toBe('failed');
    expect(reason).toContain('"read" failed 3 times in a row');
    expect(reason).toContain('no such file');
  });

  it('that fail together in one answer count as one failure, with the error shown before the next [NX-43]', async () => {
    const model = createModelOf(
      [call('edit', '1'), call('edit', '2'), call('edit', '3')],
      [call('edit', '4'), call('edit', '5')],
      'I cannot edit it.',
    );
    const { result } = await runForTest({ model, tools: { edit: failing() } });
    expect(toOutcome(result).status).toBe('completed');
    expect(JSON.stringify(model.prompts[1])).not.toContain('turns in a row');
    expect(JSON.stringify(model.prompts[2])).toContain('failed in 2 turns in a row; at 3 the run ends');
  });

  it('that are refused are no failures of their tool [NX-43]', async () => {
    const refusing = createTool(() => {
      throw Object.assign(new Error('there is no shell; run npm with test'), { code: 'refused' });
    });
    const model = createModelOf(
      ...['a', 'b', 'c', 'd'].map((text) => [call('run', text)]),
      'I found another way.',
    );
    const { result, journal } = await runForTest({ model, tools: { run: refusing } });
    expect(toOutcome(result).status).toBe('completed');
    expect(JSON.stringify(journal.entries)).toContain('there is no shell; run npm with test');
  });

  it('leave the model one last turn, without tools, once a limit is reached [NX-43]', async () => {
    for (const limits of [{ maxToolFailures: 1 }, { maxSteps: 1 }]) {
      const model = createModelOf([call('read', '1')], 'Half of it is done; b.js is missing.');
      const { result } = await runForTest({ model, tools: { read: failing() }, limits });
      expect(toOutcome(result)).toMatchObject({
        status: 'failed',
        finalText: 'Half of it is done; b.js is missing.',
        statistics: { modelCalls: 2 },
      });
      expect(JSON.stringify(model.prompts[1])).toContain('this is its last turn');
    }
  });

  it('that come in the last turn all the same are not made', async () => {
    const read = createTool((text) => text);
    const model = createModelOf([call('read', '1')], [call('read', '2')]);
    const { result } = await runForTest({ model, tools: { read }, limits: { maxSteps: 1 } });
    expect(toOutcome(result)).toMatchObject({
      status: 'failed',
      finalText: null,
      statistics: { modelCalls: 2 },
    });
    expect(read.calls).toEqual(['1']);
  });

  it('of the last turn take nothing from what it says beside them', async () => {
    const read = createTool((text) => text);
    const last = { said: 'One of two is done.', calls: [call('read', '2')].flat() };
    const model = createModelOf([call('read', '1')], last);
    const { result } = await runForTest({ model, tools: { read }, limits: { maxSteps: 1 } });
    expect(toOutcome(result)).toMatchObject({ status: 'failed', finalText: 'One of two is done.' });
    expect(read.calls).toEqual(['1']);
  });

  it.each([{ cutOff: 'Half of it is do' }, { filtered: 'Half of it' }])(
    'have no last words that were not finished: %j',
    async (last) => {
      const read = createTool((text) => text);
      const model = createModelOf([call('read', '1')], last);
      const { result } = await runForTest({ model, tools: { read }, limits: { maxSteps: 1 } });
      expect(toOutcome(result)).toMatchObject({ status: 'failed', finalText: null });
    },
  );

  it('count the last turn also where its answer is of no use', async () => {
    const read = createTool((text) => text);
    const model = createModelOf([call('read', '1')], '');
    const { result } = await runForTest({ model, tools: { read }, limits: { maxSteps: 1 } });
    expect(model.prompts).toHaveLength(2);
    expect(toOutcome(result)).toMatchObject({ status: 'failed', statistics: { modelCalls: 2 } });
  });

  it('and the answer of a last turn stay a failure over a crash [NX-43]', async () => {
    const tools = { read: createTool((text) => text) };
    const limits = { maxSteps: 1 };
    const model = createModelOf([call('read', '1')], 'Not done.');
    const { journal } = await runForTest({ model, tools, limits });
    const resumed = await runForTest({ model: createModelOf(), tools, limits, journal });
    expect(toOutcome(resumed.result)).toMatchObject({ status: 'failed', finalText: 'Not done.' });
  });

  it('of which one repeats itself without end are asked about once, then end the run [NX-46]', async () => {
    let answers = 0;
    const model = createScriptedModel(() => {
      answers += 1;
      return [call('read', 'same')];
    });
    const tools = { read: createTool(() => 'the same') };
    const { result } = await runForTest({ model, tools, maxSameCalls: 3 });
    expect(toOutcome(result)).toMatchObject({ status: 'failed' });
    expect(toOutcome(result).reason).toContain('same call of "read" 6 times');
    expect(answers).toBe(7);
    const questions = JSON.stringify(model.prompts.at(-1)).split('You have made the same call').length - 1;
    expect(questions).toBe(1);
  });

  it('that repeat a call with another result each time go on [NX-46]', async () => {
    let count = 0;
    const model = createScriptedModel(() => (count < 30 ? [call('read', 'same')] : 'Done.'));
    const tools = {
      read: createTool(() => {
        count += 1;
        return String(count);
      }),
    };
    const { result } = await runForTest({ model, tools, maxSameCalls: 3 });
    expect(toOutcome(result).status).toBe('completed');
  });

  it('stop between two of them when the run is stopped or paused, and each call has its result [NX-44]', async () => {
    for (const [signal, status] of [
      ['stop', 'stopped'],
      ['pause', 'needs_input'],
    ] as const) {
      const echo = createTool((text) => text);
      const calls = ['1', '2', '3', '4'].map((text) => call('echo', text));
      const signals = { read: async () => (echo.calls.length < 2 ? ('none' as const) : signal) };
      const { result, journal } = await runForTest({ model: createModelOf(calls), tools: { echo }, signals });
      expect(toOutcome(result).status).toBe(status);
      expect(echo.calls).toEqual(['1', '2']);
      const last = journal.entries.at(-1);
      expect(JSON.stringify(last).split('not run').length - 1).toBe(2);
      const goesOn = await runForTest({ model: createModelOf('Done.'), tools: { echo }, journal });
      expect(toOutcome(goesOn.result).status).toBe('completed');
    }
  });

  it('stop between two of them when the time is up [NX-44]', async () => {
    let now = 0;
    const echo = createTool((text) => {
      now += 60_000;
      return text;
    });
    const model = createModelOf(['1', '2', '3', '4'].map((text) => call('echo', text)));
    const limits = { maxDurationMs: 100_000 };
    const { result } = await runForTest({ model, tools: { echo }, limits, now: () => now });
    expect(toOutcome(result).reason).toContain('maxDurationMs');
    expect(echo.calls).toEqual(['1', '2']);
  });

  it('beyond what one answer may make are refused, and not kept [NX-44]', async () => {
    const echo = createTool((text) => text);
    const many = Array.from({ length: 4_000 }, (_, index) => call('echo', String(index)));
    const model = createModelOf(many, 'Done.');
    const { result, journal } = await runForTest({ model, tools: { echo } });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', statistics: { toolCalls: 64 } });
    expect(echo.calls).toHaveLength(64);
    expect(JSON.stringify(journal.entries)).toContain('the other 3936 were refused');
    expect(JSON.stringify(model.prompts[1]).length).toBeLessThan(30_000);
  });

  it('count failures by the whole name, and begin anew after a success', async () => {
    const flaky = createTool((text) => {
      if (text === 'bad') throw new Error('bad');
      return 'good';
    });
    const bad = (tool: string) => call(tool, 'bad');
    const model = createModelOf(
      [bad('git_read'), bad('read'), bad('git_read'), bad('read')],
      [call('read', 'good'), call('git_read', 'good')],
      [bad('read'), bad('git_read'), bad('read'), bad('git_read')],
      'Done.',
    );
    const { result } = await runForTest({ model, tools: { read: flaky, git_read: flaky } });
    expect(toOutcome(result).status).toBe('completed');
  });

  it('remember failures over a crash', async () => {
    const tools = { read: failing() };
    const shutdown = new AbortController();
    const first = createScriptedModel((prompt) => {
      if (prompt.length > 2) shutdown.abort();
      return [call('read', String(prompt.length))];
    });
    const { result, journal } = await runForTest({ model: first, tools, signal: shutdown.signal });
    expect(result.kind).toBe('interrupted');
    const resumed = await runForTest({ model: createModelOf([call('read', '3')]), tools, journal });
    expect(toOutcome(resumed.result).reason).toContain('3 times in a row');
  });

  it('are answered with what is wrong when the tool or the arguments are none that exist', async () => {
    const model = createModelOf(
      [call('constructor', 'x')],
      [{ id: '1', tool: 'echo', input: { text: 1 } }],
      [{ id: '2', tool: 'echo', input: '{"text":' }],
      'Done.',
    );
    const echo = createTool((text) => text);
    const { result, journal } = await runForTest({
      model,
      tools: { echo },
      limits: { maxToolFailures: null },
    });
    expect(toOutcome(result).status).toBe('completed');
    expect(echo.calls).toEqual([]);
    const answers = JSON.stringify(journal.entries);
    expect(answers).toContain('There is no tool \\"constructor\\". The tools are: echo, read_output.');
    expect(answers).toContain('expected string, received number');
    expect(journal.toolEvents.every((event) => event.type === 'tool-finished')).toBe(true);
  });

  it('that give no text are told as JSON', async () => {
    for (const [given, output] of [
      [5, '5'],
      [undefined, 'null'],
      [null, 'null'],
      [{ sum: 5 }, '{"sum":5}'],
    ]) {
      const model = createModelOf([call('add', 'x')], 'Done.');
      const { journal } = await runForTest({ model, tools: { add: createTool(() => given as string) } });
      expect(journal.toolEvents.at(-1)).toMatchObject({ status: 'success', output });
    }
  });

  it('that succeed although their work failed are journaled so, and count toward no limit [NX-54]', async () => {
    const test = {
      ...createTool(() => ''),
      execute: async (_input: unknown, { onFailure }: ToolCallOptions) => {
        onFailure?.('exit code 1');
        return 'Exit code: 1';
      },
    };
    const model = createModelOf([call('test', '1')], [call('test', '2')], [call('test', '3')], 'Done.');
    const { result, journal } = await runForTest({ model, tools: { test } });
    expect(toOutcome(result).status).toBe('completed');
    const ended = journal.toolEvents.filter(({ type }) => type === 'tool-finished');
    expect(ended).toHaveLength(3);
    for (const event of ended)
      expect(event).toMatchObject({ status: 'success', output: 'Exit code: 1', failure: 'exit code 1' });
  });

  it('that never come back are ended after the time they may take', async () => {
    let ended = false;
    const hang = createTool((_text, signal) => {
      signal?.addEventListener('abort', () => {
        ended = true;
      });
      return new Promise<string>(() => undefined);
    });
    const model = createModelOf([call('hang', 'x')], 'Done.');
    const { result } = await runForTest({
      model,
      tools: { hang },
      toolTimeoutMs: 5_000,
      sleep: async () => undefined,
    });
    expect(toOutcome(result).status).toBe('completed');
    expect(ended).toBe(true);
    expect(JSON.stringify(model.prompts[1]?.at(-1))).toContain('did not finish within 5 seconds');
  });

  it('that share one id are each answered, also after a crash between them', async () => {
    const same = [
      { id: 'call', tool: 'echo', input: { text: 'a' } },
      { id: 'call', tool: 'echo', input: { text: 'b' } },
    ];
    const echo = createTool((text) => text);
    const { journal } = await runForTest({ model: createModelOf(same, 'Done.'), tools: { echo } });
    const cut = createMemoryRunJournal({ entries: journal.entries.slice(0, 4) });
    await runForTest({ model: createModelOf('Done.'), tools: { echo }, journal: cut });
    expect(JSON.stringify(cut.entries.at(-2))).toContain('interrupted');
    expect(cut.entries).toHaveLength(6);
    expect(echo.calls).toEqual(['a', 'b']);
  });

  it('are executed up to the last one when the answer was cut at the output limit, even if its JSON is closed', async () => {
    const echo = createTool((text) => text);
    const write = createTool((text) => text);
    const model = createModelOf(
      { cutCalls: [call('echo', 'whole'), { id: 'c2', tool: 'write', input: { text: 'half of a fi' } }] },
      'Done.',
    );
    const { result, journal } = await runForTest({ model, tools: { echo, write } });
    expect(toOutcome(result).status).toBe('completed');
    expect([echo.calls, write.calls]).toEqual([['whole'], []]);
    const shown = JSON.stringify(model.prompts.at(-1));
    expect(shown).toContain('cut at the output limit');
    expect(shown).toContain('in smaller parts');
    expect(journal.toolEvents.map((event) => `${event.type} ${'tool' in event ? event.tool : ''}`)).toEqual([
      'tool-started echo',
      'tool-finished echo',
      'tool-finished write',
    ]);
  });

  it('have long outputs cut in the middle before anything keeps them', async () => {
    const echo = createTool(() => `start ${'😀'.repeat(5_000)} end`);
    const model = createModelOf([call('echo', 'x')], 'Done.');
    const { journal } = await runForTest({ model, tools: { echo }, maxToolOutputChars: 1_000 });
    const event = journal.toolEvents[1];
    const output = event?.type === 'tool-finished' ? event.output : '';
    expect(output.length).toBeLessThanOrEqual(1_000);
    expect(output).toMatch(/^start .* end$/su);
    expect(isWellFormed(output)).toBe(true);
  });
});

/** Half a character cannot be encoded. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text;
}
