import type { ClusterVerdict } from './cluster-trial.ts';
import type { HarmLog } from './harm-log.ts';
import { countFinals, type Finding, isGivenUp } from './judge.ts';

import type { TakeoverWaits } from './takeovers.ts';

/** One trial that was played. */
export interface PlayedTrial {
  readonly seed: number;
  readonly threads: number;
  readonly verdict: ClusterVerdict;
}

/** One line for a trial that passed, and all that helps to understand one that did not. */
export function formatTrial({ seed, threads, verdict }: PlayedTrial, repeat: string): string {
  const { told, broken, harm, file } = verdict;
  const [forge = '', ...harms] = told;
  const what = `${threads} runs on ${forge}, ${harms.length} harms, takeovers ${formatMs(harm.takeovers)}`;
  if (broken.length === 0) return `ok   ${seed}: ${what}`;
  const found = broken.map(({ kind, text }) => `  ${kind}: ${text}`);
  return [
    `FAIL ${seed}: ${what}; repeat it with: ${repeat}`,
    ...found,
    ...harms,
    `  all that was printed: ${file}`,
  ].join('\n');
}

/** What all trials together have seen. */
export function formatCounts(trials: readonly PlayedTrial[]): string {
  const logs = trials.map(({ verdict }) => verdict.harm);
  const left = trials.flatMap(({ verdict }) => verdict.left);
  const found = trials.flatMap(({ verdict }) => verdict.broken);
  const sum = (count: (log: HarmLog) => number) => logs.reduce((total, log) => total + count(log), 0);
  const sayings = left.flatMap((one) => one.sayings);
  const say = (isMeant: (saying: (typeof sayings)[number]) => boolean) => sayings.filter(isMeant).length;
  const findings = (kind: Finding['kind']) => found.filter((one) => one.kind === kind).length;
  const failed = trials.filter(({ verdict }) => verdict.broken.length > 0).length;
  const partitions = logs.flatMap((log) => Object.entries(log.partitions));
  const ways = [...new Set(partitions.map(([name]) => name))].sort();
  const rows: readonly (readonly [string, string | number])[] = [
    ['runs', left.reduce((total, { runs }) => total + runs.length, 0)],
    ['kills of workers', sum(({ kills }) => kills.work)],
    ['kills of lookers', sum(({ kills }) => kills.look)],
    ['partitions', partitions.reduce((total, [, count]) => total + count, 0)],
    ...ways.map(
      (way) =>
        [
          `  ${way}`,
          partitions.reduce((total, [name, count]) => total + (name === way ? count : 0), 0),
        ] as const,
    ),
    ['zombies', sum(({ zombies }) => zombies)],
    ['  whose late write was refused or not made', sum(({ refused }) => refused)],
    ['freezes of processes without a run', sum(({ idleFreezes }) => idleFreezes)],
    ['harms that came after their thread had ended', sum(({ missed }) => missed)],
    ['comments of people', say(({ command }) => command === null)],
    ['  changed', say(({ revisions }) => revisions.length > 1)],
    ['  deleted', say(({ deletedAt }) => deletedAt !== null)],
    ...(['stop', 'pause', 'resume'] as const).map(
      (name) => [`/${name}`, say(({ command }) => command === name)] as const,
    ),
    ['final comments', left.reduce((total, one) => total + countFinals(one), 0)],
    ['given up after three deaths in a row', left.filter(isGivenUp).length],
    ['takeover after a kill', formatMs(logs.flatMap(({ takeovers }) => takeovers))],
    ...(['silence', 'place', 'opening'] as const).map(
      (wait) =>
        [
          `  of it ${waitNames[wait]}`,
          formatMs(logs.flatMap(({ waits }) => waits.map((one) => one[wait]))),
        ] as const,
    ),
    ['takeover after a freeze', formatMs(logs.flatMap(({ zombieTakeovers }) => zombieTakeovers))],
    ['lost', findings('lost')],
    ['twice', findings('twice')],
    ['wrong otherwise', findings('wrong')],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return [...table, `${trials.length - failed} trials passed, ${failed} failed`].join('\n');
}

const waitNames: Readonly<Record<keyof TakeoverWaits, string>> = {
  silence: 'until silence counted as death',
  place: 'until a process had a place for it',
  opening: 'until that process had its record',
};

function formatMs(times: readonly number[]): string {
  if (times.length === 0) return 'none';
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    `${((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / 1_000).toFixed(1)} s`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} (${times.length} runs)`;
}
