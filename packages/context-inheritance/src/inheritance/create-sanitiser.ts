import { type KnownPeople, maskPeople } from './mask-people.ts';
import { scanSecrets } from './scan-secrets.ts';
import { redactPatterns, redactValues } from './secret-patterns.ts';

/** Gives inherited text back without secrets, people and machines; rejects when it could not look for them. */
export type Sanitiser = (text: string, people: KnownPeople) => Promise<string>;

export interface SanitiserOptions {
  /** Secrets that this process holds; they are taken out by value. Default none. */
  readonly secrets?: readonly string[];
  /** Cleans text before it reaches a model: hidden markup, invisible characters. Default: as it is. */
  readonly cleanText?: (text: string) => string;
}

/**
 * Makes the function through which all text of earlier runs goes: known secrets by value, then a maintained scanner,
 * then the seed's patterns, then people. @see seed 002 §8, decision C12
 */
export function createSanitiser({
  secrets = [],
  cleanText = (text) => text,
}: SanitiserOptions = {}): Sanitiser {
  return async (text, people) => {
    if (text === '') return text;
    const scanned = await scanSecrets(redactValues(cleanText(text), secrets));
    return maskPeople(redactPatterns(scanned), people);
  };
}
