import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  ConfigError,
  type ConfigMistake,
  describeIssues,
  findPastedSecrets,
  toIssueMessage,
} from '@agent/orchestrator/config';
import { builtInNames } from '@agent/orchestrator/platforms/names';
import { decodeTextFile, type ParsedEnvFile, parseEnvFile, readCredentials } from '@agent/text/files';
import type { Environment } from '@agent/workspace';
import { type Document, parseDocument } from 'yaml';
import type { z } from 'zod';
import { formatCommand } from '../command-name.ts';
import { type Config, configSchema } from './schema.ts';

/** Keys below these are the user's own and stay as they are. */
const opaque = new Set(['options', 'variables']);

/** The `.env` beside the configuration; empty if there is none. */
export interface LoadedEnvFile extends ParsedEnvFile {
  readonly path: string;
}

/** Settings, whole or in part, with the environment that belongs to them. */
export interface LoadedSettings<Settings> {
  readonly config: Settings;
  /** The process's environment over the files in `CREDENTIALS_DIRECTORY`, over the `.env` beside the configuration file. */
  readonly environment: Environment;
  /** Reads both again. */
  readonly readEnvironment: () => Promise<Environment>;
  /** Directory of the configuration file; relative paths in it start here. */
  readonly directory: string;
}

export interface LoadedConfig extends LoadedSettings<Config> {
  readonly envFile: LoadedEnvFile;
}

/**
 * Reads `agent.config.yaml`, the `.env` beside it and the files in `CREDENTIALS_DIRECTORY`. `LLM_BASE_URL` and `LLM_MODEL` of the environment override the file.
 *
 * @throws ConfigError if the file is missing, is not YAML, or has keys or values that the schema does not allow
 */
export async function loadConfig(path: string, processEnvironment: Environment): Promise<LoadedConfig> {
  const file = resolve(path);
  const directory = dirname(file);
  const config = parseConfig(await readConfigFile(file), file);
  const envFile = await readEnvFile(resolve(directory, '.env'));
  const merge = async ({ variables }: ParsedEnvFile): Promise<Environment> => ({
    ...variables,
    ...(await readCredentials(processEnvironment).catch(toCredentialsError)),
    ...processEnvironment,
  });
  const environment = await merge(envFile);
  const readEnvironment = async () => merge(await readEnvFile(envFile.path));
  const llm = {
    ...config.llm,
    base_url: environment.LLM_BASE_URL || config.llm.base_url,
    model: environment.LLM_MODEL || config.llm.model,
  };
  return { config: { ...config, llm }, environment, envFile, readEnvironment, directory };
}

/** Parses the text of a configuration file; `file` is only named in errors. */
export function parseConfig(text: string, file: string): Config {
  const input = toSnakeCaseKeys(parseYaml(text, file) ?? {});
  const { data, mistakes } = checkConfig(input);
  if (data !== undefined && mistakes.length === 0) return data;
  throw invalidSettings(mistakes, file);
}

/** @throws ConfigError if the text is not one YAML document */
export function parseYaml(text: string, file: string): unknown {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [problem] = document.errors;
  if (problem?.code === 'MULTIPLE_DOCS') {
    throw new ConfigError(
      `${file} contains several YAML documents. Keep one document, and remove the lines that are only ---.`,
    );
  }
  if (problem !== undefined) throw invalidYaml(file, explainYaml(problem.message));
  return toValue(document, file);
}

/** Lists what is wrong with a whole configuration, or returns it. */
export function checkConfig(input: unknown): {
  readonly data: Config | undefined;
  readonly mistakes: readonly ConfigMistake[];
} {
  const pasted = findPastedSecrets(input);
  const { data, mistakes } = checkSettings(input, configSchema);
  const others = mistakes.filter(({ path }) => !pasted.some((secret) => path.startsWith(secret.path)));
  return { data, mistakes: [...pasted.map((secret) => ({ ...secret, meant: null })), ...others] };
}

