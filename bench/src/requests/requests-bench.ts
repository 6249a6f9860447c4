import type { Bench, Report, Table } from '../report.ts';
import { measureIdlePolls } from './measure-idle-polls.ts';
import {
  measureFirstIssueRun,
  measureIssueRun,
  measurePullRequestRun,
  type RunCosts,
} from './measure-run.ts';

/** What one run and one idle poll ask of GitHub and of the model. Free of noise: the same on every machine. */
export const requestsBench: Bench = {
  name: 'requests',
  run: async ({ onProgress }) => {
    onProgress('issue runs');
    const first = await measureFirstIssueRun();
    const issue = await measureIssueRun();
    onProgress('a pull request run');
    const pull = await measurePullRequestRun();
    onProgress('two idle polls');
    const idle = await measureIdlePolls();
    return toReport({ runs: [first, issue, pull, idle], idle });
  },
};

function toReport({ runs, idle }: { runs: readonly RunCosts[]; idle: RunCosts }): Report {
  const polls = idle.routes.find(({ route }) => route === 'GET /repos/{owner}/{repo}/issues');
  const unchangedPolls = polls?.unchanged ?? 0;
  return {
    title: 'requests: what a run and an idle poll ask for',
    tables: [toTotals(runs), toRoutes(runs)],
    goals: [
      {
        name: 'second idle poll: requests per repository',
        measured: (polls?.count ?? 0) - 1,
        atMost: 1,
        unit: 'requests',
      },
      {
        name: 'second idle poll: counted against the limit',
        measured: 1 - unchangedPolls,
        atMost: 0,
        unit: 'requests',
      },
    ],
    notes: [
      'Each run is one whole life of the daemon (run --once): who am I, list tasks, the run, list tasks again.',
      '"counted" is what the simulated GitHub itself has taken off the primary limit; an authorised 304 is free.',
      'The model reads, edits, runs the tests and reports in 5 calls; retries are off.',
    ],
  };
}

function toTotals(runs: readonly RunCosts[]): Table {
  return {
    caption: 'Requests',
    columns: ['what', 'REST', 'of these 304', 'counted', 'git', 'model'],
    rows: runs.map((run) => [run.name, run.rest, run.unchanged, run.counted, run.git, run.modelCalls]),
  };
}

function toRoutes(runs: readonly RunCosts[]): Table {
  const routes = new Set(runs.flatMap((run) => run.routes.map(({ route }) => route)));
  return {
    caption: 'By route (in brackets: how many of them were 304)',
    columns: ['route', ...runs.map(({ name }) => name)],
    rows: [...routes].map((route) => [route, ...runs.map((run) => formatCount(run, route))]),
  };
}

function formatCount(run: RunCosts, route: string): string {
  const found = run.routes.find((one) => one.route === route);
  if (found === undefined) return '–';
  return found.unchanged === 0 ? String(found.count) : `${found.count} (${found.unchanged})`;
}
