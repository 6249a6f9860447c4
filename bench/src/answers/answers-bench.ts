import { startBenchServer } from '../cluster/bench-server.ts';
import type { Bench, Report } from '../report.ts';
import { findPercentile } from '../statistics.ts';
import { type AnswerCosts, measureAnswers } from './measure-answers.ts';

const counts = [1, 2, 4, 8];
const polls = 60;

/** Requests that processes with one token spend on one repository and one of its threads: each for itself, and with their answers shared. */
export const answersBench: Bench = {
  name: 'answers',
  fromSources: true,
  run: async ({ onProgress }) => {
    const server = await startBenchServer();
    try {
      const alone: AnswerCosts[] = [];
      const shared: AnswerCosts[] = [];
      for (const processes of counts) {
        onProgress(`${processes} processes`);
        alone.push(await measureAnswers(server, { processes, isShared: false, polls }));
        shared.push(await measureAnswers(server, { processes, isShared: true, polls }));
      }
      return toReport({ alone, shared });
    } finally {
      await server.remove();
    }
  },
};

function toReport({ alone, shared }: Record<'alone' | 'shared', readonly AnswerCosts[]>): Report {
  const [one, most] = [shared[0], shared.at(-1)];
  return {
    title: 'answers: what processes with one token spend on one repository',
    tables: [
      {
        caption: 'Requests taken off the limit, of all processes together',
        columns: [
          'processes',
          'requests',
          'each for itself',
          'shared',
          'statements a request',
          'read p50, p99 ms',
          'keep p50, p99 ms',
        ],
        rows: shared.map((costs, index) => [
          ...[costs.processes, costs.polls, alone[index]?.counted ?? 0, costs.counted],
          (costs.statements / costs.polls).toFixed(2),
          ...[toTimes(costs.times.read), toTimes(costs.times.keep)],
        ]),
      },
    ],
    goals: [
      {
        name: 'eight processes that share their answers: counted requests, as a multiple of those of one',
        measured: (most?.counted ?? 0) / (one?.counted ?? 1),
        atMost: 1.05,
        unit: '×',
      },
      {
        name: 'statements for each request',
        measured: (most?.statements ?? 0) / (most?.polls ?? 1),
        atMost: 1.2,
        unit: '',
      },
    ],
    notes: [
      `Each process polls its repository and its thread ${polls} times, ten seconds of GitHub's clock apart; every minute there is a new comment.`,
      'Counted is what GitHub takes off the limit of the token: every answer but 304, after a first poll of each process.',
      'The processes take turns, and have connections of their own; the PostgreSQL of this machine waits for its disk.',
    ],
  };
}

function toTimes(times: readonly number[]): string {
  return [0.5, 0.99].map((share) => findPercentile(times, share).toFixed(1)).join(', ');
}
