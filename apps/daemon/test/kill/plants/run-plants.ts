import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { formatPlays, type PlantPlays } from '@agent/simulators/plants';
import type { TrialVerdict } from '../summary.ts';
import { plants } from './plants.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Plays one plant in a process of its own: all daemons of a process have what is planted there. */
export async function runPlantApart(name: string): Promise<TrialVerdict> {
  const child = spawn(process.execPath, ['--conditions=@agent/source', main, '--planted', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [told, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { told: told.trim(), broken: code === 0 ? [] : [told.trim() + errors.slice(-2_000)], output: '' };
}

/** Plays all of them, and prints what became of each, and a table. @returns the number of those that the checker did not find */
export async function runPlants({ parallel }: { readonly parallel: number }): Promise<number> {
  let next = 0;
  let lost = 0;
  const rows: PlantPlays[] = [];
  const work = async (): Promise<void> => {
    for (let plant = plants[next]; plant !== undefined; plant = plants[next]) {
      next += 1;
      const { told, broken } = await runPlantApart(plant.name);
      if (broken.length > 0) lost += 1;
      console.log(broken[0] ?? told);
      const [, plays] = /^found in (\d+)/.exec(told) ?? [];
      rows.push({ name: plant.name, plays: plays === undefined ? null : Number(plays) });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  console.log(formatPlays(rows));
  console.log(`${plants.length} planted in the daemon, ${lost} not found`);
  return lost;
}
