import type { PlannedTrial } from './choose-moments.ts';
import { type Moment, momentKinds } from './moment.ts';
import type { DoneInterruption, TrialResult } from './trial.ts';

export interface NamedTrial {
  readonly seed: number;
  readonly plan: PlannedTrial;
  readonly result: TrialResult;
}

/** The report of all trials; its last line is `N passed, N failed`. */
export function formatSummary(trials: readonly NamedTrial[]): string {
  const done = trials.flatMap(({ result }) => result.done);
  const kills = done.flatMap((one) => killOf(one));
  const pauses = done.filter(({ pausedAt }) => pausedAt !== null).length;
  const failed = trials.filter(({ result }) => result.failure !== null);
  const starts = trials.reduce((sum, { result }) => sum + result.starts, 0);
  const byKind = momentKinds.map(
    (kind) => `${kills.filter((moment) => moment.kind === kind).length} by ${kind}`,
  );
  const names = [...new Set(trials.map(({ plan }) => plan.scenario.name))];
  const byScenario = names.map((name) => {
    const own = trials.filter(({ plan }) => plan.scenario.name === name);
    return `  ${name}: ${own.length} runs, ${own.flatMap(({ result }) => result.done.flatMap(killOf)).length} kills`;
  });
  return [
    '',
    ...failed.flatMap(({ seed, result }) => [
      `FAILED, repeat it with: npm run test:kill -- 1 --seed ${seed}`,
      result.failure ?? '',
      '',
    ]),
    `${kills.length} kills (${byKind.join(', ')}) and ${pauses} pauses in ${trials.length} runs, ${starts} starts of the daemon`,
    ...byScenario,
    `${trials.length - failed.length} passed, ${failed.length} failed`,
  ].join('\n');
}

function killOf({ interruption, killedAt }: DoneInterruption): Moment[] {
  const moment = interruption.act === 'kill' ? interruption.moment : interruption.kill;
  return killedAt === null || moment === null ? [] : [moment];
}
