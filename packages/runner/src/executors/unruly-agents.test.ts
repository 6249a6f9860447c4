import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, createAgentBed } from '../../test/agents/agent-bed.ts';
import { createLog } from '../../test/log.ts';
import { commentSaying, createInbox, nothingNew, toOutcome } from '../../test/run-setup.ts';
import { overBudget } from '../classify-model-error.ts';
import type { RunSignals } from '../ports.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

/** Money with one limit, in millionths. */
function createPurse(limit: number) {
  let spent = 0;
  let reserved = 0;
  return {
    spent: () => spent,
    reserved: () => reserved,
    reserve: async (micros: number) => {
      if (spent + reserved >= limit) throw overBudget(`${limit} millionths`);
      reserved += micros;
      return async (cost: { readonly micros: number }) => {
        reserved -= micros;
        spent += cost.micros;
      };
    },
  };
}

/** Time that passes at once, wherever it is waited for. */
function createFastTime() {
  let time = 0;
  return {
    now: () => time,
    sleep: async (milliseconds: number, { signal }: { readonly signal?: AbortSignal | undefined }) => {
      // The agent's answers come first.
      await new Promise((resolve) => setTimeout(resolve, 20));
      signal?.throwIfAborted();
      time += milliseconds;
    },
  };
}

describe('an agent that misbehaves', () => {
  it('is started anew when it falls silent, and given up when it does so again and again [NX-274]', async () => {
    const time = createFastTime();
    const { result, starts } = await bed.play({
      scripts: [{ hangsAt: 3 }],
      task: { ...time, stepTimeoutMs: 20_000 },
    });
    expect(toOutcome(result).reason).toContain("The agent couldn't continue. It did not answer in time.");
    expect(starts).toBe(3);
  });

  it('counts once what it tells twice [NX-274]', async () => {
    const { result, journal } = await bed.play({ scripts: [{ answersTwice: true }] });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', statistics: { toolCalls: 2 } });
    expect(journal.toolEvents).toHaveLength(4);
  });

  it('is refused what it may not do, and ended when it asks for ever [NX-275]', async () => {
    const log = createLog();
    const { result } = await bed.play({
      scripts: [{ asks: { kind: 'edit', path: '/etc/passwd' }, asksForever: true }],
      task: { logger: log.logger, maxRefusals: 3 },
    });
    expect(toOutcome(result).reason).toBe('The agent was refused 4 permissions and kept asking.');
    const told = log.lines.filter(({ message }) => message === 'denied agent permission');
    expect(told.length).toBeGreaterThanOrEqual(4);
  });

  it('goes on when a refusal ends its turn, and is told why it was refused [NX-301]', async () => {
    const asks = { kind: 'edit', path: '/etc/passwd' } as const;
    const { result } = await bed.play({ scripts: [{ asks, refusalsThatEnd: 3 }] });
    expect(toOutcome(result).status).toBe('completed');
    expect(bed.userMessages().filter((message) => message.includes('"/etc/passwd" is outside'))).toHaveLength(
      3,
    );
  });

  it('is ended when its turns end by refusals for ever [NX-301]', async () => {
    const asks = { kind: 'edit', path: '/etc/passwd' } as const;
    const scripts = [{ asks, refusalsThatEnd: 1_000 }];
    const { result } = await bed.play({ scripts, task: { maxRefusals: 3 } });
    expect(toOutcome(result).reason).toBe('The agent was refused 4 permissions and kept asking.');
  });

  it('is not told of a refusal with which it went on [NX-301]', async () => {
    const asks = { kind: 'fetch', path: null } as const;
    const { result } = await bed.play({ scripts: [{ asks, calls: 4 }], task: { maxRefusals: 4 } });
    expect(toOutcome(result).status).toBe('completed');
    expect(bed.userMessages().filter((message) => message.includes('refused a permission'))).toEqual([]);
  });

  it('has a call journaled that it tells of when it asks, also one that it is refused [NX-301]', async () => {
    const asks = { kind: 'fetch', path: null } as const;
    const scripts = [{ asks, announces: false, refusalsThatEnd: 1 }];
    const { result, journal } = await bed.play({ scripts });
    expect(toOutcome(result).status).toBe('completed');
    const call = { tool: 'fetch', title: 'step 1' };
    expect(journal.toolEvents[0]).toMatchObject({ type: 'tool-started', ...call });
    expect(journal.toolEvents[1]).toMatchObject({
      ...{ type: 'tool-finished', status: 'error', output: '' },
      ...call,
    });
  });

  it('is paid for what it tells that it spends, and ended at the limit [NX-276]', async () => {
    const purse = createPurse(15_000);
    const comments = createInbox([
      ...[nothingNew, nothingNew, commentSaying('Go on.', 'c1')],
      ...[nothingNew, nothingNew, commentSaying('And on.', 'c2')],
    ]);
    const { result } = await bed.play({ comments, scripts: [{ calls: 1 }], task: { spending: purse } });
    expect(toOutcome(result)).toMatchObject({ status: 'failed', statistics: { costMicros: 20_000 } });
    expect(toOutcome(result).reason).toContain('at its limit of 15000 millionths');
    expect(purse.spent()).toBe(20_000);
    expect(purse.reserved()).toBe(0);
  });

  it('costs once what it tells again after a death [NX-276]', async () => {
    const purse = createPurse(1_000_000);
    const first = await bed.play({ scripts: [{ calls: 1 }], task: { spending: purse } });
    const comments = createInbox([commentSaying('Once more.', 'c1')]);
    const { result } = await bed.play({
      ...{ journal: first.journal, comments, scripts: [{ calls: 1, costBefore: 0.01 }] },
      task: { spending: purse },
    });
    expect(toOutcome(result)).toMatchObject({ status: 'completed', statistics: { costMicros: 20_000 } });
    expect(purse.spent()).toBe(20_000);
  });

  it('is ended where a limit of costs is set and it does not tell what it uses [NX-276]', async () => {
    const { result } = await bed.play({
      scripts: [{ reportsUsage: false }],
      task: { spending: createPurse(1_000_000) },
    });
    expect(toOutcome(result)).toMatchObject({ status: 'failed' });
    expect(toOutcome(result).reason).toContain('limits.max_cost');
  });

  it.each(['pause', 'stop'] as const)(
    'is stopped in the middle of a turn by a %s, also one that ignores it [NX-276]',
    async (wanted) => {
      for (const ignoresCancel of [false, true]) {
        let asked = 0;
        const signals: RunSignals = { read: async () => (++asked > 2 ? wanted : 'none') };
        const { result, journal } = await bed.play({
          scripts: [{ calls: 20, ignoresCancel }],
          executor: { cancelTimeoutMs: 0 },
          task: { signals },
        });
        expect(toOutcome(result).status).toBe(wanted === 'pause' ? 'needs_input' : 'stopped');
        if (wanted === 'stop') continue;
        const resumed = await bed.play({ journal });
        expect(toOutcome(resumed.result).status).toBe('completed');
      }
    },
  );

  it('keeps the limits of the run within a turn [NX-276]', async () => {
    const { result } = await bed.play({ scripts: [{ calls: 50 }], task: { limits: { maxSteps: 5 } } });
    expect(toOutcome(result)).toMatchObject({ status: 'failed', statistics: { toolCalls: 6 } });
  });
});
