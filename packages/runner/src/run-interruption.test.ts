import { describe, expect, it } from 'vitest';
import { createTool, runForTest, type TestRunOptions, toOutcome } from '../test/run-setup.ts';
import { createModelOf, createScriptedModel } from '../test/scripted-model.ts';
import { sleepBySystem } from './call-limits.ts';
import { createMemoryRunJournal } from './memory-run-journal.ts';
import { runPlannedTask } from './planning/index.ts';
import { RunInterruption } from './run-signals.ts';

const call = [{ id: 'c1', tool: 'echo', input: { text: 'a' } }];

/** A model that accepts a request, answers nothing, and ignores its signal; `onAsked` runs once the request is there. */
function createSilentModel(onAsked: () => void) {
  return createScriptedModel(() => {
    onAsked();
    return new Promise<string>(() => undefined);
  });
}

describe('a command that aborts a run', () => {
  it.each([
    ['stop', 'stopped'],
    ['pause', 'needs_input'],
  ] as const)('ends a model call that is never answered: %s gives %s [RL-2]', async (command, status) => {
    const interrupter = new AbortController();
    const model = createSilentModel(() => interrupter.abort(new RunInterruption(command)));
    const { result, journal } = await runForTest({ model, hardSignal: interrupter.signal });
    expect(toOutcome(result)).toMatchObject({ status, finalText: null });
    expect(journal.entries).toHaveLength(2);
    const resumed = await runForTest({ model: createModelOf('Done.'), journal });
    expect(toOutcome(resumed.result)).toMatchObject({ status: 'completed', finalText: 'Done.' });
  });

  it('ends the phases of a plan in the same way [RL-2]', async () => {
    const interrupter = new AbortController();
    const model = createSilentModel(() => interrupter.abort(new RunInterruption('stop')));
    const result = await runPlannedTask({
      task: {
        ...{ model, tools: {}, journal: createMemoryRunJournal(), maxRetries: 0 },
        openConversation: async () => ({
          instructions: '',
          messages: [{ role: 'user', content: 'Fix it.' }],
        }),
        hardSignal: interrupter.signal,
      },
    });
    expect(toOutcome(result).status).toBe('stopped');
  });

  it('ends a tool, whose effect is unknown when the run resumes [RL-2]', async () => {
    const interrupter = new AbortController();
    const tools = {
      echo: createTool(
        (_text, signal) =>
          new Promise<string>((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
            interrupter.abort(new RunInterruption('pause'));
          }),
      ),
    };
    const run = { model: createModelOf(call), tools, hardSignal: interrupter.signal };
    const { result, journal } = await runForTest(run);
    expect(toOutcome(result).status).toBe('needs_input');
    const model = createModelOf('Done.');
    await runForTest({ model, journal, tools });
    expect(JSON.stringify(model.prompts[0]?.at(-1))).toContain('interrupted; its effect is unknown');
    expect(tools.echo.calls).toHaveLength(1);
  });

  it('keeps the result of a tool that finishes all the same, and starts no further one [RL-2, RL-12]', async () => {
    const play = async (reason: Error) => {
      const interrupter = new AbortController();
      const tools = {
        echo: createTool(async (text) => {
          interrupter.abort(reason);
          await sleepBySystem(20, {});
          return text;
        }),
      };
      const both = [...call, { id: 'c2', tool: 'echo', input: { text: 'b' } }];
      const run: TestRunOptions = { model: createModelOf(both), tools, hardSignal: interrupter.signal };
      const { result, journal } = await runForTest(run);
      const model = createModelOf('Done.');
      await runForTest({ model, journal, tools });
      return { result, journal, calls: tools.echo.calls, said: JSON.stringify(model.prompts[0]) };
    };
    for (const reason of [new RunInterruption('stop'), new Error('shutdown')]) {
      const { result, journal, calls, said } = await play(reason);
      expect(result.kind).toBe(reason instanceof RunInterruption ? 'ended' : 'interrupted');
      expect(calls).toEqual(['a']);
      expect(journal.toolEvents.map(({ type }) => type)).toEqual(['tool-started', 'tool-finished']);
      expect(said).toContain('not run: the run was ended or paused before it');
      expect(said).not.toContain('its effect is unknown');
    }
  });

  it('ends the opening of a conversation [RL-2]', async () => {
    const interrupter = new AbortController();
    const openConversation = async () => {
      interrupter.abort(new RunInterruption('stop'));
      throw interrupter.signal.reason;
    };
    const run = { model: createModelOf(), openConversation, hardSignal: interrupter.signal };
    expect(toOutcome((await runForTest(run)).result).status).toBe('stopped');
  });

  it('is a shutdown where its reason is no command', async () => {
    const interrupter = new AbortController();
    const model = createSilentModel(() => interrupter.abort());
    expect((await runForTest({ model, hardSignal: interrupter.signal })).result.kind).toBe('interrupted');
  });

  it('ends no run that has answered before it was asked: its answer is kept [RL-2]', async () => {
    const interrupter = new AbortController();
    const journal = createMemoryRunJournal();
    const { append } = journal;
    const aborting = {
      ...journal,
      append: async (...given: Parameters<typeof append>) => {
        const [entry] = given;
        if (entry.type === 'message' && entry.message.role === 'assistant')
          interrupter.abort(new RunInterruption('pause'));
        return append(...given);
      },
    };
    const run = { model: createModelOf('Done.'), journal: aborting, hardSignal: interrupter.signal };
    expect(toOutcome((await runForTest(run)).result)).toMatchObject({
      status: 'needs_input',
      finalText: 'Done.',
    });
    const resumed = await runForTest({ model: createModelOf(), journal });
    expect(toOutcome(resumed.result)).toMatchObject({ status: 'completed', finalText: 'Done.' });
  });
});
