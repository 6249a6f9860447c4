import { parseArgs } from 'node:util';
import { startPostgres } from '@agent/simulators/postgres';
import { drawHouseholds, type Household, runsInHousehold } from './draw-households.ts';
import { judgeHousehold } from './judge-household.ts';

const help = `npm run test:money -- [runs] [--seed n] [--only n] [--place files|postgres] [--log]

Has that many runs (default 40) spend money that they share, ${runsInHousehold} in each household, two at a time, in files and on a real PostgreSQL:
plans, work and summaries by models of their own, with prices, fallbacks, refused calls and lost answers, and processes that are
killed. A model server counts what it bills; a checker compares that with the limits, with what is kept and with what each run
reports. --only: the household of this number, --place: all of them there, --log: with all that was logged.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    place: { type: 'string' },
    log: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const count = Math.ceil(Number(positionals[0] ?? 40) / runsInHousehold);
const seed = Number(values.seed);
const place = values.place as Household['place'] | undefined;
const isPlace = place === undefined || place === 'files' || place === 'postgres';
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || count < 1 || !isPlace) {
  console.error(help);
  process.exit(2);
}
const households = [...drawHouseholds({ count, seed, place }).entries()].filter(
  ([index]) => values.only === undefined || Number(values.only) === index,
);
const server = households.some(([, one]) => one.place === 'postgres')
  ? await startPostgres({ settings: { max_connections: '100' } })
  : null;
const sum = { runs: 0, limited: 0, killed: 0, calls: 0, lost: 0, broken: 0 };
for (const [, household] of households) {
  const { name, found, log, ...counted } = await judgeHousehold(household, { database: server?.url ?? null });
  for (const [key, value] of Object.entries(counted)) sum[key as keyof typeof counted] += value;
  sum.broken += found.length > 0 ? 1 : 0;
  const { runs, limited, killed, calls, lost } = counted;
  console.log(
    `${name} ${found.length > 0 ? 'BROKEN' : 'holds'}: ${runs} runs (${limited} at a limit), ${killed} kills, ${calls} calls (${lost} lost)`,
  );
  for (const one of found) console.log(`  ${one}`);
  if (values.log || found.length > 0) console.log(log.slice(-6_000));
}
await server?.remove();
console.log(
  `${sum.runs} runs in ${households.length} households, ${sum.limited} at a limit, ${sum.killed} kills, ${sum.calls} calls billed and ${sum.lost} of them lost; ${sum.broken} broken (--seed ${seed})`,
);
process.exit(sum.broken > 0 || sum.runs === 0 ? 1 : 0);
