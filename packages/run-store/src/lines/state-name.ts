import { ContextStoreError } from '../context-store-error.ts';
import type { Json } from '../journal-model.ts';
import { toJournalFiles } from '../places.ts';

/**
 * Makes of a value what is written down of it.
 * @throws {ContextStoreError} `invalid` for what could not be read back
 */
export function toStateValue(name: string, value: unknown): Json {
  if (value === null) return null;
  if (!isJson(name)) {
    if (typeof value === 'string') return value;
    throw isInvalid(`"${name}" is kept as text. Give a string, or a name that ends in ".json".`);
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw isInvalid(`The value of "${name}" cannot be written as JSON.`, cause);
  }
  if (text === undefined) throw isInvalid(`The value of "${name}" cannot be written as JSON.`);
  return JSON.parse(text);
}

/** The text of a value's file. */
export function formatState(name: string, value: Json): string {
  return isJson(name) ? `${JSON.stringify(value)}\n` : String(value);
}

/** Reads a value's file; undefined for what is not the JSON that was written. */
export function parseStateText(name: string, text: string): Json | undefined {
  if (!isJson(name)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson(name: string): boolean {
  return name.endsWith('.json');
}

const namePattern = /^(?:[a-z0-9_][\w.~-]*\/){0,3}[a-z0-9_][\w.~-]*$/i;
const maxNameChars = 200;
/** The store's own files, and what replaces one of them. */
const ownNames = new Set(Object.values(toJournalFiles('')));
const ownEndings = ['.jsonl', '.tmp'];

/** Tells whether a file below a run's directory can be a value of its state. */
export function isStateName(name: string): boolean {
  const lower = name.toLowerCase();
  const isOwn = ownNames.has(lower) || ownEndings.some((ending) => lower.endsWith(ending));
  return namePattern.test(name) && name.length <= maxNameChars && !isOwn;
}

/** A name that leads out of the directory, or to a file of the journal, is refused. */
export function requireStateName(name: string): void {
  if (isStateName(name)) return;
  const rules = `letters, digits and "_.~-", up to three folders, at most ${maxNameChars} characters, none of the store's own files`;
  throw isInvalid(`${JSON.stringify(name)} is not a name for a state. Use ${rules}.`);
}

function isInvalid(message: string, cause?: unknown): ContextStoreError {
  return new ContextStoreError(message, { code: 'invalid', cause });
}
