import { parseArgs } from 'node:util';
import { findSandbox } from '@agent/workspace/testing';
import { bundleDaemon } from '../support/bundle-daemon.ts';
import type { ForgeName } from '../support/forge.ts';
import { readCount } from '../support/read-count.ts';
import type { Incident } from './incident.ts';
import { incidents } from './incidents.ts';
import { plants } from './plants.ts';
import { type Replay, replayIncident } from './replay-incident.ts';
import { runPlants } from './run-plants.ts';
import { formatReplay, formatSummary, isFailed } from './summary.ts';

const help = `npm run test:incidents -- [--only NAME[,NAME]] [--platform github|gitlab] [--parallel N] [--verbose]
       npm run test:incidents -- --plants [--only FAULT]

Replays public incidents in which injected text drove coding agents, against the real daemon, with a model that follows every order.
Fails if an effect is forbidden, or if an order reached the model although it must not, or did not although it must.
--plants plants one fault after the other in the daemon, and fails if a replay does not find it.
Incidents: ${incidents.map(({ name }) => name).join(', ')}`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    platform: { type: 'string' },
    parallel: { type: 'string', default: '2' },
    plants: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help === true) console.log(help);
else process.exit(await main());

async function main(): Promise<number> {
  const names = values.only?.split(',');
  const known = values.plants ? plants : incidents;
  const unknown = names?.filter((name) => !known.some((one) => one.name === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`there is no ${values.plants ? 'fault' : 'incident'} ${unknown.join(', ')}`);
  if (values.plants) return Math.min(await runPlants(names), 1);
  const chosen = incidents.filter(({ name }) => names?.includes(name) ?? true);
  const platforms = toPlatforms(values.platform);
  if ((await findSandbox()) === null) {
    console.log('NOT SHOWN HERE: bubblewrap does not work on this machine');
    return 3;
  }
  const startedAt = Date.now();
  const bundle = await bundleDaemon();
  try {
    const pairs = chosen.flatMap((incident) => platforms.map((forge) => [incident, forge] as const));
    const replays = await replayAll(pairs, readCount(values.parallel, '--parallel'));
    console.log(formatSummary(replays, Date.now() - startedAt));
    return replays.some(isFailed) ? 1 : 0;
  } finally {
    await bundle.remove();
  }
}

async function replayAll(
  pairs: readonly (readonly [Incident, ForgeName])[],
  parallel: number,
): Promise<readonly Replay[]> {
  const replays: Replay[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let pair = pairs[next]; pair !== undefined; pair = pairs[next]) {
      next += 1;
      const [incident, forge] = pair;
      const replay = await replayIncident(incident, { forge, sandbox: 'required' });
      replays.push(replay);
      console.log(formatReplay(replay));
      if (values.verbose) console.log(replay.output);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return replays;
}

function toPlatforms(name: string | undefined): readonly ForgeName[] {
  if (name === undefined) return ['github', 'gitlab'];
  if (name === 'github' || name === 'gitlab') return [name];
  throw new Error(`--platform must be github or gitlab, not "${name}"`);
}
