import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Version of opencode that was tried here. */
export const opencodeVersion = '1.18.33';

/** Its program lies in a package for each system, which needs no script to be installed. */
const packageName = `opencode-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const program = process.platform === 'win32' ? 'opencode.exe' : 'opencode';

/** Beside the other programs that are fetched once for each clone. */
const toolchain = fileURLToPath(new URL('../../../.toolchain', import.meta.url));

export interface OpencodeOptions {
  /** Directory that it is installed in. Default `.toolchain` of the clone. */
  readonly directory?: string;
}

/** Finds opencode: where OPENCODE_BIN says, where it is installed for this clone, or in PATH. Null where it is not installed. */
export function findOpencode(
  environment: NodeJS.ProcessEnv,
  { directory = toolchain }: OpencodeOptions = {},
): string | null {
  const { OPENCODE_BIN: named, PATH: path = '' } = environment;
  if (named !== undefined && named !== '') return existsSync(named) ? named : null;
  const places = [toInstalled(directory), ...path.split(delimiter).map((folder) => join(folder, program))];
  return places.find((place) => existsSync(place)) ?? null;
}

function toPrefix(directory: string): string {
  return join(directory, `opencode-${opencodeVersion}`);
}

function toInstalled(directory: string): string {
  return join(toPrefix(directory), 'node_modules', packageName, 'bin', program);
}

/**
 * Finds opencode, or installs it from npm: 184 MB, whole or not at all.
 *
 * @throws Error with the words of npm where it cannot be fetched, and where OPENCODE_BIN names no file
 */
export async function installOpencode(
  environment: NodeJS.ProcessEnv,
  { directory = toolchain }: OpencodeOptions = {},
): Promise<string> {
  const found = findOpencode(environment, { directory });
  if (found !== null) return found;
  const { OPENCODE_BIN: named } = environment;
  if (named !== undefined && named !== '')
    throw new Error(`OPENCODE_BIN names ${named}, and there is no such file.`);
  const prefix = toPrefix(directory);
  // Another process may do the same.
  const own = `${prefix}.${process.pid}`;
  const wanted = `${packageName}@${opencodeVersion}`;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', own];
  try {
    await promisify(execFile)('npm', ['install', ...flags, wanted], {
      env: { npm_config_fetch_retries: '1', ...environment },
    });
    await rename(own, prefix).catch((error: unknown) => {
      if (!existsSync(toInstalled(directory))) throw error;
    });
  } catch (cause) {
    throw new Error(`npm could not fetch ${wanted}: ${toReason(cause)}`, { cause });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return toInstalled(directory);
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

/** Gives the variables by which opencode works with one model on loopback, and asks nobody else. */
export function toOpencodeEnvironment({ baseUrl }: { readonly baseUrl: string }): Record<string, string> {
  const options = { baseURL: baseUrl, apiKey: 'none' };
  const local = { npm: '@ai-sdk/openai-compatible', options, models: { m: { tool_call: true } } };
  const config = {
    ...{ provider: { local }, model: 'local/m', small_model: 'local/m' },
    ...{ autoupdate: false, share: 'disabled' },
  };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_MODELS_FETCH: '1' };
}
