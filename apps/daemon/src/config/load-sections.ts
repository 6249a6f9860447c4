import { dirname, resolve } from 'node:path';
import { ConfigError, isSetting } from '@agent/orchestrator/config';
import { parseEnvFile, readCredentials } from '@agent/text/files';
import { isRecord } from '@agent/text/json';
import type { Environment } from '@agent/workspace';
import { z } from 'zod';
import {
  checkConfig,
  checkSettings,
  invalidSettings,
  type LoadedSettings,
  loadConfig,
  parseYaml,
  readConfigFile,
  readTextFile,
  toSnakeCase,
  toSnakeCaseKeys,
} from './load-config.ts';
import { commandSections, type SectionName, type Sections } from './schema.ts';
import { collectSecrets, collectValues } from './settings.ts';

export interface LoadedSections<Name extends SectionName> extends LoadedSettings<Sections<Name>> {
  /** Everything that is wrong with the file or the `.env`; null if nothing is. */
  readonly problem: string | null;
  /** @see collectSecrets */
  readonly secrets: readonly string[];
}

/**
 * Reads only the named sections of `agent.config.yaml`, so that mistakes elsewhere, in the YAML and in `.env` do not
 * prevent a command.
 *
 * @throws ConfigError if the file is missing, or a setting that is needed has a mistake
 */
export async function loadSections<Name extends SectionName>(
  path: string,
  { names, environment: given }: { readonly names: readonly Name[]; readonly environment: Environment },
): Promise<LoadedSections<Name>> {
  const file = resolve(path);
  const directory = dirname(file);
  const text = await readConfigFile(file, { inAnyEncoding: true });
  const input = readInput(text, { file, names });
  const config = parseSections(input, { file, names });
  const strict = await loadConfig(path, given).catch(toConfigError);
  const readEnvironment = async () => {
    const text = await readTextFile(resolve(directory, '.env'), { inAnyEncoding: true }).catch(() => null);
    const credentials = await readCredentials(given).catch(() => ({}));
    return { ...parseEnvFile(text ?? '').variables, ...credentials, ...given };
  };
  const environment = await readEnvironment();
  const isWrong = strict instanceof ConfigError;
  const secrets = isWrong
    ? collectValues([...listVariables({ ...input, ...config }), ...findVariables(text)], environment)
    : collectSecrets(strict.config, environment);
  return {
    config,
    environment,
    readEnvironment,
    directory,
    secrets,
    problem: isWrong ? strict.message : null,
  };
}

function toConfigError(error: unknown): ConfigError {
  if (error instanceof ConfigError) return error;
  throw error;
}

type Input = Readonly<Record<string, unknown>>;

interface ReadOptions {
  readonly file: string;
  readonly names: readonly SectionName[];
}

/** Reads section by section if the file as a whole is not valid YAML. */
function readInput(text: string, { file, names }: ReadOptions): Input {
  let whole: unknown;
  try {
    whole = parseYaml(text, file);
  } catch {
    return readBlocks(text, { file, names });
  }
  if (!isRecord(whole)) return {};
  const needed = Object.entries(whole).filter(([key]) => isAmong(names, key));
  const others = Object.entries(whole).filter(([key]) => !isAmong(names, key));
  return { ...Object.fromEntries(others), ...(toSnakeCaseKeys(Object.fromEntries(needed)) as Input) };
}

/** Reads each section, a line that is not indented with the lines below it, as a document of its own. */
function readBlocks(text: string, { file, names }: ReadOptions): Input {
  const blocks = new Map<string, string>();
  for (const block of text.split(/^(?=[^\s#])/m)) {
    const name = toSnakeCase(/^["']?(\w+)["']?\s*:/.exec(block)?.[1] ?? '');
    blocks.set(name, `${blocks.get(name) ?? ''}${block}`);
  }
  blocks.delete('');
  const sections: Record<string, unknown> = {};
  for (const [name, block] of blocks) {
    try {
      Object.assign(sections, toSnakeCaseKeys(parseYaml(block, `${name} in ${file}`)));
    } catch (error) {
      if (isAmong(names, name) || hidesNeeded(block, { blocks, names })) throw error;
    }
  }
  return sections;
}

/** Tells whether an unreadable section contains the key of a needed one that the file does not have otherwise, for example because it is indented. */
function hidesNeeded(
  block: string,
  { blocks, names }: { readonly blocks: ReadonlyMap<string, string>; readonly names: readonly string[] },
): boolean {
  const keys = [...block.matchAll(/^[ \t]+["']?(\w+)["']?[ \t]*:/gm)].map(([, key = '']) => toSnakeCase(key));
  return keys.some((key) => isAmong(names, key) && !blocks.has(key));
}

function isAmong(names: readonly string[], key: string): boolean {
  return names.includes(toSnakeCase(key));
}

/** A misspelled key counts as a mistake if the key that was probably meant is needed. */
function parseSections<Name extends SectionName>(
  input: Input,
  { file, names }: { readonly file: string; readonly names: readonly Name[] },
): Sections<Name> {
  const required = toSchema(names.filter((name) => !(commandSections[name] instanceof z.ZodCatch)));
  const { data, mistakes } = checkSettings(input, toSchema(names));
  const related = checkConfig(input).mistakes.filter(
    ({ path, meant }) => isSetting(required, path) || (meant !== null && isSetting(required, meant)),
  );
  const found = new Map([...mistakes, ...related].map((mistake) => [mistake.path, mistake]));
  if (found.size > 0) throw invalidSettings([...found.values()], file);
  return data as Sections<Name>;
}

function toSchema(names: readonly SectionName[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, commandSections[name]])));
}

/** The same in a file whose sections cannot all be read. */
function findVariables(text: string): readonly string[] {
  return [...text.matchAll(/(?:_e|E)nv["']?[ \t]*:[ \t]*["']?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
}

/** Names of the variables that settings name for secrets: values of keys such as `token_env`. */
function listVariables(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'string' && /(?:_e|E)nv$/.test(key) ? [child] : listVariables(child),
  );
}
