import { plantVariable, requirePlaces } from '@agent/simulators/plants';
import { targetedTrials } from '../faults/scenarios-by-name.ts';
import { runTargeted } from '../faults/targeted.ts';
import type { Plant } from './plant.ts';
import { plants } from './plants.ts';

interface PlantResult {
  /** What of the trial shows the plant; null where the checker did not find it. */
  readonly shown: string | null;
  /** All that the trial found. */
  readonly found: readonly string[];
  /** Why this machine cannot play the course; null where it was played. */
  readonly missing: string | null;
}

/** Plays the plant's course with a daemon that has it. The daemons of this process have it meanwhile. */
async function runPlant({ changes, course, forge = 'github', breaks }: Plant): Promise<PlantResult> {
  const trial = targetedTrials.find(({ targeted, forge: one }) => targeted.name === course && one === forge);
  if (trial === undefined) throw new Error(`there is no course ${course} on ${forge}`);
  // Else the daemon would not even start, and break nothing.
  await requirePlaces(changes);
  process.env[plantVariable] = JSON.stringify(changes);
  try {
    const { broken, missing } = await runTargeted(trial.targeted, forge).catch((error: unknown) => ({
      broken: [`the course came to no end: ${error}`],
      missing: null,
    }));
    const words = typeof breaks === 'string' ? `${breaks}: ` : breaks.says;
    return { shown: broken.find((text) => text.includes(words)) ?? null, found: broken, missing };
  } finally {
    delete process.env[plantVariable];
  }
}

/** Plays after which a plant that was not found is not found. */
const mostPlays = 3;

/** Plays the one of that name, prints what became of it, and gives the exit code: 0 where the checker found it. */
export async function runPlantNamed(name: string): Promise<number> {
  const plant = plants.find((one) => one.name === name);
  if (plant === undefined) throw new Error(`nothing is planted as "${name}"; see --help`);
  let plays = 1;
  let { shown, found, missing } = await runPlant(plant);
  // A slow machine may bring a fault too late for the moment that is meant.
  for (; shown === null && missing === null && plays < mostPlays; plays += 1)
    ({ shown, found, missing } = await runPlant(plant));
  const { does, course, forge = 'github' } = plant;
  const what = `${name}: ${does}\n     ${course} on ${forge}: `;
  if (missing !== null) console.log(`${missing}  ${what}`);
  else if (shown !== null) console.log(`found in ${plays} ${what}${shown.slice(0, 200)}`);
  else console.log(`NOT FOUND ${what}${found.join('; ').slice(0, 1_000) || 'every promise held'}`);
  return shown === null && missing === null ? 1 : 0;
}
