import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { toOutcome } from '../../test/run-setup.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

describe('the limits of a run that an agent works on', () => {
  it('count the tokens that the agent tells of while it works, and none twice [NX-306]', async () => {
    const script = { calls: 20, contextGrows: 10 };
    const { result } = await bed.play({ scripts: [script], task: { limits: { maxTokens: 50 } } });
    const { status, reason, statistics } = toOutcome(result);
    expect([status, reason]).toEqual(['failed', expect.stringContaining('maxTokens')]);
    expect(statistics.toolCalls).toBeLessThan(10);
    const whole = await bed.play({ scripts: [{ calls: 2, contextGrows: 20 }] });
    expect(toOutcome(whole.result).statistics).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    const silent = await bed.play({ scripts: [{ calls: 2, contextGrows: 80, usage: {} }] });
    expect(toOutcome(silent.result).statistics).toMatchObject({ inputTokens: 160, outputTokens: 0 });
  });

  it('are told to the agent once, at four fifths of them [NX-306]', async () => {
    const { result } = await bed.play({ scripts: [{ calls: 8 }], task: { limits: { maxSteps: 10 } } });
    expect(toOutcome(result).status).toBe('completed');
    expect(countHolding(bed.userMessages(), 'Four fifths of the steps')).toBe(1);
  });

  it('end a call that is made again and again with the same result, after the agent was asked about it [NX-306]', async () => {
    const same = { title: 'npm test', output: 'the same' };
    const { result } = await bed.play({
      scripts: [{ calls: 40, does: Array(40).fill(same) }],
      task: { maxSameCalls: 5 },
    });
    expect(toOutcome(result)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('10 times in a row'),
      statistics: { toolCalls: 11 },
    });
    expect(countHolding(bed.userMessages(), 'You have made the same call of "execute" 5 times')).toBe(1);
  });

  it('are no limit of calls that fail: the protocol does not tell them from commands that do [NX-306]', async () => {
    const fails = Array.from({ length: 6 }, (_, index) => ({
      title: `npm test ${index}`,
      status: 'failed' as const,
    }));
    const { result } = await bed.play({
      scripts: [{ calls: 6, does: fails }],
      task: { limits: { maxToolFailures: 3 } },
    });
    expect(toOutcome(result).status).toBe('completed');
  });

  it('leave the agent its last words, without another call [NX-306]', async () => {
    const { result } = await bed.play({
      scripts: [{ calls: 0 }],
      task: { limits: { maxSteps: 0 } },
    });
    const { status, reason, finalText } = toOutcome(result);
    expect([status, reason]).toEqual(['failed', expect.stringContaining('maxSteps')]);
    expect(finalText).toContain('I have read');
    // A call that it begins all the same ends its last turn.
    const calling = await bed.play({ scripts: [{ calls: 30 }], task: { limits: { maxSteps: 5 } } });
    expect(toOutcome(calling.result)).toMatchObject({ status: 'failed', statistics: { toolCalls: 6 } });
    expect(countHolding(bed.userMessages(), 'this is its last turn')).toBe(1);
  });
});
