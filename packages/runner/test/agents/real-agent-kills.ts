import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentModel, startAgentModel } from '@agent/simulators/model';
import type { RealAgent } from '@agent/simulators/real-agents';
import fc from 'fast-check';
import {
  type AcpExecutorOptions,
  createAcpExecutor,
  runAgentTask,
  startAgentProcess,
} from '../../src/executors/index.ts';
import { type CommentInbox, createMemoryRunJournal } from '../../src/index.ts';
import type { Judgement } from './agent-kills.ts';
import { type Clock, createTimedInbox, playBareAdapter, toComment } from './timed-comments.ts';

/** Course of a run that a real agent works on, whose processes are killed. */
export interface RealAgentTrial {
  /** Numbers of the polls from which the comments are there. */
  readonly comments: readonly number[];
  /** Moments of kills: a poll, and milliseconds after it. */
  readonly kills: readonly {
    readonly poll: number;
    readonly delayMs: number;
    readonly whom: 'agent' | 'run';
  }[];
}

/** Any course; most kills come soon after something was said. */
export const anyRealAgentTrial: fc.Arbitrary<RealAgentTrial> = fc.record({
  comments: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 3 }),
  kills: fc.array(
    fc.record({
      poll: fc.integer({ min: 1, max: 7 }),
      delayMs: fc.integer({ min: 0, max: 600 }),
      whom: fc.constantFrom('agent', 'agent', 'run'),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

/** A real agent, where it was installed. */
export interface InstalledAgent {
  readonly agent: RealAgent;
  readonly program: string;
}

/** Plays a course with the run of this package. */
export function playRealKills(installed: InstalledAgent, trial: RealAgentTrial): Promise<Judgement> {
  return inPlace(installed, trial, async ({ start, directory, clock, dies, hear }) => {
    const journal = createMemoryRunJournal();
    for (let time = 0; time <= trial.kills.length; time += 1) {
      const result = await runAgentTask({
        executor: createAcpExecutor({ start, rules: { directory, isSandboxed: true } }),
        journal,
        comments: hear(createTimedInbox(trial.comments, { journal, clock })),
        openConversation: async () => ({
          instructions: 'You repair things.',
          messages: [{ role: 'user', content: 'Mend it.' }],
        }),
        checkIntervalMs: 400,
        maxDeaths: 5,
        hardSignal: dies(),
      });
      if (result.kind === 'ended') return result.outcome.status;
    }
    return 'interrupted';
  });
}

/** Plays the same course with a bare adapter; a run that dies is begun again in its session, too. */
export function playRealBare(installed: InstalledAgent, trial: RealAgentTrial): Promise<Judgement> {
  const kills = trial.kills.map((kill) => ({ ...kill, whom: 'agent' as const }));
  return inPlace(installed, { ...trial, kills }, async ({ start, directory, clock }) => {
    const executor = createAcpExecutor({ start, rules: { directory, isSandboxed: true } });
    const { comments } = trial;
    const isDone = await playBareAdapter(executor, { comments, clock, maxStarts: kills.length + 1 });
    return isDone ? 'completed' : 'failed';
  });
}

interface Place {
  readonly start: AcpExecutorOptions['start'];
  readonly directory: string;
  readonly clock: Clock;
  /** Gives what is aborted when the run is to die next. */
  readonly dies: () => AbortSignal;
  /** Notes when comments are handed out. */
  readonly hear: (inbox: CommentInbox) => CommentInbox;
}

async function inPlace(
  installed: InstalledAgent,
  trial: RealAgentTrial,
  play: (place: Place) => Promise<string>,
): Promise<Judgement> {
  const base = await realpath(await mkdtemp(join(tmpdir(), `${installed.agent.name}-`)));
  const directory = join(base, 'work');
  await mkdir(directory);
  const model = await startSteps(installed.agent);
  const start = await prepareStart(installed, { base, directory, model });
  let run = new AbortController();
  let kills = 0;
  const waiting = [...trial.kills];
  const timers: NodeJS.Timeout[] = [];
  const handedAt: number[] = [];
  const killAgent = async () => {
    const pid = Number(await readFile(join(base, 'pid'), 'utf8').catch(() => '0'));
    if (pid > 0 && signalGroup(pid)) kills += 1;
  };
  const onPoll = (polls: number) => {
    for (const kill of waiting.splice(0)) {
      if (kill.poll > polls) waiting.push(kill);
      else
        timers.push(setTimeout(() => (kill.whom === 'agent' ? void killAgent() : run.abort()), kill.delayMs));
    }
  };
  const dies = () => {
    if (run.signal.aborted) kills += 1;
    run = new AbortController();
    return run.signal;
  };
  const hear = (inbox: CommentInbox): CommentInbox => ({
    ...inbox,
    takeDelivery: async (call) => {
      const taken = await inbox.takeDelivery(call);
      if (taken.status === 'checked' && taken.delivery !== null) handedAt.push(model.requests.length);
      return taken;
    },
  });
  try {
    const status = await play({ start, directory, clock: { polls: 0, onPoll }, dies, hear });
    return { ...judge(model, { trial, handedAt }), status, sessions: 1, kills };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await model.close();
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes a home for an agent, and notes the number of its process, so that it can be killed without a word. */
async function prepareStart(
  { agent, program }: InstalledAgent,
  {
    base,
    directory,
    model,
  }: { readonly base: string; readonly directory: string; readonly model: AgentModel },
): Promise<AcpExecutorOptions['start']> {
  const home = join(base, 'home');
  await mkdir(home);
  for (const [path, text] of Object.entries(agent.files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const own = { HOME: home, PATH: process.env.PATH ?? '', TMPDIR: base, PID_FILE: join(base, 'pid') };
  const environment = { ...own, ...agent.toEnvironment(model) };
  const words = [...(program.endsWith('.js') ? [process.execPath] : []), program, ...agent.args];
  const args = ['-c', 'echo $$ > "$PID_FILE"; exec "$@"', 'sh', ...words];
  return () => startAgentProcess({ command: '/bin/sh', args, environment, directory, graceMs: 0 });
}

function signalGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Takes three steps, then says that it is done. */
function startSteps(agent: RealAgent): Promise<AgentModel> {
  return startAgentModel(({ results }) =>
    results >= 3 ? { text: 'Done.' } : { call: agent.toCall(`sleep 1; echo step ${results}`) },
  );
}

/** Counts in the conversation that the model was asked about last. */
function judge(
  { requests }: AgentModel,
  { trial, handedAt }: { readonly trial: RealAgentTrial; readonly handedAt: readonly number[] },
): Pick<Judgement, 'counts' | 'late'> {
  const texts = requests.map(({ userMessages }) => userMessages.join('\n'));
  const comments = trial.comments.map((_, index) => toComment(index));
  const counts = comments.map((comment) => (texts.at(-1) ?? '').split(comment).length - 1);
  const late = handedAt.map((at, index) => texts.findIndex((text) => text.includes(toComment(index))) - at);
  return { counts, late };
}
