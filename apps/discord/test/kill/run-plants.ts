import {
  formatPlays,
  type PlantPlays,
  plantVariable,
  playTests,
  requirePlaces,
} from '@agent/simulators/plants';
import { seedsOf } from './harms.ts';
import { type Plant, plants } from './plants.ts';
import { runTrial } from './trials.ts';

/** Trials after which a plant that was not found is not found. */
const mostTrials = 9;
const trialsAtOnce = 3;

/** Plants one after the other in the bots of this process, and prints what became of each. @returns the number of those that were not found */
export async function runPlants(name?: string): Promise<number> {
  const meant = name === undefined ? plants : plants.filter((plant) => plant.name === name);
  if (meant.length === 0) throw new Error(`nothing is planted in the bot as "${name}"; see --help`);
  let lost = 0;
  const rows: PlantPlays[] = [];
  for (const plant of meant) {
    const { seed, others, plays } = await findSeed(plant);
    rows.push({ name: plant.name, plays: seed === null ? null : plays });
    if (seed === null) lost += 1;
    const what = `${plant.name}: ${plant.does}\n     bot, ${plant.harm}`;
    console.log(
      seed === null
        ? `NOT FOUND ${what}, ${mostTrials} trials; found: ${others.join(', ') || 'nothing'}`
        : `found in ${plays} ${what}, seed ${seed}: a message is ${plant.breaks}`,
    );
  }
  console.log(formatPlays(rows));
  return lost;
}

/** Plays the tests that have to fail with what is planted. @returns the number of those that did not */
export function runPlantedTests(): Promise<number> {
  return playTests(plants);
}

interface Sought {
  /** Of the first trial that shows it; null where none does. */
  readonly seed: number | null;
  /** Trials of which it is the last. */
  readonly plays: number;
  /** What else was found until then. */
  readonly others: readonly string[];
}

async function findSeed({ changes, harm, breaks }: Plant): Promise<Sought> {
  await requirePlaces(changes);
  process.env[plantVariable] = JSON.stringify(changes);
  const others: string[] = [];
  const seeds = seedsOf(harm, mostTrials);
  try {
    for (let at = 0; at < seeds.length; at += trialsAtOnce) {
      const trials = seeds
        .slice(at, at + trialsAtOnce)
        .map(async (seed) => ({ seed, ...(await runTrial(seed)) }));
      for (const [index, { seed, findings }] of (await Promise.all(trials)).entries()) {
        if (findings.some(({ kind }) => kind === breaks)) return { seed, others, plays: at + index + 1 };
        others.push(...findings.map(({ kind }) => kind));
      }
    }
    return { seed: null, others, plays: seeds.length };
  } finally {
    delete process.env[plantVariable];
  }
}
