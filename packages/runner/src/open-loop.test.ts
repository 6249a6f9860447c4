import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentSaying, createInbox, createTool, nothingNew } from '../test/run-setup.ts';
import { createMemoryRunJournal, type MemoryRunJournal } from './memory-run-journal.ts';
import type { JournalEvent } from './model.ts';
import { type OwnLoop, type OwnLoopOptions, openLoop } from './open-loop.ts';

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

const openConversation: OwnLoopOptions['openConversation'] = async () => ({
  instructions: 'You mend things.',
  messages: [{ role: 'user', content: 'Mend a and b.' }],
});

const usage = { inputTokens: 3, outputTokens: 2 };

/** An agent without any SDK: one tool call for each of two names, then an answer that counts what was said. */
async function work(loop: OwnLoop, change: ReturnType<typeof createTool>): Promise<string> {
  for (let next = await loop.next(); next === 'work'; next = await loop.next()) {
    const calls = loop.messages.filter(({ role }) => role === 'assistant').length;
    const name = ['a', 'b'][calls];
    if (name === undefined) {
      const said = loop.messages.filter(({ role }) => role === 'user').length - 1;
      await loop.append([{ role: 'assistant', content: `Done, and heard ${said}.` }], usage);
      continue;
    }
    const call = { toolCallId: name, toolName: 'change' };
    const content = [{ type: 'tool-call' as const, ...call, input: { text: name } }];
    await loop.append([{ role: 'assistant', content }], usage);
    const value = await change.execute({ text: name }, { toolCallId: name });
    const output = { type: 'text' as const, value };
    await loop.append([{ role: 'tool', content: [{ type: 'tool-result', ...call, output }] }]);
  }
  return String(loop.messages.at(-1)?.content);
}

const isSaid = ({ content }: ModelMessage) => content === 'In euros!';

describe("a loop of one's own", () => {
  it('goes on from any line at which a crash cut it: nothing said is lost or told twice, no effect made twice [RL-9, NX-2]', async () => {
    const crash = fc.record({ line: fc.integer({ min: 1, max: 9 }), written: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(crash, { maxLength: 4 }), async (crashes) => {
        const journal = createMemoryRunJournal();
        const change = createTool((text) => `changed ${text}`);
        let answer: string | null = null;
        for (const at of [...crashes, { line: 0, written: true }]) {
          // Somebody speaks once the first answer is there; what the journal says was delivered is no news.
          const has = (is: (message: ModelMessage) => boolean) =>
            journal.entries.some((entry) => entry.type === 'message' && is(entry.message));
          const takeDelivery = async () => {
            const isDue = has(({ role }) => role === 'assistant') && !has(isSaid);
            return isDue ? commentSaying('In euros!', 'c1') : nothingNew;
          };
          const comments = { ...createInbox([]), takeDelivery };
          const options = { journal: crashing(journal, at), openConversation, comments };
          try {
            answer = await work(await openLoop(options), change);
            break;
          } catch (error) {
            if (!(error instanceof Crash)) throw error;
          }
        }
        expect(answer).toMatch(/^Done, and heard 1/);
        expect(change.calls).toEqual([...new Set(change.calls)]);
        const told = journal.entries.filter(
          (entry) => entry.type === 'message' && entry.message.content === 'In euros!',
        );
        expect(told).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });

  it('answers what was said during its last step before it ends, and keeps what it cost [NX-3]', async () => {
    const comments = createInbox([nothingNew, nothingNew, nothingNew, commentSaying('In euros!', 'c1')]);
    const loop = await openLoop({ journal: createMemoryRunJournal(), openConversation, comments });
    expect(loop.instructions).toBe('You mend things.');
    expect(
      await work(
        loop,
        createTool(() => 'changed'),
      ),
    ).toBe('Done, and heard 1.');
    expect(comments.barriers).toEqual([false, false, false, true, true]);
    expect(comments.delivered).toEqual(['c1']);
    expect(loop.statistics()).toMatchObject({
      modelCalls: 4,
      toolCalls: 2,
      inputTokens: 12,
      outputTokens: 8,
    });
  });

  it.each(['pause', 'stop'] as const)('hears a %s before it hears comments', async (signal) => {
    const comments = createInbox([]);
    const signals = { read: async () => signal };
    const loop = await openLoop({ journal: createMemoryRunJournal(), openConversation, comments, signals });
    expect(await loop.next()).toBe(signal);
    expect(comments.barriers).toEqual([]);
  });

  it('says that the process is to end, also when that was asked during a poll', async () => {
    const ending = new AbortController();
    const comments = {
      ...createInbox([]),
      takeDelivery: async () => {
        ending.abort();
        throw new Error('ended');
      },
    };
    const { signal } = ending;
    const loop = await openLoop({ journal: createMemoryRunJournal(), openConversation, comments, signal });
    expect(await loop.next()).toBe('shutdown');
    expect(await loop.next()).toBe('shutdown');
  });
});
