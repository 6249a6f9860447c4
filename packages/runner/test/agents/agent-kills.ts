import type { AgentScriptInput } from '@agent/simulators/acp';
import fc from 'fast-check';
import { createAcpExecutor } from '../../src/executors/index.ts';
import { createMemoryRunJournal } from '../../src/index.ts';
import { crashing } from '../crashing-journal.ts';
import { toOutcome } from '../run-setup.ts';
import { type AgentBed, type AgentBedOptions, countHolding, createAgentBed } from './agent-bed.ts';
import { type Clock, createTimedInbox, playBareAdapter, toComment } from './timed-comments.ts';

/** Course of a run whose agent, and whose own process, are killed. */
export interface KillTrial {
  readonly steering: 'steering' | 'prompt' | 'none';
  /** Numbers of the polls from which the comments are there. */
  readonly comments: readonly number[];
  /** Numbers of the things at which the processes of the agent die, one after the other; those that follow live. */
  readonly deaths: readonly number[];
  /** Numbers of the lines at which the run's own processes die, one after the other. */
  readonly crashes: readonly { readonly line: number; readonly isWritten: boolean }[];
  readonly calls: number;
  /** True where the processes that are to die also forget what they are told while they work, and live long enough to end a turn. */
  readonly forgets: boolean;
  /** Wrong in all processes, also in those that live. */
  readonly wrong:
    | 'nothing'
    | 'answersTwice'
    | 'asksForever'
    | 'noise'
    | 'quotes'
    | 'halves'
    | 'late'
    | 'echoes'
    | 'dropsCanceled';
}

/** Any course. */
export const anyTrial: fc.Arbitrary<KillTrial> = fc.record({
  steering: fc.constantFrom('steering', 'prompt', 'none'),
  comments: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
  deaths: fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 3 }),
  crashes: fc.array(fc.record({ line: fc.integer({ min: 1, max: 14 }), isWritten: fc.boolean() }), {
    maxLength: 2,
  }),
  calls: fc.integer({ min: 1, max: 4 }),
  forgets: fc.boolean(),
  wrong: fc.constantFrom(
    ...(['nothing', 'answersTwice', 'asksForever', 'noise', 'quotes'] as const),
    ...(['halves', 'late', 'echoes', 'dropsCanceled'] as const),
  ),
});

/** Number of messages of the agent's conversation in which each comment stands. */
export interface Judgement {
  readonly counts: readonly number[];
  readonly status: string;
  readonly sessions: number;
  /** Times that the agent or the run died. */
  readonly kills: number;
  /** Requests to the model between each comment and the first that holds it, which a kill adds to; null where none are seen. */
  readonly late: readonly number[] | null;
}

/** Plays a course with the run of this package. */
export function playKills(trial: KillTrial, options?: AgentBedOptions): Promise<Judgement> {
  return inBed({ trial, options }, async (bed) => {
    const journal = createMemoryRunJournal();
    const clock = { polls: 0 };
    const scripts = toScripts(trial);
    let starts = 0;
    let crashes = 0;
    for (const crash of [...trial.crashes, null]) {
      const { result, starts: started } = await bed.play({
        scripts: scripts.slice(Math.min(starts, scripts.length - 1)),
        journal: crash === null ? journal : crashing(journal, crash),
        comments: createTimedInbox(trial.comments, { journal, clock }),
        task: { maxDeaths: 5 },
      });
      starts += started;
      if (toOutcome(result).status === 'completed') return { status: 'completed', crashes };
      crashes += 1;
    }
    return { status: 'failed', crashes };
  });
}

/** Plays the same course with a bare adapter: what the agent says that it has counts as told. */
export function playBare(trial: KillTrial, options?: AgentBedOptions): Promise<Judgement> {
  return inBed({ trial, options }, async (bed) => {
    const scripts = toScripts(trial);
    const executor = createAcpExecutor(bed.agent(scripts));
    const clock: Clock = { polls: 0 };
    const { comments } = trial;
    const isDone = await playBareAdapter(executor, { comments, clock, maxStarts: scripts.length + 1 });
    return { status: isDone ? 'completed' : 'failed', crashes: 0 };
  });
}

async function inBed(
  { trial, options }: { readonly trial: KillTrial; readonly options: AgentBedOptions | undefined },
  play: (bed: AgentBed) => Promise<{ readonly status: string; readonly crashes: number }>,
): Promise<Judgement> {
  const bed = createAgentBed(options);
  try {
    const { status, crashes } = await play(bed);
    const messages = bed.userMessages();
    const counts = trial.comments.map((_, index) => countHolding(messages, toComment(index)));
    return { counts, status, sessions: bed.sessions().length, kills: bed.deaths() + crashes, late: null };
  } finally {
    await bed.remove();
  }
}

function toScripts({ steering, deaths, calls, forgets, wrong }: KillTrial): readonly AgentScriptInput[] {
  const name = steering === 'prompt' ? 'opencode' : 'scripted-agent';
  const script = { steering, calls, name, ...wrongs[wrong] };
  return [...deaths.map((diesAt) => ({ ...script, diesAt, forgets })), script];
}

const moments = ['start', 'load', 'prompt', 'call', 'steer', 'ended'] as const;
const stray = JSON.stringify({ jsonrpc: '2.0', id: 4_711, result: { stopReason: 'end_turn' } });
const late = {
  ...{ jsonrpc: '2.0', method: 'session/update' },
  params: {
    sessionId: '$session',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'late ' } },
  },
};

const wrongs: Readonly<Record<KillTrial['wrong'], AgentScriptInput>> = {
  nothing: {},
  answersTwice: { answersTwice: true },
  // It is allowed in the end: the courses are about what becomes of comments.
  asksForever: { asks: { kind: 'execute', path: null }, asksForever: true },
  noise: { misbehavior: { noise: moments.map((at) => ({ at, line: stray, times: 3 })) } },
  quotes: { misbehavior: { quotes: true } },
  halves: { misbehavior: { replays: 'halves' } },
  late: { misbehavior: { noise: [{ at: 'ended', line: JSON.stringify(late), times: 5 }] } },
  echoes: { misbehavior: { echoes: true } },
  dropsCanceled: { misbehavior: { dropsCanceled: true } },
};
