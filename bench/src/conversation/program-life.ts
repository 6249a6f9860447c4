import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { agentIdFile, type Place } from './place.ts';

/** One process of a program, with the agent that it starts. */
export interface ProgramLife {
  /** Resolves once it is over: `killed`, or ended by itself. Rejects where it failed. */
  readonly ended: Promise<'done' | 'killed'>;
  /** Kills it at once, and all that it started. */
  readonly kill: () => void;
}

/** Programs compile what they load once, not each time. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Starts a program in a group of processes of its own. */
export function startProgram(file: string, place: Place): ProgramLife {
  const child = spawn(process.execPath, ['--conditions=@agent/source', file, JSON.stringify(place)], {
    ...{ detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { NODE_COMPILE_CACHE: compiled, ...process.env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`The program ${file} could not be started.`);
  const errors = text(child.stderr);
  let isKilled = false;
  const closed = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = async (): Promise<'done' | 'killed'> => {
    const code = await closed;
    // An agent of its own group outlives it.
    await killAgent(place);
    if (isKilled) return 'killed';
    if (code === 0) return 'done';
    throw new Error(`The program ${file} ended with ${code}:\n${(await errors).slice(-4_000)}`);
  };
  return {
    ended: end(),
    kill: () => {
      isKilled = signal(pid, 'SIGKILL') || isKilled;
    },
  };
}

async function killAgent({ directory, agent }: Place): Promise<void> {
  if (agent === null) return;
  const pid = Number(await readFile(join(directory, agentIdFile), 'utf8').catch(() => '0'));
  if (!(pid > 1) || !signal(pid, 'SIGKILL')) return;
  while (await isAlive(pid)) await wait(5);
}

/** @returns false where there is no such group */
function signal(pid: number, name: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}

/** Tells whether it still runs: one that nobody has asked how it ended is a name, and nothing more. */
async function isAlive(pid: number): Promise<boolean> {
  if (!signal(pid, 0)) return false;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state !== '' && !state.slice(state.lastIndexOf(')')).startsWith(') Z');
}
