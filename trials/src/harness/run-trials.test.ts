import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenTrials } from '@agent/simulators/trials';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatPlayed, formatSummary, openReport } from './report.ts';
import { type PlayedTrial, runTrials } from './run-trials.ts';

/** Even seeds keep their promise, 3 breaks it, 5 throws. */
const even: OpenTrials<{ readonly number: number }> = {
  draw: (seed) => ({ number: seed }),
  play: async ({ number }) => {
    if (number === 5) throw new Error('no number');
    const findings = number % 2 === 0 ? [] : [`${number} is odd`];
    return {
      told: `number ${number}`,
      findings,
      counts: { numbers: 1 },
      times: { wait: [number * 1_000] },
      trace: 'the log',
    };
  },
  close: async () => {},
};

async function play(seeds: readonly number[]) {
  const directory = await mkdtemp(join(tmpdir(), 'trial-report-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const options = { kind: 'even', unit: 'numbers', repeat: '1 ', print, directory };
  const report = await openReport(options);
  const played = await runTrials(even as OpenTrials<unknown>, { seeds, parallel: 2, onPlayed: report.add });
  const failed = await report.finish(played, { units: seeds.length, findings: [] });
  return { directory, lines, played, failed };
}

const withoutTimes = (lines: readonly string[]): string =>
  lines.join('\n').replace(/\d+\.\d s: /gu, '0.0 s: ');

describe('the trial harness', () => {
  it('plays each seed once, and has an error of a trial as its finding', async () => {
    const { played, failed } = await play([2, 3, 4, 5]);
    expect(played.map(({ seed }) => seed)).toEqual([2, 3, 4, 5]);
    expect(failed).toBe(2);
    const [, odd, , thrown] = played as [PlayedTrial, PlayedTrial, PlayedTrial, PlayedTrial];
    expect(odd.verdict.findings).toEqual(['3 is odd']);
    expect(thrown.verdict.findings[0]).toContain('the trial itself failed: Error: no number');
  });

  it('prints for a finding the command that repeats it, and writes its trace', async () => {
    const { directory, lines } = await play([3]);
    expect(withoutTimes(lines)).toContain('FAIL even 3, 0.0 s: number 3\n  finding:  3 is odd');
    expect(lines).toContain('  repeat:   npm run trial -- even 1 --seed 3');
    const trace = await readFile(join(directory, '3.log'), 'utf8');
    for (const words of ['seed: 3', 'finding: 3 is odd', 'trial: { number: 3 }', 'the log'])
      expect(trace).toContain(words);
  });

  it('writes all results as JSON, and no trace of a trial without a finding', async () => {
    const { directory } = await play([2, 3]);
    expect((await readdir(directory)).sort()).toEqual(['3.log', 'report.json']);
    const report = JSON.parse(await readFile(join(directory, 'report.json'), 'utf8')) as object;
    expect(report).toMatchObject({ kind: 'even', failed: 1, counts: { numbers: 2 } });
    expect(report).toHaveProperty(
      'trials.0',
      expect.objectContaining({ seed: 2, findings: [], trace: null }),
    );
    expect(report).toHaveProperty('trials.1.trace', join(directory, '3.log'));
  });
});

describe('the report of trials', () => {
  it('adds up figures and has percentiles of times', () => {
    const times = { takeover: [1_000, 2_000, 9_000], 'other wait': [] };
    const totals = { trials: 4, failed: 1, skipped: 1, counts: { kills: 7 }, times };
    expect(
      formatSummary({ title: '40 runs', ...totals, findings: ['nothing was lost'] }),
    ).toMatchInlineSnapshot(`
      "
        kills       7
        takeover    p50 2.0 s, p99 9.0 s, worst 9.0 s (3 times)
        other wait  none
      finding of all trials: nothing was lost
      40 runs: 2 trials passed, 1 failed, 1 not shown here"
    `);
  });

  it('names a trial that this machine cannot play', () => {
    const verdict = { told: 'a container', findings: [], missing: 'NOT SHOWN HERE: namespaces' };
    expect(formatPlayed('kill', { seed: 1, trial: null, verdict, durationMs: 0 })).toBe(
      'skip kill 1, 0.0 s: NOT SHOWN HERE: namespaces; a container',
    );
  });

  it('shows eight findings of a trial, and the number of the others', () => {
    const findings = Array.from({ length: 10 }, (_, index) => `finding ${index}`);
    const lines = formatPlayed('kill', {
      seed: 1,
      trial: null,
      verdict: { told: '', findings },
      durationMs: 0,
    });
    expect(lines.split('\n')).toHaveLength(10);
    expect(lines).toContain('  and 2 more');
  });
});
