import { plantVariable, requirePlaces } from '@agent/simulators/plants';
import { incidents } from './incidents.ts';
import { type Plant, plants } from './plants.ts';
import { type Replay, replayIncident } from './replay-incident.ts';

/** Plants one fault after the other, and replays an incident that it makes dangerous. @returns the number of faults that no replay found */
export async function runPlants(names: readonly string[] | undefined): Promise<number> {
  const chosen = plants.filter(({ name }) => names?.includes(name) ?? true);
  let lost = 0;
  for (const plant of chosen) {
    const missing = await playPlant(plant);
    if (missing.length > 0) lost += 1;
    const end = missing.length === 0 ? 'found    ' : 'NOT FOUND';
    console.log(`${end} ${plant.name}: ${plant.does} (${plant.incident} on ${plant.forge})`);
    for (const one of missing) console.log(`    not reported: ${one}`);
  }
  console.log(`${chosen.length} faults planted, ${lost} not found`);
  return lost;
}

/** Plays one with all daemons of this process. @returns what the replay should have reported and did not */
async function playPlant({
  changes,
  incident: name,
  forge,
  sandbox = 'required',
  shows,
}: Plant): Promise<readonly string[]> {
  const incident = incidents.find((one) => one.name === name);
  if (incident === undefined) throw new Error(`there is no incident ${name}`);
  await requirePlaces(changes);
  if (changes.length > 0) process.env[plantVariable] = JSON.stringify(changes);
  try {
    const replay = await replayIncident(incident, { forge, sandbox });
    return shows.flatMap((one) => (isShown(replay, one) ? [] : [describe(one)]));
  } finally {
    delete process.env[plantVariable];
  }
}

function isShown({ effects, surprises }: Replay, one: Plant['shows'][number]): boolean {
  return typeof one === 'string'
    ? effects.some(({ kind }) => kind === one)
    : surprises.includes(one.surprise);
}

function describe(one: Plant['shows'][number]): string {
  return typeof one === 'string' ? one : one.surprise;
}
