import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface EndProcessesOptions {
  /** Between two looks, so that what was ended has time to go. */
  readonly pause?: () => Promise<unknown>;
}

/** The variables that a process was started with. */
export type ProcessEnvironment = ReadonlyMap<string, string>;

const rounds = 50;

/**
 * Ends every process whose environment is one of those meant, and looks again until none is left: what it started
 * meanwhile is found too. Only Linux shows environments; elsewhere nothing is found.
 */
export async function endProcesses(
  isMeant: (environment: ProcessEnvironment) => boolean,
  { pause = () => delay(10) }: EndProcessesOptions = {},
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const ids = await findProcesses(isMeant);
    if (ids.length === 0) return;
    ids.forEach(kill);
    await pause();
  }
}

/** Ids of the processes whose environment is meant; the process itself is none of them. */
export async function findProcesses(
  isMeant: (environment: ProcessEnvironment) => boolean,
): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const meant = await Promise.all(ids.map(async (id) => (isMeant(await environmentOf(id)) ? id : null)));
  return meant.filter((id): id is number => id !== null && id !== process.pid);
}

async function environmentOf(id: number): Promise<ProcessEnvironment> {
  // A process that has ended, or is another user's, shows nothing: it is not one of ours.
  const text = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '');
  const entries = text.split('\0').map((entry): [string, string] => {
    const end = entry.indexOf('=');
    return [entry.slice(0, Math.max(0, end)), entry.slice(end + 1)];
  });
  return new Map(entries);
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
