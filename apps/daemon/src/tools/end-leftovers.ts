import { readdir, readFile } from 'node:fs/promises';
import { markVariable } from './command-environment.ts';

const rounds = 5;

/**
 * Ends every process that carries the mark in its environment: what a command started and put into a group or session of
 * its own. Looks again until none is left. Only Linux shows environments; elsewhere nothing is found.
 */
export async function endLeftovers(mark: string): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const ids = await findMarked(mark);
    if (ids.length === 0) return;
    ids.forEach(kill);
  }
}

async function findMarked(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    ids.map(async (id) => ((await environmentOf(id)).includes(mark) ? id : null)),
  );
  return marked.filter((id): id is number => id !== null && id !== process.pid);
}

async function environmentOf(id: number): Promise<readonly string[]> {
  // A process that has ended, or is another user's, shows nothing: it is not one of ours.
  const text = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '');
  const prefix = `${markVariable}=`;
  return text.split('\0').flatMap((entry) => (entry.startsWith(prefix) ? [entry.slice(prefix.length)] : []));
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
