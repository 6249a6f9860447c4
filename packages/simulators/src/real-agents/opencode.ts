import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { type InstallOptions, installAgent, toInstalledProgram } from './install-agent.ts';
import { realAgents } from './real-agents.ts';

const { opencode } = realAgents;

/** Version of opencode that was tried here. */
export const opencodeVersion = opencode.package.version;

/** Finds opencode: where OPENCODE_BIN says, where it is installed for this clone, or in PATH. Null where it is not installed. */
export function findOpencode(
  environment: NodeJS.ProcessEnv,
  options: Omit<InstallOptions, 'environment'> = {},
): string | null {
  const { OPENCODE_BIN: named, PATH: path = '' } = environment;
  if (named !== undefined && named !== '') return existsSync(named) ? named : null;
  const inPath = path.split(delimiter).map((folder) => join(folder, basename(opencode.program)));
  return [toInstalledProgram(opencode, options), ...inPath].find((place) => existsSync(place)) ?? null;
}

/**
 * Finds opencode, or installs it from npm: 184 MB, whole or not at all.
 *
 * @throws Error with the words of npm where it cannot be fetched, and where OPENCODE_BIN names no file
 */
export async function installOpencode(
  environment: NodeJS.ProcessEnv,
  options: Omit<InstallOptions, 'environment'> = {},
): Promise<string> {
  const found = findOpencode(environment, options);
  if (found !== null) return found;
  const { OPENCODE_BIN: named } = environment;
  if (named !== undefined && named !== '')
    throw new Error(`OPENCODE_BIN names ${named}, and there is no such file.`);
  return installAgent(opencode, { ...options, environment });
}

/** Gives the variables by which opencode works with one model on loopback, and asks nobody else. */
export function toOpencodeEnvironment({
  baseUrl,
}: {
  readonly baseUrl: string;
}): Readonly<Record<string, string>> {
  return opencode.toEnvironment({ url: baseUrl.replace(/\/v1$/u, '') });
}
