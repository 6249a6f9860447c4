import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RealAgent } from './real-agents.ts';

export interface InstallOptions {
  /** Directory that it is installed in. Default `.toolchain` of the clone, beside the other programs that are fetched once for each. */
  readonly directory?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Hears what is fetched, before it is. */
  readonly tell?: ((line: string) => void) | undefined;
}

const toolchain = fileURLToPath(new URL('../../../../.toolchain', import.meta.url));

/** Gives the path of the program of an agent where it is installed for this clone. */
export function toInstalledProgram(agent: RealAgent, { directory = toolchain }: InstallOptions = {}): string {
  return join(toPrefix(agent, directory), 'node_modules', agent.package.name, agent.program);
}

/**
 * Installs an agent from npm unless it is there, whole or not at all.
 *
 * @throws Error with the words of npm where it cannot be fetched
 */
export async function installAgent(
  agent: RealAgent,
  { directory = toolchain, environment = process.env, tell }: InstallOptions = {},
): Promise<string> {
  const program = toInstalledProgram(agent, { directory });
  if (existsSync(program)) return program;
  const prefix = toPrefix(agent, directory);
  // Another process may do the same.
  const own = `${prefix}.${process.pid}`;
  const wanted = `${agent.package.name}@${agent.package.version}`;
  tell?.(`${wanted} is fetched from npm: ${agent.package.megabytes} MB, into ${directory}.`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', own];
  try {
    await promisify(execFile)('npm', ['install', ...flags, wanted], {
      env: { npm_config_fetch_retries: '1', ...environment },
    });
    await rename(own, prefix).catch((error: unknown) => {
      if (!existsSync(program)) throw error;
    });
  } catch (cause) {
    throw new Error(`npm could not fetch ${wanted}: ${toReason(cause)}`, { cause });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return program;
}

function toPrefix({ name, package: { version } }: RealAgent, directory: string): string {
  return join(directory, `${name}-${version}`);
}

/** Line in which npm says what is wrong, as far as it got there. */
function toReason(error: unknown): string {
  const { stderr = '', message } = error as { readonly stderr?: string; readonly message: string };
  const lines = stderr
    .split('\n')
    .flatMap(
      (line) => /^npm error (?!code |errno |syscall |type |A complete log)(.+)/u.exec(line)?.[1] ?? [],
    );
  return lines[0] ?? message;
}
