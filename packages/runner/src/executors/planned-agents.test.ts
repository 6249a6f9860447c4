import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentBed, countHolding, createAgentBed } from '../../test/agents/agent-bed.ts';
import { actionAnswer, createPlanner, planForTest, planOf } from '../../test/plan-setup.ts';
import { commentSaying, createInbox, createTool, nothingNew } from '../../test/run-setup.ts';
import { createMemoryRunJournal } from '../memory-run-journal.ts';
import { RunInterruption } from '../run-signals.ts';
import { createAcpExecutor } from './acp-executor.ts';

let bed: AgentBed;

beforeEach(() => {
  bed = createAgentBed();
});

afterEach(() => bed.remove());

const says = actionAnswer('task_1');

/** Plays one run of a plan with two actions, each call in another process. `onSecond` is called at the checkpoint after the agent's second turn. */
function createPlayer(onSecond: () => void) {
  const journal = createMemoryRunJournal();
  return (hardSignal?: AbortSignal) =>
    planForTest({
      model: createPlanner(planOf('a', 'b')),
      tools: { work: createTool(() => 'never') },
      ...{ journal, hardSignal },
      agent: { executor: createAcpExecutor(bed.agent([{ says, calls: 1 }])) },
      signals: {
        read: async () => {
          if (bed.userMessages().length === 2) onSecond();
          return 'none';
        },
      },
    });
}

describe('a run that plans, with an agent for its actions', () => {
  it('has the agent do the actions and the model all else; what is said meanwhile is heard once [NX-280]', async () => {
    const work = createTool(() => 'never');
    const comments = createInbox([nothingNew, nothingNew, nothingNew, commentSaying('Use tabs.', 'c1')]);
    const executor = createAcpExecutor(bed.agent([{ says }]));
    const { result, events } = await planForTest({
      ...{ model: createPlanner(planOf('a', 'b')), tools: { work }, comments },
      agent: { executor },
    });
    expect(result).toMatchObject({
      kind: 'ended',
      outcome: { status: 'completed', finalText: 'All is done.' },
    });
    expect(events).toContain('task_1 succeeded (1)');
    expect(work.calls).toEqual([]);
    const messages = bed.userMessages();
    expect(countHolding(messages, 'Planning phase: execution')).toBe(2);
    expect(countHolding(messages, 'Planning phase: planning')).toBe(0);
    expect(countHolding(messages, 'Mend it.')).toBe(1);
    expect(countHolding(messages, 'Use tabs.')).toBe(1);
  });

  it('goes on in the session of the agent with the next action, also in another process [NX-280]', async () => {
    const killed = new AbortController();
    const play = createPlayer(() => killed.abort());
    expect((await play(killed.signal)).result.kind).toBe('interrupted');
    expect((await play()).result).toMatchObject({ kind: 'ended', outcome: { status: 'completed' } });
    expect(bed.sessions()).toHaveLength(1);
    expect(countHolding(bed.userMessages(), 'Mend it.')).toBe(1);
    expect(countHolding(bed.userMessages(), 'Planning phase: execution')).toBe(2);
  });

  it('ends as the command says that aborts a turn of the agent, and resumes in its session [RL-2, NX-280]', async () => {
    const interrupter = new AbortController();
    const play = createPlayer(() => interrupter.abort(new RunInterruption('pause')));
    const paused = { kind: 'ended', outcome: { status: 'needs_input' } };
    expect((await play(interrupter.signal)).result).toMatchObject(paused);
    expect((await play()).result).toMatchObject({ kind: 'ended', outcome: { status: 'completed' } });
    expect(bed.sessions()).toHaveLength(1);
  });
});
