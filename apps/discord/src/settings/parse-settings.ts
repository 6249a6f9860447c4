import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { BotError } from '../bot-error.ts';
import { type Settings, settingsSchema } from './settings-schema.ts';

/** Environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Texts that explain a wrong environment. */
export interface SettingsTexts {
  readonly wrongSettings: string;
  readonly tokenMissing: string;
}

/**
 * Reads the settings, and says of each that is wrong what it has to be; never its value, which may be a secret.
 *
 * @throws BotError `settings`
 */
export function parseSettings(environment: Environment, texts: SettingsTexts): Settings {
  const given = Object.entries(environment).filter(([, value]) => value?.trim());
  const parsed = settingsSchema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path: [name], message }) =>
    name === 'DISCORD_TOKEN' ? `  - ${texts.tokenMissing}` : `  - ${String(name)}: ${message}`,
  );
  throw new BotError('settings', [texts.wrongSettings, ...lines].join('\n'));
}

interface EnvironmentFile {
  readonly path: string;
  /** Tells whether somebody named it; a file that nobody named may be missing. */
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

/**
 * The settings with the instructions that stand in a file.
 *
 * @throws BotError `settings` when the file cannot be read or is empty
 */
export async function readInstructions(settings: Settings): Promise<Settings> {
  const { INSTRUCTIONS_FILE: path } = settings;
  if (path === undefined) return settings;
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code ?? 'unknown reason';
    throw new BotError('settings', `INSTRUCTIONS_FILE: cannot read ${path} (${reason})`, { cause });
  });
  if (text.trim() === '') {
    throw new BotError(
      'settings',
      `INSTRUCTIONS_FILE: ${path} is empty; write what the model is told, or remove it`,
    );
  }
  return { ...settings, INSTRUCTIONS: text.trim() };
}
