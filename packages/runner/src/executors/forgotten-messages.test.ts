import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { actionAnswer, createPlanner, planForTest, planOf } from '../../test/plan-setup.ts';
import { commentSaying, createInbox, createTool, nothingNew, toOutcome } from '../../test/run-setup.ts';
import { createMemoryRunJournal } from '../memory-run-journal.ts';
import type { ContextCompressor } from '../ports.ts';
import { createAcpExecutor } from './acp-executor.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

/** Puts a summary in the place of all that is there, once so many messages are. */
function createEagerCompressor(atMessages: number): ContextCompressor & { readonly times: () => number } {
  let times = 0;
  return {
    times: () => times,
    compress: async ({ messages, seqs }) => {
      if (messages.length < atMessages) return null;
      times += 1;
      const text = 'There was talk of it.';
      const summary = { startSeq: seqs[0] ?? 0, endSeq: seqs.at(-1) ?? 0, text };
      return { messages: [{ role: 'assistant', content: text }], summary };
    },
  };
}

describe('an agent whose run has a context that was compressed', () => {
  it('is told the request and what people said, as the journal has them [NX-304]', async () => {
    const journal = createMemoryRunJournal();
    const plain = { type: 'message', usage: null, delivers: [] } as const;
    const comment = { id: 'c1', revision: 'r1', kind: 'added' } as const;
    await journal.append({ ...plain, message: { role: 'system', content: 'You mend things.' }, opens: 2 });
    const start = await journal.append({ ...plain, message: { role: 'user', content: 'Mend it.' } });
    const said = { ...plain, message: { role: 'user', content: 'Use tabs.' }, delivers: [comment] } as const;
    const end = await journal.append(said);
    const text = 'There was talk of it.';
    await journal.replaceContext([{ role: 'assistant', content: text }], {
      startSeq: start,
      endSeq: end,
      text,
    });
    const { result } = await bed.play({ journal });
    expect(toOutcome(result).status).toBe('completed');
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
    expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
    expect(countHolding(bed.userMessages(), text)).toBe(1);
  });

  it('is told them where the model planned before its first action, and once [NX-304]', async () => {
    const compressor = createEagerCompressor(4);
    const comments = createInbox([commentSaying('Use tabs.', 'c1'), nothingNew]);
    const executor = createAcpExecutor(bed.agent([{ says: actionAnswer('task_1') }]));
    const { result } = await planForTest({
      ...{ model: createPlanner(planOf('a', 'b')), comments, compressor },
      tools: { work: createTool(() => 'never') },
      agent: { executor },
    });
    expect(toOutcome(result).status).toBe('completed');
    expect(compressor.times()).toBeGreaterThan(0);
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
    expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
    expect(countHolding(bed.userMessages(), 'Planning phase: planning')).toBe(0);
  });
});

describe('an agent that keeps no session', () => {
  it('may begin as many as it needs while it gets something done in each [NX-304]', async () => {
    const dies = { loadSession: false, diesAt: 6, calls: 2 };
    const script = { loadSession: false };
    const { result, starts } = await bed.play({ scripts: [...Array(8).fill(dies), script] });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', reason: null });
    expect(starts).toBe(9);
  });
});