/** Parses settings; `data` is undefined if there are mistakes. */
export function checkSettings<Settings>(
  input: unknown,
  schema: z.ZodType<Settings>,
): { readonly data: Settings | undefined; readonly mistakes: readonly ConfigMistake[] } {
  // Parsed once: code that zod would compile for each object costs more than it saves.
  const { data, error } = schema.safeParse(input, { jitless: true, error: toIssueMessage });
  return {
    data,
    mistakes: error === undefined ? [] : describeIssues(error, { schema, input, platforms: builtInNames }),
  };
}

export function invalidSettings(mistakes: readonly ConfigMistake[], file: string): ConfigError {
  const lines = mistakes.map(({ text }) => `  - ${text}`);
  return new ConfigError([`${file} has mistakes:`, ...lines].join('\n'), { fault: 'invalid-settings' });
}

/** An alias without its anchor, or aliases that expand beyond measure, are only found here. */
function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw invalidYaml(file, (cause as Error).message, cause);
  }
}

function invalidYaml(file: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError(`${file} is not valid YAML. ${reason}`, { fault: 'invalid-yaml', cause });
}

/** Leaves out the line of the file that the parser quotes: it may hold a secret. */
function explainYaml(quoting: string): string {
  const message = quoting.split('\n', 1)[0]?.replace(/:$/, '.') ?? '';
  if (/tab/i.test(message)) return `Indent with spaces: YAML does not allow tabs. ${message}`;
  if (/unique/i.test(message)) return `The same key is there twice. Keep one of them. ${message}`;
  return message;
}

/** @throws ConfigError if there is no such file, or it cannot be read */
export async function readConfigFile(file: string, how: ReadTextOptions = {}): Promise<string> {
  const text = await readTextFile(file, how);
  if (text !== null) return text;
  throw new ConfigError(`There is no configuration at ${file}.`, {
    fault: 'no-file',
    remedy: `Create one with "${formatCommand('init')}", or name another file with --config.`,
  });
}

async function readEnvFile(path: string): Promise<LoadedEnvFile> {
  return { path, ...parseEnvFile((await readTextFile(path)) ?? '') };
}

function toCredentialsError({ message, code = message }: NodeJS.ErrnoException): never {
  throw new ConfigError(`The files in CREDENTIALS_DIRECTORY cannot be read (${code}).`, {
    fault: 'unreadable-file',
  });
}

export interface ReadTextOptions {
  /** True to read a file in another encoding than UTF-8 and UTF-16 as Latin-1. Default: an error. */
  readonly inAnyEncoding?: boolean;
}

/** Returns null if there is no such file. */
export async function readTextFile(
  file: string,
  { inAnyEncoding = false }: ReadTextOptions = {},
): Promise<string | null> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'EISDIR')
      throw new ConfigError(`${file} is a directory, not a file.`, { fault: 'not-a-file', cause });
    throw new ConfigError(`${file} cannot be read (${code ?? message}).`, {
      fault: code === 'EACCES' || code === 'EPERM' ? 'unreadable-file' : 'not-a-file',
      cause,
    });
  }
  const decoded = decodeTextFile(bytes);
  if (decoded.kind === 'text') return decoded.text;
  if (inAnyEncoding) return bytes.toString('latin1');
  throw new ConfigError(`${file}, line ${decoded.line}: the text is neither UTF-8 nor UTF-16.`, {
    fault: 'unknown-encoding',
    remedy: 'Save the file as UTF-8.',
  });
}

/**
 * Lets a configuration be written in camelCase as well, as the older documents do (`commentHandling`).
 * A key that begins with a capital is neither, and is not changed. A key in both spellings is an error, because one of them would be ignored.
 */
export function toSnakeCaseKeys(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => toSnakeCaseKeys(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const name = toSnakeCase(key);
    const place = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(result, name)) {
      throw new ConfigError(`${place} is there twice, once as ${key}. Keep one of them.`);
    }
    result[name] = opaque.has(name) ? child : toSnakeCaseKeys(child, place);
  }
  return result;
}

export function toSnakeCase(key: string): string {
  if (!/^[a-z]/.test(key)) return key;
  return key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
