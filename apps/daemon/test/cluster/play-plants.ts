import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { formatPlays, type PlantPlays, plantVariable, requirePlaces } from '@agent/simulators/plants';
import { type ClusterTrialOptions, runClusterTrial } from './cluster-trial.ts';
import type { Harm } from './harm.ts';
import { type ClusterPlant, clusterPlants } from './plants.ts';

/** Trials after which a plant that was not found is not found. */
const mostPlays = 3;
const firstSeed = 101;
/** Longer than a thread takes that one worker after another works on. */
const patienceMs = 90_000;

/** Plays trials with processes that have the fault. @returns whether one showed it */
export async function playPlant(
  name: string,
  options: Pick<ClusterTrialOptions, 'databaseUrl' | 'openHost'>,
): Promise<boolean> {
  const plant = clusterPlants.find((one) => one.name === name);
  if (plant === undefined) throw new Error(`nothing is planted as "${name}"; see --help`);
  // Else the processes would not even start, and break nothing.
  await requirePlaces(plant.changes);
  process.env[plantVariable] = JSON.stringify(plant.changes);
  for (let play = 1; play <= mostPlays; play += 1) {
    const { mood = 'chatty' } = plant;
    const shape = { threads: 2, drawHarms: () => [toHarm(plant)], patienceMs, mood };
    const { broken } = await runClusterTrial(firstSeed + play, { ...options, ...shape });
    const shown = broken.find((one) => one.kind === plant.finds && plant.says.test(one.text));
    if (shown !== undefined) {
      console.log(`found in ${play} ${name}: it ${plant.does}\n     ${shown.text.slice(0, 200)}`);
      return true;
    }
    const others = broken.map((one) => one.text).join('; ');
    console.log(
      `     ${name} does not show in trial ${play}: ${others.slice(0, 800) || 'every promise held'}`,
    );
  }
  console.log(`NOT FOUND ${name}: it ${plant.does}`);
  return false;
}

function toHarm({ harm }: ClusterPlant): Harm {
  const rest = { role: 'work', thread: 1, nth: 1, ways: [], how: 'refuses', forMs: 2_000 } as const;
  return { ...rest, ...harm };
}

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Plays each in a process of its own, and prints what became of it, and a table. @returns the number of those not found */
export async function playPlants(): Promise<number> {
  const rows: PlantPlays[] = [];
  for (const { name } of clusterPlants) {
    const given = [...process.execArgv, main, '--planted', name];
    const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
    const told = await text(child.stdout);
    console.log(told.trim());
    const [, plays] = /^found in (\d+)/m.exec(told) ?? [];
    rows.push({ name, plays: plays === undefined ? null : Number(plays) });
  }
  const lost = rows.filter(({ plays }) => plays === null).length;
  console.log(formatPlays(rows));
  console.log(`${clusterPlants.length} planted in the processes, ${lost} not found`);
  return lost;
}
