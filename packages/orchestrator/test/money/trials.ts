import { type PostgresServer, startPostgres } from '@agent/simulators/postgres';
import { readChoice, type TrialKind } from '@agent/simulators/trials';
import { drawHousehold, type Household, runsInHousehold } from './draw-household.ts';
import { judgeHousehold } from './judge-household.ts';
import { moneyBugs } from './money-bugs.ts';

const places = ['files', 'postgres'] as const;

/** Runs that spend money from shared limits while their processes are killed. */
export const trials: TrialKind<Household> = {
  help: `[--place files|postgres]

Runs N tasks that share their money, ${runsInHousehold} in each trial, two at a time, in files and on a real PostgreSQL: plans, work and
summaries by different models, with prices, fallbacks, refused calls, lost answers and processes that are killed. A model server
counts its bill; the judge compares the bill with the limits, the accounts and the report of each run.
--place: all trials there.`,
  options: ['place'],
  unit: 'runs',
  unitsPerTrial: () => runsInHousehold,
  defaults: { units: 40, parallel: 1 },
  isInProcess: true,
  open: async ({ place: text }) => {
    const place = readChoice(text, '--place', places);
    let server: Promise<PostgresServer> | null = null;
    return {
      draw: (seed) => drawHousehold(seed, { place }),
      play: async (household) => {
        if (household.place === 'postgres')
          server ??= startPostgres({ settings: { max_connections: '100' } });
        return judgeHousehold(household, { database: (await server)?.url ?? null });
      },
      close: async () => (await server)?.remove(),
    };
  },
  bugs: moneyBugs,
};
