import { describe, expect, it } from 'vitest';
import { createTool, runForTest, toOutcome } from '../test/run-setup.ts';
import { createModelOf, createScriptedModel } from '../test/scripted-model.ts';
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
    expect(answers).toContain('There is no tool \\"constructor\\". The tools are: echo.');
    expect(answers).toContain('expected string, received number');
    expect(journal.toolEvents.every((event) => event.type === 'tool-finished')).toBe(true);
  });

  it('that give no text say so to the model, with what the tool must give', async () => {
    for (const [given, kind] of [
      [5, 'number'],
      [undefined, 'undefined'],
      [null, 'null'],
      [{ sum: 5 }, 'object'],
    ]) {
      const model = createModelOf([call('add', 'x')], 'Done.');
      const { journal } = await runForTest({ model, tools: { add: createTool(() => given as string) } });
      expect(journal.toolEvents.at(-1)).toMatchObject({
        status: 'error',
        output: `The tool "add" ran, but gave ${kind} where a text is needed: its execute must resolve to a string, such as JSON.stringify(result).`,
      });
    }
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
