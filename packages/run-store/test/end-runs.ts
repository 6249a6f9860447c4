import { acquireOwnership } from '../src/file/index.ts';
import { openHouse } from '../src/testing/index-setup.ts';

// A process of its own, for the tests: owns the directory, heals its index and ends the named runs; it kills
// itself at the named point.
const [baseDirectory = '', point = '', ...uuids] = process.argv.slice(2);
const die = (at: string): void => {
  if (at === point) process.kill(process.pid, 'SIGKILL');
};
try {
  const owner = await acquireOwnership({ baseDirectory });
  const house = openHouse(baseDirectory, { onStep: die });
  await house.index.heal();
  for (const uuid of uuids) await house.endRun({ uuid });
  await owner.release();
  process.stdout.write('done\n');
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
