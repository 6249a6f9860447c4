import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FleetFigures, FleetSetup } from './measure-fleet.ts';

const entry = fileURLToPath(new URL('./fleet-process.ts', import.meta.url));

/** Simulates fleets side by side, one on each processor; the figures come in the order of the setups. */
export async function forkFleets(
  setups: readonly FleetSetup[],
  { onBegin }: { readonly onBegin: (setup: FleetSetup) => void },
): Promise<readonly FleetFigures[]> {
  const figures: FleetFigures[] = [];
  const waiting = [...setups.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, setup] = next;
      onBegin(setup);
      figures[place] = await forkFleet(setup);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return figures;
}

function forkFleet(setup: FleetSetup): Promise<FleetFigures> {
  const child = fork(entry, { execArgv: ['--conditions=@agent/source'] });
  return new Promise((resolve, reject) => {
    child.once('message', (figures: FleetFigures) => resolve(figures));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`A fleet of ${setup.tasks} tasks ended with ${code}.`)));
    child.send(setup);
  });
}
