import type { AgentScriptInput } from '@agent/simulators/acp';
import fc from 'fast-check';
import { AgentFailure, createAcpExecutor } from '../src/executors/index.ts';
import { type CommentInbox, createMemoryRunJournal, type MemoryRunJournal } from '../src/index.ts';
import { type AgentBed, countHolding, createAgentBed } from './agent-bed.ts';
import { crashing } from './crashing-journal.ts';
import { toOutcome } from './run-setup.ts';

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
});

/** Number of messages of the agent's conversation in which each comment stands. */
export interface Judgement {
  readonly counts: readonly number[];
  readonly status: string;
  readonly sessions: number;
}

/** Plays a course with the run of this package. */
export function playKills(trial: KillTrial): Promise<Judgement> {
  return inBed(trial, async (bed) => {
    const journal = createMemoryRunJournal();
    const clock = { polls: 0 };
    const scripts = toScripts(trial);
    let starts = 0;
    for (const crash of [...trial.crashes, null]) {
      const { result, starts: started } = await bed.play({
        scripts: scripts.slice(Math.min(starts, scripts.length - 1)),
        journal: crash === null ? journal : crashing(journal, crash),
        comments: createTimedInbox(trial.comments, { journal, clock }),
        task: { maxDeaths: 5 },
      });
      starts += started;
      if (toOutcome(result).status === 'completed') return 'completed';
    }
    return 'failed';
  });
}

/** Plays the same course with a bare adapter: what the agent says that it has counts as told. */
export function playBare(trial: KillTrial): Promise<Judgement> {
  return inBed(trial, async (bed) => {
    const scripts = toScripts(trial);
    const executor = createAcpExecutor(bed.agent(scripts));
    const clock = { polls: 0 };
    const waiting = ['Mend it.'];
    let told = 0;
    let session: string | null = null;
    for (let start = 0; start <= scripts.length; start += 1) {
      try {
        session = (await executor.open(session, {})).id;
        for (;;) {
          const texts = waiting.splice(0);
          for await (const event of executor.turn(texts.length === 0 ? ['Go on.'] : texts, {})) {
            if (event.type !== 'tool-end') continue;
            clock.polls += 1;
            for (; isDue(trial.comments, { index: told, clock }); told += 1) {
              const text = toComment(told);
              if ((await executor.steer(text, {})) !== 'handed') waiting.push(text);
            }
          }
          clock.polls += 1;
          for (; isDue(trial.comments, { index: told, clock }); told += 1) waiting.push(toComment(told));
          if (told === trial.comments.length && waiting.length === 0) return 'completed';
        }
      } catch (error) {
        if (!AgentFailure.isInstance(error)) throw error;
      } finally {
        await executor.close();
      }
    }
    return 'failed';
  });
}

async function inBed(trial: KillTrial, play: (bed: AgentBed) => Promise<string>): Promise<Judgement> {
  const bed = createAgentBed();
  try {
    const status = await play(bed);
    const messages = bed.userMessages();
    const counts = trial.comments.map((_, index) => countHolding(messages, toComment(index)));
    return { counts, status, sessions: bed.sessions().length };
  } finally {
    await bed.remove();
  }
}

function toScripts({ steering, deaths, calls, forgets }: KillTrial): readonly AgentScriptInput[] {
  const script = { steering, calls, name: steering === 'prompt' ? 'opencode' : 'scripted-agent' };
  return [...deaths.map((diesAt) => ({ ...script, diesAt, forgets })), script];
}

const toComment = (index: number): string => `comment <${index}>`;

interface Clock {
  polls: number;
}

function isDue(
  comments: readonly number[],
  { index, clock }: { readonly index: number; readonly clock: Clock },
): boolean {
  const at = [...comments].sort((a, b) => a - b)[index];
  return at !== undefined && at <= clock.polls;
}

/** An inbox whose comments come at polls; what the journal has was delivered. */
function createTimedInbox(
  comments: readonly number[],
  { journal, clock }: { readonly journal: MemoryRunJournal; readonly clock: Clock },
): CommentInbox {
  return {
    takeDelivery: async ({ barrier }) => {
      clock.polls += barrier ? 10 : 1;
      const delivered = journal.entries.flatMap((entry) =>
        entry.type === 'message' ? (entry.delivers ?? []) : [],
      ).length;
      if (!isDue(comments, { index: delivered, clock })) return { status: 'checked', delivery: null };
      const receipt = { delivers: [{ id: String(delivered), revision: '1', kind: 'added' as const }] };
      return {
        status: 'checked',
        delivery: { text: toComment(delivered), receipt, hasMore: true, hasCommands: false },
      };
    },
    markDelivered: () => undefined,
  };
}
