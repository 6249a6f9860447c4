import type { PersonQuery } from '@agent/orchestrator/people';
import { findBuiltIn } from '@agent/orchestrator/platforms/names';
import { parseTaskKey } from '@agent/platforms';
import type { Locale } from '@agent/text/locale';
import { CommandError } from './command-io.ts';
import type { OpenedDirectory } from './open-directory.ts';
import { en, type PeopleTexts } from './people-texts.en.ts';
import { ja } from './people-texts.ja.ts';

/** Texts of `erase` and of `export --person`, by language. */
export const peopleTexts: Readonly<Record<Locale, PeopleTexts>> = { en, ja };

/** Options of the command line that name a person. */
export interface PersonFlags {
  /** Login, with `@` or without. */
  readonly person: string;
  /** Name of a platform. Default: the configured platform. */
  readonly platform?: string | undefined;
}

/**
 * Finds out whom the options mean: the same login can be another person on another platform.
 *
 * @throws CommandError for an empty name, an unknown platform, and without one where several are configured
 */
export function toPersonQuery(
  { person, platform }: PersonFlags,
  { loaded, locale }: OpenedDirectory<'platforms'>,
): PersonQuery {
  const texts = peopleTexts[locale];
  const login = person.trim().replace(/^@/, '');
  if (login === '') throw new CommandError(texts.personNeeded);
  const { custom, ...builtIn } = loaded.config.platforms;
  const configured = Object.entries(builtIn).flatMap(([name, section]) => (section === null ? [] : [name]));
  const names = [...configured, ...Object.keys(custom)];
  if (platform === undefined) {
    if (names.length > 1) throw new CommandError(texts.platformNeeded(names.join(', ')));
    return { login };
  }
  // Without a configuration that can be read, the platforms that come with the daemon are known all the same.
  if (!names.includes(platform) && (names.length > 0 || findBuiltIn(`${platform}_`) === undefined))
    throw new CommandError(texts.unknownPlatform(platform, names.join(', ')));
  return { login, isOfPlatform: ({ taskKeyText }) => toPlatformName(taskKeyText) === platform };
}

/** Name of the platform in the key of a task; null for a key that nothing can read. */
function toPlatformName(taskKeyText: string): string | null {
  try {
    const key = parseTaskKey(taskKeyText);
    return key.type === 'custom' ? key.platform : (findBuiltIn(key.type) ?? null);
  } catch {
    return null;
  }
}
