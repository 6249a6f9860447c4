import { ContextStoreError } from './context-store-error.ts';

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
