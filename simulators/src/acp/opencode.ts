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

/** Installed beside the other programs that tests fetch, and once. */
const prefix = fileURLToPath(new URL(`../../../.toolchain/opencode-${opencodeVersion}`, import.meta.url));
const installed = join(prefix, 'node_modules', packageName, 'bin', program);

/** Finds opencode: where OPENCODE_BIN says, where tests install it, or in PATH. Null where it is not installed. */
export function findOpencode(environment: NodeJS.ProcessEnv): string | null {
  const { OPENCODE_BIN: named, PATH: path = '' } = environment;
  if (named !== undefined && named !== '') return existsSync(named) ? named : null;
  const places = [installed, ...path.split(delimiter).map((directory) => join(directory, program))];
  return places.find((place) => existsSync(place)) ?? null;
}

/** Finds opencode, or installs it from npm: 184 MB. */
export async function installOpencode(environment: NodeJS.ProcessEnv): Promise<string> {
  const found = findOpencode(environment);
  if (found !== null) return found;
  // Whole or not at all, and others may do the same.
  const own = `${prefix}.${process.pid}`;
  const flags = ['--ignore-scripts', '--no-audit', '--prefix', own];
  await promisify(execFile)('npm', ['install', ...flags, `${packageName}@${opencodeVersion}`]);
  await rename(own, prefix).catch(() => rm(own, { recursive: true, force: true }));
  return installed;
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
