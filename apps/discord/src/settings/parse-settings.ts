import { readFile } from 'node:fs/promises';
import { decodeTextFile, type EnvFileProblem, parseEnvFile, readCredentials } from '@agent/text/files';
import { z } from 'zod';
import { BotError } from '../bot-error.ts';
import type { TerminalTexts } from '../terminal-texts.en.ts';

const text = z.string().trim().min(1);
const flag = (fallback: boolean) => z.stringbool({ error: 'must be true or false' }).default(fallback);

function whole(from: number, to: number) {
  const error = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(from, error).max(to, error));
}

function oneOf<const Names extends readonly [string, ...string[]]>(names: Names, fallback: Names[number]) {
  return z.enum(names, { error: `must be one of ${names.join(', ')}` }).default(fallback as never);
}

const temperatureError = 'must be a number from 0 to 2, such as 0.7';

/** Ids as Discord's developer mode copies them. */
const idList = z
  .string()
  .regex(
    /^[\s,]*\d{17,20}(?:[\s,]+\d{17,20})*[\s,]*$/,
    'must be IDs of 17 to 20 digits, separated by commas (Discord: Settings → Advanced → Developer Mode, then right-click → Copy ID)',
  )
  .transform((ids): readonly string[] => ids.match(/\d+/g) ?? [])
  .optional();

/** Custom text of a notice. The limit leaves room for the mark in front of it. */
const ownText = z.string().trim().min(1).max(1_900, 'must have at most 1,900 characters').optional();

const fields = z.object({
  DISCORD_TOKEN: text,
  LM_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as http://localhost:1234/v1' })
    .default('http://localhost:1234/v1'),
  LM_MODEL: text.optional(),
  LM_API_KEY: text.optional(),
  LM_TIMEOUT_SECONDS: whole(1, 3_600).default(30),
  LM_TEMPERATURE: z
    .string()
    .regex(/^\d(?:\.\d{1,6})?$/, temperatureError)
    .transform(Number)
    .pipe(z.number().max(2, temperatureError))
    .optional(),
  LM_MAX_TOKENS: whole(1, 10_000_000).optional(),
  INSTRUCTIONS: text.optional(),
  INSTRUCTIONS_FILE: text.optional(),
  MAX_ANSWER_CHARS: whole(100, 1_000_000).default(20_000),
  ALLOWED_SERVERS: idList,
  ALLOWED_CHANNELS: idList,
  ALLOWED_PEOPLE: idList,
  ALLOWED_ROLES: idList,
  MODEL_MODULE: text.optional(),
  DEBUG_ASSISTANT: flag(false),
  LOG_FORMAT: oneOf(['auto', 'pretty', 'json'], 'auto'),
  LOCALE: oneOf(['auto', 'ja', 'en'], 'auto'),
  MAX_THREAD_MESSAGES: whole(1, 10_000).default(200),
  MAX_TRANSCRIPT_CHARS: whole(100, 10_000_000).default(20_000),
  PIN_STARTER: flag(false),
  STABLE_PREFIX: flag(false),
  DISPLAY_NAME: flag(false),
  HISTORY_CACHE: oneOf(['off', 'gateway'], 'off'),
  STREAM: flag(false),
  MAX_CONCURRENT_ANSWERS: whole(1, 100).default(4),
  MAX_WAITING_PER_THREAD: whole(0, 1_000).default(10),
  CATCH_UP_MINUTES: whole(0, 10_080).default(60),
  THREAD_ARCHIVE_MINUTES: oneOf(['60', '1440', '4320', '10080'], '1440').transform(Number),
  SHUTDOWN_SECONDS: whole(0, 600).default(10),
  FALLBACK_UNREACHABLE: ownText,
  FALLBACK_TIMEOUT: ownText,
  FALLBACK_STATUS: ownText,
  FALLBACK_UNREADABLE: ownText,
  FALLBACK_FAILED: ownText,
  FALLBACK_EMPTY: ownText,
  DISCORD_API_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://discord.com/api' })
    .default('https://discord.com/api'),
});

