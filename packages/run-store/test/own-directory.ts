import { acquireOwnership } from '../src/file/index.ts';

// A process of its own, for the tests: owns the directory, says so, and keeps it until its input ends.
const [baseDirectory = ''] = process.argv.slice(2);
try {
  const owner = await acquireOwnership({ baseDirectory });
  process.stdout.write('held\n');
  process.stdin.on('end', () => void owner.release()).resume();
} catch (error) {
  process.stdout.write(`${(error as { code?: unknown }).code}\n`);
}
