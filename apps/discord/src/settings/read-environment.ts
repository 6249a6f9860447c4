import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { BotError } from '../bot-error.ts';
import type { Environment } from './parse-settings.ts';

export interface EnvironmentFile {
  readonly path: string;
  /** Whether somebody named it; a file that nobody named may be missing. */
  readonly isNamed: boolean;
}

/**
 * The environment of the process over that of a file.
 *
 * @throws BotError `settings` when the file cannot be read
 */
export async function readEnvironment(file: EnvironmentFile, environment: Environment): Promise<Environment> {
  try {
    const content = await readFile(file.path, 'utf8');
    return { ...parseEnv(content), ...withoutEmpty(environment) };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !file.isNamed) return environment;
    throw new BotError('settings', `cannot read ${file.path} (${code ?? 'unknown reason'})`, { cause });
  }
}

function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
}
