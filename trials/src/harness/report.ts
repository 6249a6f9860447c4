import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { PlayedTrial } from './run-trials.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Findings that the terminal shows of one trial; the trace has all. */
const shownFindings = 8;

export interface ReportOptions {
  /** Name of the kind. */
  readonly kind: string;
  /** What the number on the command line counts. */
  readonly unit: string;
  /** Words of the command line that a repetition needs, such as `--only net`. */
  readonly repeat: string;
  readonly print: (line: string) => void;
  /** Default `.reports/trials/KIND` in the repository. */
  readonly directory?: string;
}

/** Report on the trials of one command. */
export interface TrialReport {
  /** Prints the result of a trial, and writes the trace of a failure to a file. */
  readonly add: (played: PlayedTrial) => Promise<void>;
  /** Prints the summary and writes `report.json`. @returns the number of trials with findings */
  readonly finish: (
    all: readonly PlayedTrial[],
    more: { readonly units: number; readonly findings: readonly string[] },
  ) => Promise<number>;
}

/** Opens a report. What an earlier command wrote about this kind is deleted. */
export async function openReport(options: ReportOptions): Promise<TrialReport> {
  const { kind, repeat, print, directory = join(root, '.reports', 'trials', kind) } = options;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const toTrace = (seed: number): string => join(directory, `${seed}.log`);
  return {
    add: async (played) => {
      if (isFailed(played)) await writeFile(toTrace(played.seed), formatTrace(kind, played));
      print(formatPlayed(kind, played));
      if (!isFailed(played)) return;
      print(`  repeat:   npm run trial -- ${kind} ${options.repeat}--seed ${played.seed}`);
      print(`  trace:    ${relative(root, toTrace(played.seed))}`);
    },
    finish: async (all, { units, findings }) => {
      const totals = { ...sumUp(all), times: joinTimes(all) };
      const failed = all.filter(isFailed).length;
      const skipped = all.filter(({ verdict }) => typeof verdict.missing === 'string').length;
      print(
        formatSummary({
          ...totals,
          findings,
          trials: all.length,
          failed,
          skipped,
          title: `${units} ${options.unit}`,
        }),
      );
      const trials = all.map(({ seed, verdict: { trace: _, ...verdict }, durationMs, ...played }) => ({
        ...{ seed, durationMs, ...verdict },
        trace: isFailed({ seed, verdict, durationMs, ...played }) ? toTrace(seed) : null,
      }));
      const report = { kind, repeat: repeat.trim(), units, failed, skipped, findings, ...totals, trials };
      await writeFile(join(directory, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
      return failed + (findings.length > 0 ? 1 : 0);
    },
  };
}

/** True for a trial with findings. */
function isFailed({ verdict }: PlayedTrial): boolean {
  return verdict.findings.length > 0;
}

/** Formats the result of a trial as one line, with its findings below. */
export function formatPlayed(kind: string, { seed, verdict, durationMs }: PlayedTrial): string {
  const { told, findings, missing } = verdict;
  const word = findings.length > 0 ? 'FAIL' : typeof missing === 'string' ? 'skip' : 'ok  ';
  const more = findings.length - shownFindings;
  return [
    `${word} ${kind} ${seed}, ${(durationMs / 1_000).toFixed(1)} s: ${typeof missing === 'string' ? `${missing}; ` : ''}${told}`,
    ...findings.slice(0, shownFindings).map((finding) => `  finding:  ${finding}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}

function formatTrace(kind: string, { seed, trial, verdict }: PlayedTrial): string {
  const { told, findings, trace = '' } = verdict;
  return [
    `kind: ${kind}`,
    `seed: ${seed}`,
    `told: ${told}`,
    ...findings.map((finding) => `finding: ${finding}`),
    `trial: ${inspect(trial, { depth: 8, maxArrayLength: null })}`,
    '',
    trace,
    '',
  ].join('\n');
}

function sumUp(all: readonly PlayedTrial[]): { readonly counts: Readonly<Record<string, number>> } {
  const counts: Record<string, number> = {};
  for (const { verdict } of all)
    for (const [title, count] of Object.entries(verdict.counts ?? {}))
      counts[title] = (counts[title] ?? 0) + count;
  return { counts };
}

function joinTimes(all: readonly PlayedTrial[]): Readonly<Record<string, readonly number[]>> {
  const times: Record<string, number[]> = {};
  for (const { verdict } of all)
    for (const [title, own] of Object.entries(verdict.times ?? {})) {
      times[title] ??= [];
      times[title].push(...own);
    }
  return times;
}

interface Summary {
  /** Units that were played, such as `20 runs`. */
  readonly title: string;
  readonly trials: number;
  readonly failed: number;
  /** Trials that this machine cannot play. */
  readonly skipped: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** What all trials together show. */
  readonly findings: readonly string[];
}

/** Formats the figures of all trials; the last line is `N passed, N failed`. */
export function formatSummary({ title, trials, failed, skipped, counts, times, findings }: Summary): string {
  const rows = [
    ...Object.entries(counts).map(([name, count]) => [name, `${count}`] as const),
    ...Object.entries(times).map(([name, own]) => [name, formatTimes(own)] as const),
  ];
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return [
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...findings.map((finding) => `finding of all trials: ${finding}`),
    `${title}: ${trials - failed - skipped} trials passed, ${failed} failed${skipped > 0 ? `, ${skipped} not shown here` : ''}`,
  ].join('\n');
}

function formatTimes(times: readonly number[]): string {
  if (times.length === 0) return 'none';
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): string =>
    `${((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / 1_000).toFixed(1)} s`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} (${times.length} times)`;
}
