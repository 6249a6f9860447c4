import { checkOptions, expected } from '@agent/text/options';
import {
  createKnownSecrets,
  findSecrets,
  replaceSecrets,
  type SecretValues,
  scanSecrets,
} from '@agent/text/secrets';

/** Gives inherited text back without secrets, people and machines; rejects when it could not look for them. */
export type Sanitizer = (text: string, people: KnownPeople) => Promise<string>;

/** Options of `createSanitizer`. */
export interface SanitizerOptions {
  /** Secrets that this process holds; those of 12 and more characters are taken out by value. Default none. */
  readonly secrets?: SecretValues;
  /** Cleans text before it reaches a model: hidden markup, invisible characters. Default: as it is. */
  readonly cleanText?: (text: string) => string | Promise<string>;
}

/**
 * Makes the function through which all text of earlier runs goes: known secrets by value, what a maintained scanner
 * and our own forms find, then people. @see seed 002 §8, decision C12
 *
 * @example
 * const sanitize = createSanitizer({ secrets: ['plum-orchard-lane'] });
 * await sanitize('ada@example.org said plum-orchard-lane', { users: ['ada'], hostnames: [] }); // '[EMAIL] said [REDACTED]'
 */
export function createSanitizer(options: SanitizerOptions = {}): Sanitizer {
  checkOptions('SanitizerOptions', options, { secrets: expected.secrets, cleanText: expected.function });
  const { secrets = [], cleanText = (text) => text } = options;
  const redact = createRedactor(secrets);
  return async (text, people) => {
    if (text === '') return text;
    return maskPeople(await redact(await cleanText(text)), people);
  };
}

/** Makes the function that takes secrets out of a text: known ones by value, and what is written as secrets are. */
export function createRedactor(secrets: SecretValues): (text: string) => Promise<string> {
  const known = createKnownSecrets(secrets);
  return async (text) => {
    if (text === '') return text;
    return replaceSecrets(text, [...findSecrets(text, known), ...(await scanSecrets(text))]);
  };
}

/** People and machines of the runs whose texts are inherited. */
export interface KnownPeople {
  readonly users: readonly string[];
  readonly hostnames: readonly string[];
}

const email =
  /(?<![A-Za-z0-9._%+-])(?!git@)[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;
const home = /(\/(?:home|Users)\/|[A-Za-z]:\\{1,2}Users\\{1,2})[^\s/\\"'`:]{1,64}/g;
const shortestName = 4;

/**
 * Takes people out of a text: e-mail addresses, names in home directories, the known users and their machines. A user's
 * name stays where it is part of a path or an address, such as the owner of a repository. @see decision C12
 */
function maskPeople(text: string, { users, hostnames }: KnownPeople): string {
  let masked = text.replace(email, '[EMAIL]').replace(home, '$1[USER]');
  for (const user of users.filter((name) => name !== '')) {
    masked = masked.replace(new RegExp(`(?<![\\w@])@${escapeRegExp(user)}(?![\\w/-])`, 'gi'), '@[USER]');
    if (user.length >= shortestName) masked = masked.replace(wholeWord(user), '[USER]');
  }
  for (const hostname of hostnames.filter((name) => name.length >= shortestName)) {
    masked = masked.replace(wholeWord(hostname), '[HOST]');
  }
  return masked;
}

function wholeWord(word: string): RegExp {
  return new RegExp(`(?<![\\w@/.-])${escapeRegExp(word)}(?![\\w/-])`, 'g');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
