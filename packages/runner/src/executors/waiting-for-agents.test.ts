import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { commentSaying, createInbox, nothingNew, toOutcome } from '../../test/run-setup.ts';
import type { RunSignals } from '../ports.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

/** Time that passes at once, wherever it is waited for; remembers what was waited for. */
function createFastTime() {
  let time = 0;
  const waits: number[] = [];
  const clock = {
    now: () => time,
    sleep: async (milliseconds: number, { signal }: { readonly signal?: AbortSignal | undefined }) => {
      waits.push(milliseconds);
      // The agent's answers come first.
      await new Promise((resolve) => setTimeout(resolve, 20));
      signal?.throwIfAborted();
      time += milliseconds;
    },
  };
  return { waits, clock };
}

const silentAt = (method: string) => ({ misbehavior: { answers: { [method]: 'nothing' as const } } });
const failing = (code: number, data?: unknown) => ({
  misbehavior: {
    answers: {
      'session/prompt': { error: { code, message: 'Rate limit reached: try again in 20 s', data } },
    },
  },
});

/** Wants something of the run once it was asked so often. */
function createSignals(wanted: 'pause' | 'stop', after: number): RunSignals {
  let asked = 0;
  return { read: async () => (++asked > after ? wanted : 'none') };
}

/** Plays, and counts the agent's processes that are left. */
async function playCounting(run: Parameters<AgentBed['play']>[0] & object) {
  const agent = bed.agent(run.scripts ?? [{}]);
  let left = 0;
  const start = async () => {
    const process = await agent.start();
    left += 1;
    return {
      ...process,
      end: async () => {
        left -= 1;
        await process.end();
      },
    };
  };
  const played = await bed.play({ ...run, executor: { ...run.executor, start } });
  return { ...played, left };
}

describe('while an agent is waited for', () => {
  describe.each(['initialize', 'session/new', 'session/load', '_session/steering'])('in %s', (method) => {
    const scripts =
      method === 'session/load' ? [{ diesAt: 6 }, silentAt(method)] : [{ waits: true, ...silentAt(method) }];
    const comments = () => createInbox([nothingNew, nothingNew, commentSaying('Use tabs.', 'c1')]);

    it.each(['pause', 'stop'] as const)('a %s ends the wait and the agent [NX-305]', async (wanted) => {
      const { result, left } = await playCounting({
        ...{ scripts, comments: comments() },
        executor: { cancelTimeoutMs: 0 },
        task: { ...createFastTime().clock, signals: createSignals(wanted, 6) },
      });
      expect(toOutcome(result).status).toBe(wanted === 'pause' ? 'needs_input' : 'stopped');
      expect(left).toBe(0);
    });

    it('a shutdown ends the wait and the agent [NX-305]', async () => {
      const shutdown = new AbortController();
      let asked = 0;
      const signals: RunSignals = {
        read: async () => {
          if (++asked === 6) shutdown.abort();
          return 'none';
        },
      };
      const { result, left } = await playCounting({
        ...{ scripts, comments: comments() },
        executor: { cancelTimeoutMs: 0 },
        task: { ...createFastTime().clock, signals, signal: shutdown.signal },
      });
      expect(result.kind).toBe('interrupted');
      expect(left).toBe(0);
    });
  });

  it('one that was left before it was there is ended as well [NX-305]', async () => {
    const started = Promise.withResolvers<void>();
    const agent = bed.agent([{}]);
    let ended = 0;
    const start = async () => {
      await started.promise;
      const process = await agent.start();
      const end = async () => {
        ended += 1;
      };
      return { ...process, end };
    };
    let asked = 0;
    const signals: RunSignals = {
      read: async () => {
        if (++asked === 3) started.resolve();
        return asked > 2 ? 'stop' : 'none';
      },
    };
    const { result } = await bed.play({ executor: { start }, task: { ...createFastTime().clock, signals } });
    expect(toOutcome(result).status).toBe('stopped');
    expect(ended).toBe(1);
  });
});

describe('an agent that cannot take a turn', () => {
  it('is asked again after pauses that grow, and is told nothing twice [NX-305]', async () => {
    const time = createFastTime();
    const scripts = [...Array(7).fill(failing(-32_603)), {}];
    const { result, starts } = await bed.play({
      scripts,
      task: { ...time.clock, maxDeaths: 1, checkIntervalMs: 1 },
    });
    expect(toOutcome(result).status).toBe('completed');
    expect(starts).toBe(8);
    const pauses = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000];
    expect(time.waits.filter((ms) => ms >= 5_000)).toEqual(pauses);
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
  });

  it('ends the run after so many in a row, and says what the agent said [NX-305]', async () => {
    const scripts = [failing(-32_603, { reason: 'quota of the month' })];
    const { result, starts } = await bed.play({
      scripts,
      task: { ...createFastTime().clock, maxTurnFailures: 3 },
    });
    expect(starts).toBe(3);
    const { reason } = toOutcome(result);
    expect(reason).toContain('Its turns failed repeatedly.');
    expect(reason).toContain('Rate limit reached: try again in 20 s {"reason":"quota of the month"}');
  });

  it('is not asked again where the request is wrong [NX-305]', async () => {
    const { result, starts } = await bed.play({ scripts: [failing(-32_602)], task: createFastTime().clock });
    expect(toOutcome(result).reason).toContain('It refused the request.');
    expect(starts).toBe(1);
  });

  it('does not keep a stop waiting [NX-305]', async () => {
    const { clock } = createFastTime();
    // The pause would last for ever.
    const sleep: typeof clock.sleep = async (ms, call) =>
      ms < 5_000 ? clock.sleep(ms, call) : new Promise(() => undefined);
    const { result, starts } = await bed.play({
      scripts: [failing(-32_603)],
      task: { ...clock, sleep, checkIntervalMs: 1, signals: createSignals('stop', 4) },
    });
    expect(toOutcome(result).status).toBe('stopped');
    expect(starts).toBe(1);
  });
});

describe('an agent that says nothing', () => {
  it.each([
    [3, 'it sent nothing for 20 s'],
    [4, 'it sent nothing for 60 s while "execute" ran'],
  ])('may do so longer while a call runs (silent at %i) [NX-305]', async (hangsAt, said) => {
    const { result } = await bed.play({
      scripts: [{ hangsAt }],
      task: { ...createFastTime().clock, maxDeaths: 1, stepTimeoutMs: 20_000, toolTimeoutMs: 60_000 },
    });
    expect(toOutcome(result).reason).toContain(`Details: ${said}`);
  });
});
