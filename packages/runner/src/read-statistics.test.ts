import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { createMemoryRunJournal } from './memory-run-journal.ts';
import { readStatistics } from './read-journal.ts';
import { runTask } from './run-task.ts';

const spent = { modelCalls: 3, toolCalls: 2, inputTokens: 30, outputTokens: 5 };
const begun = (text: string) => ({ message: { role: 'system' as const, content: text }, usage: null });

it('counts what getting ready has cost once, however often a crash cut the opening short [RL-9, RL-14]', async () => {
  const journal = createMemoryRunJournal();
  const line = { type: 'message', delivers: [] } as const;
  const before = { ...spent, durationMs: 9_000 };
  expect(await readStatistics(journal, { beforeOpening: before })).toEqual(before);
  await journal.append({ ...line, ...begun('cut short'), opens: 2, spent });
  expect(await readStatistics(journal, { beforeOpening: before })).toEqual(before);
  const opened = { instructions: 'Be brief.', messages: [{ role: 'user' as const, content: 'Hello' }] };
  const options = {
    model: new MockLanguageModelV4(),
    tools: {},
    journal,
    openConversation: async () => ({ ...opened, spent, earlierMs: 9_000 }),
    limits: { maxTokens: 35 },
    limitNames: { maxTokens: 'limits.max_tokens' },
    now: () => 0,
    locale: 'en' as const,
  };
  const result = await runTask(options);
  if (result.kind !== 'ended') throw new Error('the run has ended');
  expect(result.outcome).toMatchObject({ status: 'failed', statistics: before });
  expect(result.outcome.reason).toContain('"limits.max_tokens"');
  expect(options.model.doGenerateCalls).toEqual([]);
  expect(await readStatistics(journal, { beforeOpening: before })).toEqual(before);
});

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
