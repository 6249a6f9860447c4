import { BotError } from '../bot-error.ts';
import { type Settings, settingsSchema } from './settings-schema.ts';

/** What a process has around it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a wrong environment is explained with. */
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
