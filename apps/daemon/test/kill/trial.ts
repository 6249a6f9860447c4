import { isDeepStrictEqual } from 'node:util';
import { type FinalState, findBrokenRules } from './broken-rules.ts';
import { readGitHubState } from './github-state.ts';
import { readMachineState } from './machine-state.ts';
import { describeMoment, type Moment } from './moment.ts';
import type { Scenario } from './scenarios.ts';
import { type Life, openStage, type Stage } from './stage.ts';

/** What an undisturbed run comes to, and how long it is. */
export interface Baseline extends Pick<Life, 'diskWrites' | 'requests' | 'durationMs'> {
  readonly state: FinalState;
}

export interface TrialResult {
  readonly kills: readonly { readonly moment: Moment; readonly at: string }[];
  readonly starts: number;
  /** Null when it ended in the same state as the undisturbed run. */
  readonly failure: string | null;
}

/** Of what each start of the daemon printed. */
const shownLines = 30;
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
    const broken = [...findBrokenRules(state), ...(exit.code === 0 ? [] : [`it ended with ${exit.code}`])];
    if (broken.length > 0) {
      throw new Error(`${scenario.name}, undisturbed: ${broken.join('; ')}\n${exit.output}`);
    }
    return { state, diskWrites, requests, durationMs };
  } finally {
    await stage.close();
  }
}

/** What there is in the end, on GitHub and on this machine. */
export async function readState({ world, proxyUrl }: Stage): Promise<FinalState> {
  return {
    gitHub: await readGitHubState(world, { url: proxyUrl }),
    machine: await readMachineState(world),
  };
}

/** Kills the daemon at each of the moments, starts it again until it ends by itself, and looks at what it left. */
export async function runTrial(scenario: Scenario, moments: readonly Moment[]): Promise<TrialResult> {
  const expected = await measureBaseline(scenario);
  const stage = await openStage(scenario);
  const kills: { moment: Moment; at: string }[] = [];
  const lives: Life[] = [];
  try {
    for (const moment of [...moments, null]) {
      const life = await stage.live(moment);
      lives.push(life);
      if (life.killedAt === null || moment === null) break;
      kills.push({ moment, at: life.killedAt });
    }
    const failure = await findFailure(stage, { expected: expected.state, last: lives.at(-1) });
    return {
      kills,
      starts: lives.length,
      failure: failure === null ? null : explain(failure, { kills, lives }),
    };
  } finally {
    await stage.close();
  }
}

async function findFailure(
  stage: Stage,
  { expected, last }: { readonly expected: FinalState; readonly last: Life | undefined },
): Promise<string | null> {
  if (last?.hung) return 'the daemon did not end';
  if (last?.exit.code !== 0) return `the last start ended with ${last?.exit.code ?? last?.exit.signal}`;
  const state = await readState(stage).catch((error: unknown) => ({ error: String(error) }));
  return isDeepStrictEqual(state, expected) ? null : describeDifference(state, expected);
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

function explain(
  failure: string,
  { kills, lives }: { readonly kills: TrialResult['kills']; readonly lives: readonly Life[] },
): string {
  const killed = kills.map(({ moment, at }) => `killed ${describeMoment(moment)}: ${at}`);
  const outputs = lives.flatMap(({ exit }, index) => [
    `--- start ${index + 1}`,
    ...exit.output.trim().split('\n').slice(-shownLines),
  ]);
  return [failure, ...killed, ...outputs].join('\n');
}
