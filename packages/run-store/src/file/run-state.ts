import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createKeyedTurns } from '@agent/text/waiting';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { privateDirectory, readFileIfThere, readStamp, replaceFile } from '../disk/files.ts';
import { isRunDirectory } from '../disk/run-directories.ts';
import type { NewFact } from '../journal/journal-writer.ts';
import { formatState, parseStateText } from '../lines/state-name.ts';
import { type RunPlaces, toJournalFiles } from '../places.ts';
import type { RunState } from '../ports.ts';
import { readRunFacts } from '../record/run-record.ts';
import { createState } from '../store/create-state.ts';
import { findDirectory, readWhereItLies } from './list-runs.ts';

/** Records whose values are remembered at most. */
const maxRemembered = 128;

const keptStates = createKeptStates();

/** Values of records, read again when a record has changed: what was never written is asked for again and again. */
function createKeptStates() {
  const remembered = new Map<
    string,
    { readonly stamp: string; readonly states: ReadonlyMap<string, unknown> }
  >();
  return {
    read: async (directory: string): Promise<ReadonlyMap<string, unknown>> => {
      const stamp = await readStamp(toJournalFiles(directory).messages);
      const found = remembered.get(directory);
      if (stamp !== null && found?.stamp === stamp) return found.states;
      const { states } = await readRunFacts(directory);
      remembered.delete(directory);
      if (stamp !== null) remembered.set(directory, { stamp, states });
      const [oldest] = remembered.keys();
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
      return states;
    },
  };
}

/** One for the process, whose files they are. */
const inTurnOf = createKeyedTurns();

interface RunStateOptions {
  /** Appends a fact to the record of the run, synced. */
  readonly append: (fact: NewFact) => Promise<void>;
  /** Tells whether the record holds a value of this name; such a one is removed from there, too. */
  readonly isKept: (name: string) => boolean;
  /** Values that the record of the run in a directory holds. Default: reads the record. */
  readonly readKept?: ReadKept;
}

type ReadKept = (directory: string) => Promise<ReadonlyMap<string, unknown>>;

/**
 * The state of a run. A value whose write waits for the disk is a fact of the run's record; each is a file of its
 * directory, too: a name is the file's, below the directory.
 */
export function createRunState(
  directory: string,
  { append, isKept, readKept = keptStates.read }: RunStateOptions,
): RunState {
  return createState({
    inTurn: (action, work) => translated(inTurnOf(directory, work), `${action} in "${directory}"`),
    read: (name) =>
      readValue(join(directory, name), {
        name,
        readKept: () => requireDirectory(directory).then(() => readKept(directory)),
      }),
    write: async ({ name, value, sync, fact }) => {
      await requireDirectory(directory);
      if (sync || (value === null && isKept(name))) await append(fact);
      await writeText(join(directory, name), value === null ? null : formatState(name, value));
    },
  });
}

/** Options for reading alone. */
const readOnly: RunStateOptions = { append: async () => undefined, isKept: () => false };

/** Reads the state of a run, which is looked for again each time: its files, and the record for what is missing or damaged of these. */
export function openStateReader(places: RunPlaces, uuid: string): Pick<RunState, 'read'> {
  return {
    read: (name) =>
      readWhereItLies({ places, uuid }, (directory) => createRunState(directory, readOnly).read(name)),
  };
}

/** The state of a run, looked for anew each time: a run that is not open here may be moved by who has it open. */
export function openStateOf(
  uuid: string,
  {
    places,
    append,
  }: {
    readonly places: RunPlaces;
    readonly append: RunStateOptions['append'];
  },
): RunState {
  return {
    ...openStateReader(places, uuid),
    write: async (name, value, options) => {
      const directory = await findDirectory(places, uuid);
      const isKept = () => true;
      return createRunState(directory, { append, isKept }).write(name, value, options);
    },
  };
}

/** Does something with the directory, such as moving it, while no state in it is read or written. */
export function whileStateRests<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  return inTurnOf(directory, work);
}

async function readValue(
  path: string,
  { name, readKept }: { readonly name: string; readonly readKept: () => ReturnType<ReadKept> },
): Promise<unknown> {
  const text = await readFileIfThere(path);
  const value = text === null ? undefined : parseStateText(name, text);
  if (value !== undefined) return value;
  const kept = (await readKept()).get(name);
  if (kept !== undefined || text === null) return kept ?? null;
  const message = `"${path}" is not the JSON that was written there. Put it back from a copy, or remove it.`;
  throw new ContextStoreError(message, { code: 'damaged' });
}

async function writeText(path: string, text: string | null): Promise<void> {
  if (text === null) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await replaceFile(path, text, { sync: false });
}

/** A run that was moved meanwhile is neither empty nor made again where it was. */
async function requireDirectory(directory: string): Promise<void> {
  if (await isRunDirectory(directory)) return;
  const message = `The run is not in "${directory}" any more. Open it again where it is.`;
  throw new ContextStoreError(message, { code: 'invalid' });
}
