import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { createMemoryRunJournal } from './memory-run-journal.ts';
import { readStatistics } from './read-statistics.ts';
import { runTask } from './run-task.ts';

it('counts in a journal what the run itself counted [RL-14]', async () => {
  const journal = createMemoryRunJournal();
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 3, text: 3, reasoning: 0 },
      },
      warnings: [],
    },
  });
  const openConversation = async () => ({
    instructions: 'Be brief.',
    messages: [{ role: 'user' as const, content: 'Hello' }],
  });
  const result = await runTask({ model, tools: {}, journal, openConversation, now: () => 0 });
  if (result.kind !== 'ended') throw new Error('the run has ended');
  expect(await readStatistics(journal)).toEqual(result.outcome.statistics);
  expect(result.outcome.statistics).toMatchObject({ modelCalls: 1, inputTokens: 7, outputTokens: 3 });
});

it('counts nothing in a journal without a conversation', async () => {
  expect(await readStatistics(createMemoryRunJournal())).toMatchObject({ modelCalls: 0, durationMs: 0 });
});
