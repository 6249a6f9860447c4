import { isDeepStrictEqual } from 'node:util';
import type { TrialVerdict } from '@agent/simulators/trials';
import { type FinalState, findBrokenRules } from './broken-rules.ts';
import { readForgeState } from './forge-state.ts';
import { findBrokenHearing } from './hearing.ts';
import { describeInterruption, type Interruption } from './interruption.ts';
import { readMachineState } from './machine-state.ts';
import { findBrokenPauseTalk } from './pause-talk.ts';
import type { Scenario } from './scenarios.ts';
import { type Life, openStage, type Stage } from './stage.ts';

/** What an undisturbed run comes to, and how long it is. */
export interface Baseline extends Pick<Life, 'diskWrites' | 'requests' | 'durationMs'> {
  readonly state: FinalState;
}

export interface MomentVerdict extends TrialVerdict {
  /** Interruptions that happened. */
  readonly done: readonly DoneInterruption[];
}

export interface DoneInterruption {
  readonly interruption: Interruption;
  /** At what it was paused; null when it was not. */
  readonly pausedAt: string | null;
  /** At what it was killed; null when it was not. */
  readonly killedAt: string | null;
}

/** How often what is left is gone on with: a pause that was cut short is finished first, and then resumed. */
const lastStarts = 3;
const baselines = new Map<Scenario, Promise<Baseline>>();

/** Runs a scenario undisturbed; once per process. */
export function measureBaseline(scenario: Scenario): Promise<Baseline> {
  const known = baselines.get(scenario) ?? runUndisturbed(scenario);
  baselines.set(scenario, known);
  return known;
}

async function runUndisturbed(scenario: Scenario): Promise<Baseline> {
  const stage = await openStage(scenario);
  try {
    const { exit, diskWrites, requests, durationMs } = await stage.live(null);
    const state = await readState(stage);
    const hearing = await findBrokenCourse(stage, { restarts: 0 });
    const broken = [
      ...findBrokenRules(state),
      ...hearing,
      ...(exit.code === 0 ? [] : [`it ended with ${exit.code}`]),
    ];
    if (broken.length > 0) {
      throw new Error(`${scenario.name}, undisturbed: ${broken.join('; ')}\n${exit.output}`);
    }
    return { state, diskWrites, requests, durationMs };
  } finally {
    await stage.close();
  }
}

/** What there is in the end, on the forge and on this machine. */
export async function readState({ world, proxyUrl }: Stage): Promise<FinalState> {
  return {
    forge: await readForgeState(world, { url: proxyUrl }),
    machine: await readMachineState(world),
  };
}

/**
 * Interrupts one life of the daemon after the other, starts it again until it ends by itself with nothing left to do,
 * and looks at what it left.
 */
export async function runTrial(
  scenario: Scenario,
  interruptions: readonly Interruption[],
): Promise<MomentVerdict> {
  const expected = await measureBaseline(scenario);
  const stage = await openStage(scenario);
  const done: DoneInterruption[] = [];
  const lives: Life[] = [];
  try {
    for (const interruption of interruptions) {
      const { pausedAt, killedAt } = await interrupt(stage, { interruption, lives });
      if (pausedAt === null && killedAt === null) break;
      done.push({ interruption, pausedAt, killedAt });
    }
    await endUndisturbed(stage, lives);
    const findings = await findFailures(stage, { expected: expected.state, done, lives });
    const outputs = lives.map(({ exit }, index) => `--- start ${index + 1}\n${exit.output.trim()}`);
    return {
      told: [scenario.name, ...done.map(describeDone)].join('; '),
      ...{ done, findings, trace: outputs.join('\n') },
    };
  } finally {
    await stage.close();
  }
}

async function interrupt(
  stage: Stage,
  { interruption, lives }: { readonly interruption: Interruption; readonly lives: Life[] },
): Promise<Life> {
  if (interruption.act === 'kill') {
    const killed = await stage.live(interruption.moment);
    lives.push(killed);
    return killed;
  }
  const paused = await stage.live(interruption.kill, { pause: interruption });
  lives.push(paused);
  // While the pause stands, the next start ends what the dead one began.
  if (paused.killedAt !== null) lives.push(await stage.live(null));
  await stage.resume();
  return paused;
}

async function endUndisturbed(stage: Stage, lives: Life[]): Promise<void> {
  for (let start = 0; start < lastStarts; start += 1) {
    if (lives.at(-1)?.hung === true) return;
    lives.push(await stage.live(null));
    if (!(await stage.isUnfinished())) return;
  }
}

/** A process that leaves a paused run exits with 1. */
function isGoodExit({ code, output }: Life['exit']): boolean {
  return code === 0 || (code === 1 && output.includes('"msg":"paused task"'));
}

async function findFailures(
  stage: Stage,
  trial: {
    readonly expected: FinalState;
    readonly done: readonly DoneInterruption[];
    readonly lives: readonly Life[];
  },
): Promise<readonly string[]> {
  const { expected, done, lives } = trial;
  if (lives.some(({ hung }) => hung)) return ['the daemon did not end'];
  const failed = lives.findIndex(({ exit, killedAt }) => killedAt === null && !isGoodExit(exit));
  if (failed >= 0) {
    const { exit } = lives[failed] ?? {};
    return [`start ${failed + 1}, which was not killed, ended with ${exit?.code ?? exit?.signal}`];
  }
  const pauses = done.filter(({ pausedAt }) => pausedAt !== null).length;
  const pauseTalk = stage.world.forge.threads().flatMap((thread) => findBrokenPauseTalk(thread, { pauses }));
  if (pauseTalk.length > 0) return pauseTalk;
  const state = await readState(stage).catch((error: unknown) => ({ error: String(error) }));
  if (!isDeepStrictEqual(state, expected)) return [describeDifference(state, expected)];
  return findBrokenCourse(stage, { restarts: lives.length - 1 });
}

/** What is wrong with what the run heard, and with how it got ready. */
async function findBrokenCourse(
  { world, talk, preparation }: Stage,
  trial: { readonly restarts: number },
): Promise<string[]> {
  const hearing = talk === null ? [] : await findBrokenHearing(world, talk);
  return [...hearing, ...((await preparation?.findBroken(trial)) ?? [])];
}

function describeDifference(state: object, expected: object): string {
  const lines = (value: object): string[] => JSON.stringify(value, null, 1).split('\n');
  const [is, was] = [lines(state), lines(expected)];
  const more = is.filter((line) => !was.includes(line)).map((line) => `  + ${line.trim()}`);
  const less = was.filter((line) => !is.includes(line)).map((line) => `  - ${line.trim()}`);
  const same =
    more.length + less.length === 0 ? ['  (the same lines, in another number or order)', ...is] : [];
  return ['the final state differs from the undisturbed one:', ...less, ...more, ...same].join('\n');
}

/** One line for people. */
function describeDone({ interruption, pausedAt, killedAt }: DoneInterruption): string {
  const at = [pausedAt, killedAt].filter((label) => label !== null).map((label) => `"${label}"`);
  return `${describeInterruption(interruption)}: ${at.join(', then ')}`;
}
