import { ContextInheritanceManager, type PreviousRunReader } from '@agent/context-inheritance';
import { hashTaskKey } from '@agent/run-store';
import type { Corpus } from './read-corpora.ts';

/** What an inherited block takes of its budget. */
export interface BudgetFigures {
  readonly corpus: Corpus['name'];
  /** Tokens, by a tokenizer. */
  readonly counted: number;
  readonly budget: number;
}

const budget = 8_000;
const thread = { taskKeyText: 'github_issue:acme:shop:7', host: 'github.com' };
const run = {
  uuid: '00000000-0000-4000-8000-000000000001',
  taskKeyHash: hashTaskKey(thread.taskKeyText),
  host: thread.host,
  status: 'completed',
  createdAt: '2026-03-01T12:00:00Z',
  completedAt: '2026-03-01T13:00:00Z',
  inheritanceDepth: 0,
  inheritanceBarrierAt: null,
  ...{ user: null, hostname: null, llmProvider: null, model: null },
} as const;

/** The block of a run that left far more than fits, with the counter that is used by default. */
export async function measureBudget(
  { name, text }: Corpus,
  count: (text: string) => number,
): Promise<BudgetFigures> {
  const summary = {
    id: 1,
    start_seq: 1,
    end_seq: 9,
    summary: text.slice(0, 100_000),
    timestamp: run.completedAt,
  };
  const reader: PreviousRunReader = {
    listRuns: async () => [run],
    readLines: async () => ({ summaries: [JSON.stringify(summary)], planning: [], tools: [] }),
  };
  const now = () => new Date('2026-03-02T12:00:00Z');
  const manager = new ContextInheritanceManager(reader, { maxInheritedTokens: budget, now });
  const context = await manager.getInheritanceContext(thread, { comments: null, refusal: null });
  if (context === null) throw new Error('Nothing was inherited.');
  return { corpus: name, counted: count(manager.createInheritedPrompt(context)), budget };
}
