import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commentSaying,
  createInbox,
  createTool,
  nothingNew,
  runForTest,
  toOutcome,
} from '../test/run-setup.ts';
import { createModelOf, createScriptedModel, type ModelPrompt } from '../test/scripted-model.ts';
import { createMemoryRunJournal, type MemoryRunJournal } from './memory-run-journal.ts';
import type { JournalEvent } from './model.ts';

class Crash extends Error {}

/** A journal that dies with the n-th line: before it is written, or after. */
function crashing(journal: MemoryRunJournal, at: { readonly line: number; readonly written: boolean }) {
  let line = 0;
  const append = async (event: JournalEvent) => {
    line += 1;
    if (line === at.line && !at.written) throw new Crash();
    const seq = await journal.append(event);
    if (line === at.line) throw new Crash();
    return seq;
  };
  return { ...journal, append };
}

/** Three steps, five effects; stateless, so that it goes on from whatever the conversation says. */
function workThrough(prompt: ModelPrompt) {
  const steps = prompt.filter(({ role }) => role === 'assistant').length;
  const call = (text: string) => ({ id: `call-${text}`, tool: 'change', input: { text } });
  if (steps === 0) return [call('a'), call('b')];
  if (steps === 1) return [call('c')];
  if (steps === 2) return [call('d'), call('e')];
  return 'All five are changed.';
}

/** Starts the run again and again, crash by crash, until it ends. */
async function runThroughCrashes(crashes: readonly { line: number; written: boolean }[]) {
  const journal = createMemoryRunJournal();
  const change = createTool((text) => `changed ${text}`);
  for (const crash of [...crashes, { line: 0, written: true }]) {
    const run = {
      model: createScriptedModel(workThrough),
      tools: { change },
      journal: crashing(journal, crash),
    };
    const { result } = await runForTest(run);
    const outcome = toOutcome(result);
    if (outcome.status === 'completed') return { outcome, change, journal };
  }
  throw new Error('the last start must complete');
}

