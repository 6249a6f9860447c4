import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { plantVariable, type SourceChange } from './plant.ts';

const preload = fileURLToPath(new URL('plant-preload.ts', import.meta.url));

/**
 * Runs one of our TypeScript programs with changes planted in the modules that it loads.
 *
 * @returns all that it said, on both streams; its exit code is not judged
 */
export function runPlanted(
  program: string,
  { changes, args }: { readonly changes: readonly SourceChange[]; readonly args: readonly string[] },
): Promise<string> {
  // A cache of compiled code would be asked by the name of a file, whatever was planted in it.
  const env = { ...process.env, [plantVariable]: JSON.stringify(changes), NODE_DISABLE_COMPILE_CACHE: '1' };
  const argv = ['--conditions=@agent/source', '--import', preload, program, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { env, maxBuffer: 50_000_000 }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}
