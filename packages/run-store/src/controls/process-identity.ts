import { readFile } from 'node:fs/promises';

/** What the system says of a process; `startTime` null where it does not tell (only Linux does, in /proc). */
export type ProcessStatus =
  | { readonly alive: false }
  | { readonly alive: true; readonly startTime: string | null };

/** Whether a process of this machine lives. A zombie, which only waits to be noticed, does not. */
export async function readProcessStatus(pid: number): Promise<ProcessStatus> {
  if (!exists(pid)) return { alive: false };
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return { alive: exists(pid), startTime: null };
  // The second field is the program's name in parentheses and may itself contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return { alive: false };
  return { alive: true, startTime: fields[19] ?? null };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
