import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { privateDirectory, readFileIfThere, replaceFile, syncDirectory } from '../disk/files.ts';
import { createKeyedMutex } from '../disk/keyed-mutex.ts';

import { type RunPlaces, toJournalFiles } from '../places.ts';
import type { RunState } from '../ports.ts';
import { findRun } from './list-runs.ts';
import { isRunDirectory } from './run-directory.ts';

/** One for the process, whose files they are. */
const mutex = createKeyedMutex();

interface RunStateOptions {
  /** Called with the name of each value that reached the disk, before the caller hears of it. Default none. */
  readonly afterSync?: ((name: string) => void) | undefined;
}

/** The state of a run as files of its directory: a name is the file's, below the directory. */
export function createRunState(directory: string, options: RunStateOptions = {}): RunState {
  const inTurn = async <Result>(name: string, action: string, work: () => Promise<Result>) => {
    requireStateName(name);
    return translated(mutex.run(directory, work), `${action} "${name}" in "${directory}"`);
  };
  return {
    read: (name) => inTurn(name, 'read', () => readValue(directory, name)),
    write: async (name, value, { sync = true } = {}) => {
      requireStateName(name);
      // As it is now: the caller may change it while it waits for its turn.
      const text = value === null ? null : toText(name, value);
      return inTurn(name, 'write', async () => {
        await requireDirectory(directory);
        await writeText(join(directory, name), text, { sync });
        if (sync) options.afterSync?.(name);
      });
    },
  };
}

/** The state of a run, looked for anew each time: a run that is not open here may be moved by who has it open. */
export function openStateOf(places: RunPlaces, uuid: string): RunState {
  const find = async () => createRunState((await findRun(places, uuid)).directory);
  return {
    read: async (name) => (await find()).read(name),
    write: async (name, value, options) => (await find()).write(name, value, options),
  };
}

/** Does something with the directory, such as moving it, while no state in it is read or written. */
export function whileStateRests<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  return mutex.run(directory, work);
}

async function readValue(directory: string, name: string): Promise<unknown> {
  const path = join(directory, name);
  const text = await readFileIfThere(path);
  if (text === null) {
    await requireDirectory(directory);
    return null;
  }
  if (!isJson(name)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `"${path}" is not the JSON that was written there. Put it back from a copy, or remove it.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
}

async function writeText(
  path: string,
  text: string | null,
  { sync }: { readonly sync: boolean },
): Promise<void> {
  if (text === null) {
    await rm(path, { force: true });
    if (sync) await syncDirectory(dirname(path));
    return;
  }
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await replaceFile(path, text, { sync });
}

/** A run that was moved meanwhile is neither empty nor made again where it was. */
async function requireDirectory(directory: string): Promise<void> {
  if (await isRunDirectory(directory)) return;
  const message = `The run is not in "${directory}" any more. Open it again where it is.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}

function toText(name: string, value: unknown): string {
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
  return `${text}\n`;
}

function isJson(name: string): boolean {
  return name.endsWith('.json');
}

const namePattern = /^(?:[a-z0-9_][\w.~-]*\/){0,3}[a-z0-9_][\w.~-]*$/i;
const maxNameChars = 200;
/** The store's own files, and what replaces one of them. */
const ownNames = new Set(Object.values(toJournalFiles('')));
const ownEndings = ['.jsonl', '.tmp'];

/** A name that leads out of the directory, or to a file of the journal, is refused. */
function requireStateName(name: string): void {
  const lower = name.toLowerCase();
  const isOwn = ownNames.has(lower) || ownEndings.some((ending) => lower.endsWith(ending));
  if (namePattern.test(name) && name.length <= maxNameChars && !isOwn) return;
  const rules = `letters, digits and "_.~-", up to three folders, at most ${maxNameChars} characters, none of the store's own files`;
  throw isInvalid(`${JSON.stringify(name)} is no name for a state. Use ${rules}.`);
}

function isInvalid(message: string, cause?: unknown): ContextStoreError {
  return new ContextStoreError(message, { code: 'invalid', cause });
}
