import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { plantVariable } from './plant.ts';
import type { TrialKind } from './trial-kind.ts';

const program = fileURLToPath(new URL('../../../../trials/src/main.ts', import.meta.url));
const preload = fileURLToPath(new URL('plant-preload.ts', import.meta.url));

/** Result of the trials with a seeded bug. */
export interface PlayedBug {
  /** False if no trial shows the bug on a machine that can play them. */
  readonly isFound: boolean;
  /** Number of the trial that shows it; null if none does, or none could be played. */
  readonly plays: number | null;
  /** Output of the process. */
  readonly told: string;
}

/**
 * Plays the trials of a seeded bug in a process of their own.
 *
 * @param name name of the kind, as `npm run trial` takes it
 */
export async function playBugApart<Trial>(
  { name, kind }: { readonly name: string; readonly kind: TrialKind<Trial> },
  bugName: string,
): Promise<PlayedBug> {
  const bug = kind.bugs.find((one) => one.name === bugName);
  if (bug === undefined) throw new Error(`there is no seeded bug ${bugName}; see --help`);
  // Compiled code is cached by the name of its file: without the changes.
  const planted =
    bug.changes.length === 0
      ? {}
      : { [plantVariable]: JSON.stringify(bug.changes), NODE_DISABLE_COMPILE_CACHE: '1' };
  const preloads = kind.isInProcess === true ? ['--import', preload] : [];
  const child = spawn(
    process.execPath,
    ['--conditions=@agent/source', ...preloads, program, name, '--planted', bugName],
    { env: { ...process.env, ...planted }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const [, plays] = /^found in (\d+)/m.exec(output) ?? [];
  const isFound = code === 0;
  const told = isFound ? output.trim() : `${output}${errors.slice(-2_000)}`.trim();
  return { isFound, plays: plays === undefined ? null : Number(plays), told };
}
