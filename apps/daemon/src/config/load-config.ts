import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '@agent/orchestrator/config';
import type { Environment } from '@agent/workspace';
import { type Document, parseDocument } from 'yaml';
import { describeIssues } from './describe-issues.ts';
import { type Config, configSchema } from './schema.ts';

/** Keys below these are the user's own and stay as they are. */
const opaque = new Set(['options', 'variables']);

export interface LoadedConfig {
  readonly config: Config;
  /** The process's environment over the `.env` beside the configuration file. */
  readonly environment: Environment;
  /** Reads both again. */
  readonly readEnvironment: () => Promise<Environment>;
  /** Directory of the configuration file; relative paths in it start here. */
  readonly directory: string;
}

/**
 * Reads `agent.config.yaml` and the `.env` beside it. `LLM_BASE_URL` and `LLM_MODEL` of the environment win over the file.
 *
 * @throws ConfigError when the file is missing, is not YAML, or says something that the schema does not know.
 */
export async function loadConfig(path: string, processEnvironment: Environment): Promise<LoadedConfig> {
  const file = resolve(path);
  const directory = dirname(file);
  const config = parseConfig(await readConfigFile(file), file);
  const readEnvironment = async () => ({
    ...(await readEnvFile(resolve(directory, '.env'))),
    ...processEnvironment,
  });
  const environment: Environment = await readEnvironment();
  const llm = {
    ...config.llm,
    base_url: environment.LLM_BASE_URL || config.llm.base_url,
    model: environment.LLM_MODEL || config.llm.model,
  };
  return { config: { ...config, llm }, environment, readEnvironment, directory };
}

/** Parses the text of a configuration file; `file` is only named in errors. */
export function parseConfig(text: string, file: string): Config {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [problem] = document.errors;
  if (problem?.code === 'MULTIPLE_DOCS') {
    throw new ConfigError(
      `${file} holds several YAML documents: keep one document only, without lines of ---.`,
    );
  }
  if (problem !== undefined)
    throw new ConfigError(`${file} is not valid YAML. ${explainYaml(problem.message)}`);
  const input = toSnakeCaseKeys(toValue(document, file) ?? {});
  // Parsed once: code that zod would compile for each object costs more than it saves.
  const parsed = configSchema.safeParse(input, { jitless: true });
  if (!parsed.success) {
    const mistakes = describeIssues(parsed.error, { schema: configSchema, input });
    throw new ConfigError(`${file} has mistakes:\n${mistakes}`);
  }
  return parsed.data;
}

/** An alias without its anchor, or aliases that grow beyond measure, show only here. */
function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new ConfigError(`${file} is not valid YAML. ${(cause as Error).message}`, { cause });
  }
}

function explainYaml(message: string): string {
  if (/tab/i.test(message)) return `YAML is indented with spaces, never with tabs. ${message}`;
  if (/unique/i.test(message)) return `A key stands there twice: keep one of them. ${message}`;
  return message;
}

async function readConfigFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const advice = missing
      ? `There is no ${file}. Write one with "agent-daemon init", or name another with --config.`
      : `${file} cannot be read: ${(cause as Error).message}`;
    throw new ConfigError(advice, { cause });
  }
}

async function readEnvFile(file: string): Promise<Environment> {
  try {
    return parseEnv(await readFile(file, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Lets a configuration be written in camelCase as well, as the older documents do (`commentHandling`).
 * One that begins with a capital is neither, and stays as it is. A key that stands there in both spellings is an error, because one of them would silently lose.
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
      throw new ConfigError(`${place} is written twice, once as ${key}: keep one of them.`);
    }
    result[name] = opaque.has(name) ? child : toSnakeCaseKeys(child, place);
  }
  return result;
}
