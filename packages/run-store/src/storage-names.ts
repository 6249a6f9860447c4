import { createHash } from 'node:crypto';
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

/** SHA-256, in hexadecimal, of a task's canonical text. @see seed 002 §3.3 */
export function hashTaskKey(taskKeyText: string): string {
  return createHash('sha256').update(taskKeyText, 'utf8').digest('hex');
}

/** Tells whether a text is a hash as `hashTaskKey` makes them. */
export function isTaskKeyHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** First segments that a storage keeps other things under. */
const ownNames: ReadonlySet<string> = new Set(['running', 'paused', 'completed', 'index', 'control', 'lock']);

/** Tells whether a note can have this name. */
export function isNoteName(name: string): boolean {
  const [first = ''] = name.split('/');
  return /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)?$/.test(name) && !ownNames.has(first);
}

/** A name that leads elsewhere, or to what is the storage's own, is refused. @throws {ContextStoreError} `invalid` */
export function requireNoteName(name: string): string {
  if (isNoteName(name)) return name;
  const rules = 'small letters, digits and "-", in at most two segments, none of them the storage\'s own';
  throw new ContextStoreError(`${JSON.stringify(name)} is not a name for a note. Use ${rules}.`, {
    code: 'invalid',
  });
}

/** @throws {ContextStoreError} `invalid` for what is no name of a channel */
export function requireChannel(channel: string): string {
  if (/^[a-z][a-z0-9_]{0,31}$/.test(channel)) return channel;
  const rules = 'at most 32 small letters, digits and "_", a letter first';
  throw new ContextStoreError(`${JSON.stringify(channel)} is not a name for a channel. Use ${rules}.`, {
    code: 'invalid',
  });
}
