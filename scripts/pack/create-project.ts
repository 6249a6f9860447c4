import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quietEnvironment } from '../workspace/quiet-environment.ts';
import type { Versions } from './pinned-versions.ts';

/** An empty project with nothing in it but what is named. */
export interface ProjectOptions {
  readonly folder: string;
  readonly dependencies: Versions;
  /** Versions for dependencies of dependencies. */
  readonly overrides: Versions;
}

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts'],
};

/** Makes the project and installs it, from the local store as far as it reaches. */
export async function createProject({ folder, dependencies, overrides }: ProjectOptions): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeJson(folder, 'package.json', { name: 'somebody-else', private: true, type: 'module', dependencies });
  writeJson(folder, 'tsconfig.json', TSCONFIG);
  // JSON is YAML. An empty list of members keeps pnpm from looking for a workspace around the project.
  writeJson(folder, 'pnpm-workspace.yaml', {
    packages: [],
    overrides,
    minimumReleaseAge: 0,
    allowBuilds: { esbuild: false },
  });
  await runIn(folder, [
    'pnpm',
    'install',
    '--prefer-offline',
    '--no-frozen-lockfile',
    '--reporter=append-only',
  ]);
}

/** Milliseconds after which a program hangs; a busy machine may take its time. */
export const hangMs = 240_000;

/**
 * Runs a program in a folder and returns what it wrote.
 *
 * @throws with the whole output when it fails, because that is what a reader of the failing test needs.
 */
export async function runIn(
  folder: string,
  [program, ...args]: readonly [string, ...string[]],
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      cwd: folder,
      env: plainEnvironment(),
      // A bound on what hangs. By `timeout` a program that answers SIGTERM with 0 would pass, half done.
      signal: AbortSignal.timeout(hangMs),
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${[program, ...args].join(' ')} failed in ${folder}:\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

/** Without what the test runner adds, and without conditions that would find our sources. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_ENV: _environment, VITEST: _vitest, ...rest } = quietEnvironment();
  return { ...rest, NO_COLOR: '1', CI: 'true' };
}

function writeJson(folder: string, name: string, value: object): void {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
