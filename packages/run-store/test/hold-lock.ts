import { acquireLock } from '../src/file/index.ts';

// A process of its own, for the tests: takes the lock, says so, and keeps it until its input ends.
const path = process.argv[2] ?? '';
try {
  const lock = await acquireLock({ path });
  process.stdout.write('held\n');
  process.stdin.on('end', () => void lock.release()).resume();
} catch (error) {
  process.stdout.write(`${(error as { code?: unknown }).code}\n`);
}
