import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The variable that holds the mark. */
export const markVariable = 'AGENT_COMMAND_ID';

/** A mark for one call of an owner's. */
export function createMark(owner: string, name: string = randomUUID()): string {
  return `${owner}/${name}`;
}

interface EndProcessesOptions {
  /** Between two looks, so that what was ended has time to go. */
  readonly pause?: () => Promise<unknown>;
}

/** The variables that a process was started with. */
type ProcessEnvironment = ReadonlyMap<string, string>;

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

/** Ends every process of one call: also what a command started and put into a group or session of its own. */
export function endLeftovers(mark: string): Promise<void> {
  return endProcesses((environment) => environment.get(markVariable) === mark);
}

/**
 * Ends every process of an owner's calls. A command outlives a daemon that was killed: what it does then would come
 * behind the back of whoever resumes the run.
 */
export function endCommandsOf(owner: string): Promise<void> {
  return endProcesses((environment) => environment.get(markVariable)?.startsWith(`${owner}/`) === true);
}

/** Time that a group has to end by itself after SIGTERM, in milliseconds. */
const graceMs = 5_000;

/**
 * Ends a process group: SIGTERM at once, SIGKILL after five seconds for whatever is left of it. Safe to call for a
 * group that is gone.
 *
 * @param pid the group's leader, as `spawn` with `detached: true` made it; undefined when nothing was started
 */
export function endProcessGroup(pid: number | undefined): void {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return;
  setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs).unref();
}

/** Sends a signal to every process of the group; false when no such group exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    // ESRCH: the whole group has ended. EPERM: its number is another user's by now.
    return false;
  }
}