/**
 * The environment, as far as the app reads it. An empty variable counts as none.
 *
 * @see seed 003 §4.1
 */
const settingsSchema = fields.refine(
  (settings) => settings.INSTRUCTIONS === undefined || settings.INSTRUCTIONS_FILE === undefined,
  { path: ['INSTRUCTIONS_FILE'], error: 'must not be set together with INSTRUCTIONS: use one of the two' },
);

/** The settings of one process, defaults filled in. */
export type Settings = z.infer<typeof settingsSchema>;

/** Milliseconds without a change after which an answer that stands half is taken for left: the time of an answer, and some. */
export function leaseMsOf({ LM_TIMEOUT_SECONDS }: Pick<Settings, 'LM_TIMEOUT_SECONDS'>): number {
  return LM_TIMEOUT_SECONDS * 1_000 + 5_000;
}

/** Environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Texts that explain a wrong environment. */
type SettingsTexts = Pick<TerminalTexts, 'wrongSettings' | 'tokenMissing'>;

/**
 * Reads the settings, and says of each that is wrong what it has to be; never its value, which may be a secret.
 *
 * @example
 * parseSettings({ DISCORD_TOKEN: 'secret' }, texts).MAX_THREAD_MESSAGES; // 200
 *
 * @throws BotError `settings`
 */
export function parseSettings(environment: Environment, texts: SettingsTexts): Settings {
  const parsed = settingsSchema.safeParse(withoutEmpty(environment));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path: [name], message }) =>
    name === 'DISCORD_TOKEN' ? `  - ${texts.tokenMissing}` : `  - ${String(name)}: ${message}`,
  );
  throw new BotError('settings', [texts.wrongSettings, ...lines].join('\n'));
}

interface EnvironmentFile {
  readonly path: string;
  /** True if a flag names the file: it must exist then. */
  readonly isNamed: boolean;
}

/** The environment, and lines of the file that look like mistakes. */
export interface ReadEnvironment {
  readonly environment: Environment;
  readonly problems: readonly EnvFileProblem[];
}

/**
 * Reads the environment of the process over the files in `CREDENTIALS_DIRECTORY`, over that of a file.
 *
 * @throws BotError `settings` if one of the files cannot be read
 */
export async function readEnvironment(
  file: EnvironmentFile,
  environment: Environment,
): Promise<ReadEnvironment> {
  const text = await readTextFile(file.path).catch((error: BotError) => {
    const { code } = error.cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !file.isNamed) return null;
    throw error;
  });
  const { variables, problems } = text === null ? { variables: {}, problems: [] } : parseEnvFile(text);
  const credentials = await readCredentials(environment).catch((cause: NodeJS.ErrnoException) => {
    const message = `cannot read the files in CREDENTIALS_DIRECTORY (${cause.code ?? 'unknown reason'})`;
    throw new BotError('settings', message, { cause });
  });
  return { environment: { ...variables, ...credentials, ...withoutEmpty(environment) }, problems };
}

async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new BotError('settings', `cannot read ${path} (${cause.code ?? 'unknown reason'})`, { cause });
  });
  const decoded = decodeTextFile(bytes);
  if (decoded.kind === 'text') return decoded.text;
  const reason = `${path}, line ${decoded.line}: the text is neither UTF-8 nor UTF-16. Save the file as UTF-8.`;
  throw new BotError('settings', reason, { cause: decoded });
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
  const problem = (reason: string, cause: unknown = null) =>
    new BotError('settings', `INSTRUCTIONS_FILE: ${reason}`, { cause });
  const text = await readTextFile(path).catch((cause: BotError) => {
    throw problem(cause.message, cause);
  });
  if (text.trim() === '')
    throw problem(`${path} is empty; add instructions for the model, or unset INSTRUCTIONS_FILE`);
  return { ...settings, INSTRUCTIONS: text.trim() };
}
