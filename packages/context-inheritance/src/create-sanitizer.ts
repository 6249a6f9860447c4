import { createKnownSecrets, findSecrets, replaceSecrets, scanSecrets } from '@agent/text/secrets';
import { type KnownPeople, maskPeople } from './mask-people.ts';

/** Gives inherited text back without secrets, people and machines; rejects when it could not look for them. */
export type Sanitizer = (text: string, people: KnownPeople) => Promise<string>;

/** Options of `createSanitizer`. */
export interface SanitizerOptions {
  /** Secrets that this process holds; those of 12 and more characters are taken out by value. Default none. */
  readonly secrets?: readonly string[];
  /** Cleans text before it reaches a model: hidden markup, invisible characters. Default: as it is. */
  readonly cleanText?: (text: string) => string | Promise<string>;
}

/**
 * Makes the function through which all text of earlier runs goes: known secrets by value, what a maintained scanner
 * and our own forms find, then people. @see seed 002 §8, decision C12
 */
export function createSanitizer({
  secrets = [],
  cleanText = (text) => text,
}: SanitizerOptions = {}): Sanitizer {
  const known = createKnownSecrets(secrets);
  return async (text, people) => {
    if (text === '') return text;
    const clean = await cleanText(text);
    const found = [...findSecrets(clean, known), ...(await scanSecrets(clean))];
    return maskPeople(replaceSecrets(clean, found), people);
  };
}
