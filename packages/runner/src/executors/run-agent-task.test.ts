import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { commentSaying, createInbox, nothingNew, toOutcome } from '../../test/run-setup.ts';
import { readEntries } from '../replay-journal.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

describe('runAgentTask', () => {
  it('has an agent do a task, and journals its words, its calls and what they took [NX-271]', async () => {
    const { result, journal, events } = await bed.play();
    const outcome = toOutcome(result);
    expect(outcome).toMatchObject({
      status: 'completed',
      finalText: 'I have read 1 messages.',
      statistics: { toolCalls: 2, inputTokens: 100, outputTokens: 10, costMicros: 10_000 },
    });
    expect(bed.userMessages()).toHaveLength(1);
    expect(bed.userMessages()[0]).toContain('You mend things.');
    expect(journal.toolEvents.map(({ type }) => type)).toEqual([
      'tool-started',
      'tool-finished',
      'tool-started',
      'tool-finished',
    ]);
    expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(2);
    const asked = events.filter(({ type }) => type === 'step-start' || type === 'model-answer');
    expect(asked.map((event) => 'by' in event && event.by)).toEqual(Array(4).fill('agent'));
    const plans = (await readEntries(journal)).filter(
      (entry) => entry.type === 'fact' && entry.name === 'agent-plan',
    );
    expect(plans.map((entry) => entry.type === 'fact' && entry.data)).toEqual([
      [
        { text: 'step 1', status: 'pending' },
        { text: 'step 2', status: 'pending' },
      ],
    ]);
  });

  it('journals what a call prints piece by piece [NX-300]', async () => {
    const { result, journal } = await bed.play({ scripts: [{ showsTerminal: true, calls: 1 }] });
    expect(toOutcome(result).status).toBe('completed');
    expect(journal.toolEvents.at(-1)).toMatchObject({ type: 'tool-finished', output: 'did step 1' });
  });

  it('cleans what a call prints also where an escape sequence lies in two pieces [NX-300]', async () => {
    const does = [{ title: 'look', output: '\u001b[31mred\u0000' }];
    const { journal } = await bed.play({ scripts: [{ showsTerminal: true, calls: 1, does }] });
    expect(journal.toolEvents.at(-1)).toMatchObject({ type: 'tool-finished', output: 'red' });
  });

  it('counts the tokens of an agent that tells them beside the protocol [NX-300]', async () => {
    const { result } = await bed.play({ scripts: [{ reportsQuota: true }] });
    expect(toOutcome(result).statistics).toMatchObject({ inputTokens: 100, outputTokens: 10 });
  });

  it.each(['steering', 'prompt', 'none'] as const)(
    'tells a running agent what is said, by what it can: %s [NX-272]',
    async (steering) => {
      const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
      const name = steering === 'prompt' ? 'opencode' : 'scripted-agent';
      const { result } = await bed.play({ comments, scripts: [{ steering, name, waits: true }] });
      expect(toOutcome(result).status).toBe('completed');
      expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
      expect(comments.delivered).toEqual(['c1']);
    },
  );

  it('ends only when the conversation of the agent was seen to hold what it was told [NX-272]', async () => {
    const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
    const { result, starts } = await bed.play({ comments, scripts: [{ forgets: true }, {}] });
    expect(toOutcome(result).status).toBe('completed');
    expect(countHolding(bed.userMessages(), 'Use tabs.')).toBe(1);
    expect(starts).toBe(2);
  });

  it('resumes the session of the agent where an earlier process left it, and tells it nothing twice [NX-273]', async () => {
    const first = await bed.play({ scripts: [{ diesAt: 6 }], task: { maxDeaths: 1 } });
    expect(toOutcome(first.result).status).toBe('failed');
    const journal = first.journal;
    const { result } = await bed.play({ journal, scripts: [{}] });
    expect(toOutcome(result).status).toBe('completed');
    expect(bed.sessions()).toHaveLength(1);
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
    expect(countHolding(bed.userMessages(), 'You were interrupted here.')).toBe(1);
    const facts = (await readEntries(journal)).filter(
      (entry) => entry.type === 'fact' && entry.name === 'agent-session',
    );
    expect(facts).toHaveLength(1);
    expect(facts[0]).toMatchObject({ data: { agent: { name: 'scripted-agent', version: '1.0.0' } } });
  });

  it('hands the whole conversation over again to an agent that keeps no session [NX-273]', async () => {
    const scripts = [{ loadSession: false, diesAt: 6 }, { loadSession: false }];
    const { result } = await bed.play({ scripts });
    expect(toOutcome(result).status).toBe('completed');
    expect(bed.sessions()).toHaveLength(2);
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
  });

  it('asks another process for a session that one could not load, before a new one begins [NX-273]', async () => {
    const fails = { failsToLoad: true };
    const once = await bed.play({ scripts: [{ diesAt: 6 }, fails, {}] });
    expect(toOutcome(once.result).status).toBe('completed');
    expect(once.starts).toBe(3);
    expect(bed.sessions()).toHaveLength(1);
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
    const twice = await bed.play({ scripts: [{ diesAt: 6 }, fails, fails] });
    expect(toOutcome(twice.result).status).toBe('completed');
    expect(bed.sessions()).toHaveLength(3);
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
  });

  it('gives an agent up that dies again and again without doing anything [NX-274]', async () => {
    const { result, starts } = await bed.play({ scripts: [{ diesAt: 2 }] });
    expect(toOutcome(result).reason).toContain(
      'Check that it runs on its own. Details: it was ended by SIGKILL',
    );
    expect(starts).toBe(3);
  });
});