describe('a run that is started again', () => {
  it('has every effect at most once, and tells the model of each that it cannot know [RL-9]', async () => {
    const crash = fc.record({ line: fc.integer({ min: 1, max: 16 }), written: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(crash, { maxLength: 4 }), async (crashes) => {
        const { outcome, change, journal } = await runThroughCrashes(crashes);
        expect(outcome.finalText).toBe('All five are changed.');
        expect(new Set(change.calls).size).toBe(change.calls.length);
        const answers = journal.entries.flatMap((entry) =>
          entry.type === 'message' && entry.message.role === 'tool' ? entry.message.content : [],
        );
        expect(answers).toHaveLength(5);
        for (const answer of answers) {
          if (answer.type !== 'tool-result') throw new Error('unexpected');
          const text = answer.toolCallId.replace('call-', '');
          const known = answer.output.type === 'text' && answer.output.value === `changed ${text}`;
          if (known) expect(change.calls).toContain(text);
          else if (answer.output.type === 'error-text') expect(change.calls).not.toContain(text);
          else expect(JSON.stringify(answer.output)).toContain('its effect is unknown');
        }
      }),
      { numRuns: 150 },
    );
  });

  it('says of the calls behind the one that was cut short that they were not carried out [NX-92]', async () => {
    const calls = Array.from({ length: 4 }, (_, index) => ({
      id: `${index}`,
      tool: 'change',
      input: { text: `${index}` },
    }));
    const { journal } = await runForTest({
      model: createModelOf(calls),
      tools: { change: createTool((text) => text) },
      maxCallsPerAnswer: 4,
    });
    // Killed while the second was made.
    const until = journal.entries.findIndex(
      ({ type, ...entry }) =>
        type === 'message' &&
        JSON.stringify(entry).includes('"toolCallId":"1"') &&
        JSON.stringify(entry).includes('tool-result'),
    );
    const cut = createMemoryRunJournal({ entries: journal.entries.slice(0, until) });
    await runForTest({ model: createModelOf('Done.'), journal: cut });
    const answers = cut.entries.flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'tool' ? entry.message.content : [],
    );
    expect(answers.map((answer) => JSON.stringify(answer).match(/unknown|not executed/)?.[0])).toEqual([
      ...[undefined, 'unknown'],
      ...['not executed', 'not executed'],
    ]);
  });

  it('counts what all its processes spent, time included', async () => {
    const { journal } = await runForTest({
      model: createModelOf([{ id: '1', tool: 'change', input: { text: 'a' } }], new Error('down')),
      tools: { change: createTool((text) => text) },
      now: advancing(1_000),
    });
    const first = journal.entries.at(-1);
    const { result } = await runForTest({ model: createModelOf('Done.'), journal, now: advancing(1_000) });
    const { statistics } = toOutcome(result);
    expect(statistics).toMatchObject({ modelCalls: 2, toolCalls: 1, inputTokens: 20, outputTokens: 10 });
    expect(first?.type === 'message' && first.activeMs).toBeGreaterThan(0);
    expect(statistics.durationMs).toBeGreaterThan((first?.type === 'message' && first.activeMs) || 0);
  });

  it('goes straight to the barrier when the final answer is there already', async () => {
    const first = await runForTest({ model: createModelOf('Done.') });
    const comments = createInbox([]);
    const model = createModelOf();
    const { result, events } = await runForTest({ model, comments, journal: first.journal });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', finalText: 'Done.' });
    expect(comments.barriers).toEqual([true]);
    expect(events[0]).toEqual({ type: 'run-start', resumed: true });
  });

  it('journals what the first message tells of with that message, and opens anew after a crash before it [NX-2, X14]', async () => {
    const journal = createMemoryRunJournal();
    const written: JournalEvent[] = [];
    const append = async (event: JournalEvent) => {
      written.push(event);
      return journal.append(event);
    };
    let snapshot = 0;
    const openConversation = async () => {
      snapshot += 1;
      const delivers = [{ id: `${snapshot}`, revision: 'r', kind: 'added' as const }];
      const content = `Comments: ${snapshot}.`;
      return { instructions: '', messages: [{ role: 'user' as const, content }], receipt: { delivers } };
    };
    for (const line of [2, 0]) {
      const at = crashing({ ...journal, append }, { line, written: false });
      await runForTest({ model: createModelOf('Done.'), journal: at, openConversation });
    }
    const told = written.flatMap((event) =>
      event.type === 'message' && event.delivers.length > 0
        ? [[event.message.content, event.delivers[0]?.id]]
        : [],
    );
    expect(told).toEqual([['Comments: 2.', '2']]);
  });

  it('opens the conversation anew when the opening was cut short', async () => {
    const journal = createMemoryRunJournal();
    await runForTest({ model: createModelOf(), journal: crashing(journal, { line: 2, written: false }) });
    expect(journal.entries).toHaveLength(1);
    const openConversation = async () => ({
      instructions: 'You mend other things.',
      messages: [{ role: 'user' as const, content: 'Mend that.' }],
    });
    const model = createModelOf('Done.');
    await runForTest({ model, journal, openConversation });
    expect(model.prompts[0]?.map(({ content }) => content)).toMatchObject([
      'You mend other things.',
      [{ text: 'Mend that.' }],
    ]);
  });

  it('does not open it again once it was opened', async () => {
    const { journal } = await runForTest({ model: createModelOf(new Error('down')) });
    const openConversation = () => Promise.reject(new Error('must not be asked'));
    const { result } = await runForTest({ model: createModelOf('Done.'), journal, openConversation });
    expect(toOutcome(result).status).toBe('completed');
  });

  it('takes an assistant message of the opening for no answer of its own', async () => {
    const openConversation = async () => ({
      instructions: '',
      messages: [
        { role: 'user' as const, content: 'Mend it.' },
        { role: 'assistant' as const, content: 'Mended, last week.' },
      ],
    });
    const { journal } = await runForTest({ model: createModelOf(new Error('down')), openConversation });
    const { result } = await runForTest({ model: createModelOf('Looked again.'), journal, openConversation });
    expect(toOutcome(result).finalText).toBe('Looked again.');
  });

  it('shows the model comments that were journaled but not answered before the crash [NX-2]', async () => {
    const comments = createInbox([nothingNew, commentSaying('and the tests?', 'c1')]);
    const { journal } = await runForTest({ model: createModelOf('Done.', new Error('down')), comments });
    const model = createModelOf('Tests too.');
    await runForTest({ model, journal, comments: createInbox([]) });
    expect(JSON.stringify(model.prompts[0]?.at(-1))).toContain('and the tests?');
  });

  it('asks for a second empty answer no third time', async () => {
    const { journal } = await runForTest({ model: createModelOf('', new Error('down')) });
    const { result } = await runForTest({ model: createModelOf(''), journal });
    expect(toOutcome(result).reason).toContain('an empty answer');
  });
});

function advancing(stepMs: number): () => number {
  let time = 0;
  return () => {
    time += stepMs;
    return time;
  };
}
