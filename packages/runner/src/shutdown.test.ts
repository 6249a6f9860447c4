import { describe, expect, it } from 'vitest';
import { createInbox, createTool, runForTest, toOutcome } from '../test/run-setup.ts';
import { createModelOf, createScriptedModel } from '../test/scripted-model.ts';
import { sleepBySystem } from './call-limits.ts';
import { createMemoryRunJournal } from './memory-run-journal.ts';

const call = [{ id: 'c1', tool: 'echo', input: { text: 'a' } }];

describe('a shutdown', () => {
  it('finishes the step at hand, tools included, saves it, and is no outcome [RL-12]', async () => {
    const shutdown = new AbortController();
    const journal = createMemoryRunJournal();
    const comments = createInbox([]);
    const model = createScriptedModel((prompt) => {
      if (prompt.at(-1)?.role === 'tool') return 'Done.';
      shutdown.abort();
      return call;
    });
    const tools = { echo: createTool((text) => text) };
    const run = { model, journal, tools, comments };
    const { result } = await runForTest({ ...run, signal: shutdown.signal });
    expect(result).toMatchObject({ kind: 'interrupted', statistics: { modelCalls: 1, toolCalls: 1 } });
    expect(tools.echo.calls).toEqual(['a']);
    expect(comments.barriers).toEqual([false]);
    const resumed = await runForTest(run);
    expect(toOutcome(resumed.result)).toMatchObject({ status: 'completed', statistics: { modelCalls: 2 } });
    expect(tools.echo.calls).toEqual(['a']);
  });

  it('does not end a run that has just answered, so that nothing is posted [RL-12]', async () => {
    const shutdown = new AbortController();
    const model = createScriptedModel(() => {
      shutdown.abort();
      return 'Done.';
    });
    const { result, journal } = await runForTest({ model, signal: shutdown.signal });
    expect(result.kind).toBe('interrupted');
    const resumed = await runForTest({ model: createModelOf(), journal });
    expect(toOutcome(resumed.result)).toMatchObject({ status: 'completed', finalText: 'Done.' });
  });

  it('does not open a conversation any more', async () => {
    const openConversation = () => Promise.reject(new Error('must not be asked'));
    const run = { model: createModelOf(), openConversation, signal: AbortSignal.abort() };
    const { result, journal } = await runForTest(run);
    expect(result.kind).toBe('interrupted');
    expect(journal.entries).toEqual([]);
  });

  it('ends at once, in the middle of an opening, when it is asked a second time [RL-12]', async () => {
    const now = new AbortController();
    const openConversation = async () => {
      now.abort();
      throw new Error('aborted');
    };
    const run = { model: createModelOf(), openConversation, hardSignal: now.signal };
    expect((await runForTest(run)).result.kind).toBe('interrupted');
  });

  it('leaves a wait for the thread at once', async () => {
    const shutdown = new AbortController();
    const failed = { status: 'failed', delivery: null } as const;
    const comments = createInbox([failed, failed]);
    const sleep = async () => {
      shutdown.abort();
      throw new Error('aborted');
    };
    const run = { model: createModelOf('Done.'), comments, sleep, signal: shutdown.signal };
    expect((await runForTest(run)).result.kind).toBe('interrupted');
  });

  it('ends at once, in the middle of a model call, when it is asked a second time [RL-12]', async () => {
    const now = new AbortController();
    const model = createScriptedModel(() => {
      now.abort();
      return 'Too late.';
    });
    const { result, journal } = await runForTest({ model, hardSignal: now.signal });
    expect(result.kind).toBe('interrupted');
    expect(journal.entries).toHaveLength(2);
  });

  it('ends at once, in the middle of a tool that does not listen, and the call counts as interrupted [RL-12]', async () => {
    const now = new AbortController();
    const tools = {
      echo: createTool(() => {
        now.abort();
        return new Promise<string>(() => undefined);
      }),
    };
    const { result, journal } = await runForTest({
      model: createModelOf(call),
      tools,
      sleep: (milliseconds, { signal }) =>
        milliseconds === 6_000 ? Promise.resolve() : sleepBySystem(milliseconds, { signal }),
      hardSignal: now.signal,
    });
    expect(result.kind).toBe('interrupted');
    expect(journal.toolEvents.map(({ type }) => type)).toEqual(['tool-started']);
    const model = createModelOf('Done.');
    await runForTest({ model, journal, tools });
    expect(JSON.stringify(model.prompts[0]?.at(-1))).toContain('interrupted; its effect is unknown');
    expect(tools.echo.calls).toHaveLength(1);
  });
});
