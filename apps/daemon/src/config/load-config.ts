import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '@agent/orchestrator/config';
import { decodeTextFile, type ParsedEnvFile, parseEnvFile } from '@agent/text/files';
import type { Environment } from '@agent/workspace';
import { type Document, parseDocument } from 'yaml';
import { formatCommand } from '../command-name.ts';
import { describeIssues } from './describe-issues.ts';
import { toIssueMessage } from './issue-message.ts';
import { findPastedSecrets } from './pasted-secrets.ts';
import { type Config, configSchema } from './schema.ts';

/** Keys below these are the user's own and stay as they are. */
const opaque = new Set(['options', 'variables']);

/** The `.env` beside the configuration; empty if there is none. */
export interface LoadedEnvFile extends ParsedEnvFile {
  readonly path: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** The process's environment over the `.env` beside the configuration file. */
  readonly environment: Environment;
  readonly envFile: LoadedEnvFile;
  /** Reads both again. */
  readonly readEnvironment: () => Promise<Environment>;
  /** Directory of the configuration file; relative paths in it start here. */
  readonly directory: string;
}

/**
 * Reads `agent.config.yaml` and the `.env` beside it. `LLM_BASE_URL` and `LLM_MODEL` of the environment override the file.
 *
 * @throws ConfigError if the file is missing, is not YAML, or has keys or values that the schema does not allow
 */
export async function loadConfig(path: string, processEnvironment: Environment): Promise<LoadedConfig> {
  const file = resolve(path);
  const directory = dirname(file);
  const config = parseConfig(await readConfigFile(file), file);
  const envFile = await readEnvFile(resolve(directory, '.env'));
  const environment: Environment = { ...envFile.variables, ...processEnvironment };
  const readEnvironment = async () => ({
    ...(await readEnvFile(envFile.path)).variables,
    ...processEnvironment,
  });
  const llm = {
    ...config.llm,
    base_url: environment.LLM_BASE_URL || config.llm.base_url,
    model: environment.LLM_MODEL || config.llm.model,
  };
  return { config: { ...config, llm }, environment, envFile, readEnvironment, directory };
}

/** Parses the text of a configuration file; `file` is only named in errors. */
export function parseConfig(text: string, file: string): Config {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [problem] = document.errors;
  if (problem?.code === 'MULTIPLE_DOCS') {
    throw new ConfigError(
      `${file} contains several YAML documents. Keep one document, and remove the lines that are only ---.`,
    );
  }
  if (problem !== undefined) throw invalidYaml(file, explainYaml(problem.message));
  const input = toSnakeCaseKeys(toValue(document, file) ?? {});
  const pasted = findPastedSecrets(input);
  // Parsed once: code that zod would compile for each object costs more than it saves.
  const parsed = configSchema.safeParse(input, { jitless: true, error: toIssueMessage });
  if (parsed.success && pasted.length === 0) return parsed.data;
  const described = parsed.success ? [] : describeIssues(parsed.error, { schema: configSchema, input });
  const others = described.filter(({ path }) => !pasted.some((secret) => path.startsWith(secret.path)));
  const lines = [...pasted, ...others].map(({ text }) => `  - ${text}`);
  throw new ConfigError([`${file} has mistakes:`, ...lines].join('\n'), { fault: 'invalid-settings' });
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

function explainYaml(message: string): string {
  if (/tab/i.test(message)) return `Indent with spaces: YAML does not allow tabs. ${message}`;
  if (/unique/i.test(message)) return `The same key is there twice. Keep one of them. ${message}`;
  return message;
}

async function readConfigFile(file: string): Promise<string> {
  const text = await readTextFile(file);
  if (text !== null) return text;
  throw new ConfigError(`There is no configuration at ${file}.`, {
    fault: 'no-file',
    remedy: `Create one with "${formatCommand('init')}", or name another file with --config.`,
  });
}

async function readEnvFile(path: string): Promise<LoadedEnvFile> {
  return { path, ...parseEnvFile((await readTextFile(path)) ?? '') };
}

/** Returns null if there is no such file. */
async function readTextFile(file: string): Promise<string | null> {
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
  throw new ConfigError(`${file}, line ${decoded.line}: the text is neither UTF-8 nor UTF-16.`, {
    fault: 'unknown-encoding',
    remedy: 'Save the file as UTF-8.',
  });
}

/**
 * Lets a configuration be written in camelCase as well, as the older documents do (`commentHandling`).
 * A key that begins with a capital is neither, and is not changed. A key in both spellings is an error, because one of them would be ignored.
 */
function toSnakeCaseKeys(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => toSnakeCaseKeys(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const name = /^[a-z]/.test(key)
      ? key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      : key;
    const place = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(result, name)) {
      throw new ConfigError(`${place} is there twice, once as ${key}. Keep one of them.`);
    }
    result[name] = opaque.has(name) ? child : toSnakeCaseKeys(child, place);
  }
  return result;
}
