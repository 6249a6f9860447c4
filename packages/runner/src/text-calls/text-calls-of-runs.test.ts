import { describe, expect, it } from 'vitest';
import { planForTest } from '../../test/plan-setup.ts';
import { createTool, runForTest, toOutcome } from '../../test/run-setup.ts';
import { createModelOf, createScriptedModel } from '../../test/scripted-model.ts';
import { createMemoryRunJournal } from '../memory-run-journal.ts';

const textCall = 'I\'ll look:\n```json\n{"name": "echo", "arguments": {"text": "a"}}\n```';
const reason = expect.stringContaining('does not call tools');

describe('a run whose model writes calls as text', () => {
  it('corrects the model twice, and fails at the third call', async () => {
    const tools = { echo: createTool((text) => text) };
    const corrected = await runForTest({ model: createModelOf(textCall, textCall, 'Fixed.'), tools });
    expect(toOutcome(corrected.result)).toMatchObject({ status: 'completed', finalText: 'Fixed.' });
    const failed = await runForTest({ model: createModelOf(textCall, textCall, textCall), tools });
    expect(toOutcome(failed.result)).toMatchObject({ status: 'failed', finalText: null, reason });
    expect(toOutcome(failed.result).statistics.modelCalls).toBe(3);
    expect(tools.echo.calls).toEqual([]);
  });

  it('counts the corrections over the whole run, with real calls between them', async () => {
    const call = (text: string) => [{ id: `call-${text}`, tool: 'echo', input: { text } }];
    const model = createModelOf(textCall, call('a'), textCall, call('b'), textCall, 'Done.');
    const { result } = await runForTest({ model, tools: { echo: createTool((text) => text) } });
    expect(toOutcome(result)).toMatchObject({ status: 'failed', reason });
  });

  it('counts the corrections of earlier processes', async () => {
    const tools = { echo: createTool((text) => text) };
    const journal = createMemoryRunJournal();
    for (const _ of [1, 2]) {
      const shutdown = new AbortController();
      const model = createScriptedModel(() => {
        shutdown.abort();
        return textCall;
      });
      const { result } = await runForTest({ model, tools, journal, signal: shutdown.signal });
      expect(result.kind).toBe('interrupted');
    }
    const { result } = await runForTest({ model: createModelOf(textCall, 'Done.'), tools, journal });
    expect(toOutcome(result)).toMatchObject({ status: 'failed', reason });
  });

  it('fails in planning mode as well, after three model calls', async () => {
    const model = createScriptedModel(() => textCall);
    const { result } = await planForTest({ model, tools: { echo: createTool((text) => text) } });
    expect(result).toMatchObject({ outcome: { status: 'failed', finalText: null, reason } });
    expect(model.prompts).toHaveLength(3);
  });

  it('does not publish a call as the last words of a run that met a limit', async () => {
    const call = [{ id: 'call-1', tool: 'echo', input: { text: 'a' } }];
    const tools = { echo: createTool((text) => text) };
    const { result } = await runForTest({
      model: createModelOf(call, textCall),
      tools,
      limits: { maxSteps: 1 },
    });
    expect(toOutcome(result)).toMatchObject({ status: 'failed', finalText: null });
  });
});
