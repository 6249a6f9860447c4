import { ContextStoreError } from './context-store-error.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Tells whether a text is a uuid as runs have them. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** @throws {ContextStoreError} `invalid`: a name that is no uuid could lead out of the directory */
export function requireUuid(uuid: string): void {
  if (isUuid(uuid)) return;
  const message = `${JSON.stringify(uuid)} is not a uuid in lower case, as randomUUID() makes them.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

const minPrefixChars = 4;

/** Reads what names a run. @throws {ContextStoreError} `invalid` for what is no beginning of a uuid */
export function requirePrefix(text: string): string {
  const prefix = text.toLowerCase();
  if (prefix.length >= minPrefixChars && prefix.length <= 36 && /^[0-9a-f-]+$/.test(prefix)) return prefix;
  const message = `${JSON.stringify(text)} is not the beginning of a run's uuid. Give at least ${minPrefixChars} of its characters, as "status" shows them.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}
