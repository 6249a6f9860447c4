import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../workspace/root.ts';

/** A JavaScript runtime that npm has as a package. */
export type Runtime = 'node' | 'bun' | 'deno';

/** Fetches a runtime into .toolchain, once per clone, and returns the path of its program. */
export async function fetchRuntime(name: Runtime, version: string): Promise<string> {
  const folder = join(repositoryRoot, '.toolchain', `tried-${name}-${version}`);
  const program = join(folder, 'node_modules', '.bin', name);
  if (existsSync(program)) return program;
  const partial = `${folder}-partial-${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, 'package.json'), '{"private":true}\n');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', '--prefix', partial, ...flags, `${name}@${version}`], {
    cwd: partial,
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(partial, folder);
  return program;
}
