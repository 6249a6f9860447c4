import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireHarm } from './harms.ts';
import { runPlantedTests, runPlants } from './run-plants.ts';
import { runDiscordTrials } from './trials.ts';

// npm run test:kill -- 100 --only discord [--harm rival | --messages 500] [--seed n] [--parallel n]; npm run test:kill -- plants; npm run test:kill -- tests; npm run test:kill -- --planted bot-marks-nothing
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    parallel: { type: 'string' },
    only: { type: 'string' },
    harm: { type: 'string' },
    messages: { type: 'string' },
    planted: { type: 'string' },
  },
});
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'agent-kill-compile-cache');
const isPlanted = values.planted !== undefined || positionals[0] === 'plants';
process.exit((await countBroken()) === 0 ? 0 : 1);

function countBroken(): Promise<number> {
  if (isPlanted) return runPlants(values.planted);
  if (positionals[0] === 'tests') return runPlantedTests();
  return runDiscordTrials({
    wanted: Number(positionals[0] ?? 12),
    seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000)),
    parallel: Number(values.parallel ?? 3),
    messages: values.messages === undefined ? undefined : Number(values.messages),
    harm: values.harm === undefined ? undefined : requireHarm(values.harm),
  });
}
