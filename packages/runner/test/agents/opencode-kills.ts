import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toOpencodeEnvironment } from '@agent/simulators/acp';
import { type FaultyModel, startFaultyModel } from '@agent/simulators/model';
import fc from 'fast-check';
import {
  type AcpExecutorOptions,
  createAcpExecutor,
  runAgentTask,
  startAgentProcess,
} from '../../src/executors/index.ts';
import { createMemoryRunJournal } from '../../src/index.ts';
import { countHolding } from './agent-bed.ts';
import type { Judgement } from './agent-kills.ts';
import { createTimedInbox, playBareAdapter, toComment } from './timed-comments.ts';

/** Course of a run that the real opencode works on, whose processes are killed. */
export interface OpencodeTrial {
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
export const anyOpencodeTrial: fc.Arbitrary<OpencodeTrial> = fc.record({
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

/** Plays a course with the run of this package. */
export function playOpencodeKills(command: string, trial: OpencodeTrial): Promise<Judgement> {
  return inPlace(command, trial, async ({ start, directory, clock, dies }) => {
    const journal = createMemoryRunJournal();
    for (let time = 0; time <= trial.kills.length; time += 1) {
      const result = await runAgentTask({
        executor: createAcpExecutor({ start, rules: { directory, isSandboxed: true } }),
        journal,
        comments: createTimedInbox(trial.comments, { journal, clock }),
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
export function playOpencodeBare(command: string, trial: OpencodeTrial): Promise<Judgement> {
  const kills = trial.kills.map((kill) => ({ ...kill, whom: 'agent' as const }));
  return inPlace(command, { ...trial, kills }, async ({ start, directory, clock }) => {
    const executor = createAcpExecutor({ start, rules: { directory, isSandboxed: true } });
    const { comments } = trial;
    const isDone = await playBareAdapter(executor, { comments, clock, maxStarts: kills.length + 1 });
    return isDone ? 'completed' : 'failed';
  });
}

interface Place {
  readonly start: AcpExecutorOptions['start'];
  readonly directory: string;
  readonly clock: { polls: number; readonly onPoll: (polls: number) => void };
  /** Gives what is aborted when the run is to die next. */
  readonly dies: () => AbortSignal;
}

async function inPlace(
  command: string,
  trial: OpencodeTrial,
  play: (place: Place) => Promise<string>,
): Promise<Judgement> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'opencode-')));
  const [directory, home] = [join(base, 'work'), join(base, 'home')];
  await mkdir(directory);
  await mkdir(home);
  const model = await startSteps();
  let run = new AbortController();
  let kills = 0;
  const waiting = [...trial.kills];
  const timers: NodeJS.Timeout[] = [];
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
  const environment = {
    ...{ HOME: home, PATH: process.env.PATH ?? '', PID_FILE: join(base, 'pid') },
    ...toOpencodeEnvironment(model),
  };
  // Its number is noted, so that it can be killed without a word.
  const args = ['-c', 'echo $$ > "$PID_FILE"; exec "$0" acp', command];
  const start = () => startAgentProcess({ command: '/bin/sh', args, environment, directory, graceMs: 0 });
  const dies = () => {
    if (run.signal.aborted) kills += 1;
    run = new AbortController();
    return run.signal;
  };
  try {
    const status = await play({ start, directory, clock: { polls: 0, onPoll }, dies });
    const messages = listUserMessages(model);
    const counts = trial.comments.map((_, index) => countHolding(messages, toComment(index)));
    return { counts, status, sessions: 1, kills };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await model.close();
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function signalGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Takes three steps, then says that it is done. */
function startSteps(): Promise<FaultyModel> {
  return startFaultyModel(({ body, written }) => {
    const steps = written.split('"role":"tool"').length - 1;
    if (body.tools === undefined || steps >= 3) return { kind: 'say', text: 'Done.' };
    const input = JSON.stringify({ command: `sleep 1; echo step ${steps}`, description: 'Takes a step' });
    return { kind: 'call', calls: [{ id: `call-${steps}`, name: 'bash', arguments: input }] };
  });
}

/** Messages of the user in the conversation that the model was asked about last. */
function listUserMessages({ requests }: FaultyModel): readonly string[] {
  const last = requests.filter(({ body }) => body.tools !== undefined).at(-1);
  const messages = (last?.body.messages ?? []) as readonly { readonly role: string }[];
  return messages.filter(({ role }) => role === 'user').map((message) => JSON.stringify(message));
}
