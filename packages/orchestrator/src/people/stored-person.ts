import { ContextStoreError, type Json, type RunStorage } from '@agent/run-store';
import { nameOfRun } from '../board/run-summary.ts';
import {
  createNoteChange,
  erasedMark,
  isAccount,
  isWrittenBy,
  listPictures,
  listTexts,
  type PersonTrace,
  type PersonTraits,
  redactPerson,
  toQuotedLines,
} from './redact-person.ts';

/** Storage that a person is looked for in. */
export type SearchedStorage = Pick<
  RunStorage,
  'transfer' | 'notes' | 'controls' | 'pauseSignal' | 'accounts' | 'location'
>;

/** A person who is looked for. */
export interface PersonQuery {
  /** Without `@`; compared without case. */
  readonly login: string;
  /** Tells whether a run belongs to the person's platform. Default: each. */
  readonly isOfPlatform?:
    | ((run: { readonly taskKeyText: string; readonly host: string }) => boolean)
    | undefined;
}

/** Run that names a person. */
export interface PersonRun {
  readonly uuid: string;
  readonly place: 'running' | 'paused' | 'completed';
  /** `acme/shop#42`. */
  readonly name: string;
  readonly host: string;
  readonly person: PersonTraits;
  /** Places in it, in the order of its record, then of its state. */
  readonly traces: readonly (PersonTrace & RunPart)[];
}

/** Line of the record, or value of the state. */
export type RunPart = { readonly line: number; readonly at: string | null } | { readonly state: string };

/** Note that names a person. */
export interface PersonNote {
  readonly name: string;
  readonly traces: readonly PersonTrace[];
}

/** Everything stored of a person. */
export interface StoredPerson {
  readonly runs: readonly PersonRun[];
  /** Runs that cannot be read, each with the reason: whether they name the person is unknown. */
  readonly damaged: readonly { readonly name: string; readonly reason: string }[];
  readonly notes: readonly PersonNote[];
  /** Accounts of what the person spent. */
  readonly spending: readonly { readonly name: string; readonly spentMicros: number }[];
  /** Requests to runs that are not handled yet. */
  readonly controls: readonly { readonly uuid: string; readonly verb: string; readonly name: string }[];
  /** True if the person paused everything. */
  readonly hasPausedAll: boolean;
  /** Changes the value of a note so that it names the person no more. */
  readonly changeNote: (name: string, value: Json) => Json;
}

/**
 * Looks for a person in everything that is stored. Changes nothing, and works beside daemons.
 *
 * @throws {ContextStoreError} `invalid` for a storage that cannot be searched
 */
export async function findStoredPerson(storage: SearchedStorage, query: PersonQuery): Promise<StoredPerson> {
  const { notes, controls, pauseSignal, transfer } = storage;
  if (transfer === undefined) throw new TypeError(`The runs in ${storage.location} cannot be searched.`);
  const login = query.login.replace(/^@/, '');
  const known = await findAccounts({ transfer }, { ...query, login });
  const runs: PersonRun[] = [];
  for (const run of known.runs) {
    const ids = known.ids.get(run.host) ?? [];
    const found = await whereverItLies(transfer, run, (lies) =>
      readPersonRun(transfer, { run: { ...run, ...lies }, login, ids }),
    );
    if (found !== null && found.traces.length > 0) runs.push(found);
  }
  const change = createNoteChange({ login, others: known.others });
  const found: PersonNote[] = [];
  for (const name of (await transfer.listNotes()).toSorted()) {
    const traces: PersonTrace[] = [];
    change(name, (await notes.read(name)) as Json, (trace) => traces.push(trace));
    if (traces.length > 0) found.push({ name, traces });
  }
  const names = [...known.ids].flatMap(([host, ids]) => ids.map((id) => `person:${host} ${id}`));
  const asked = (await controls.list()).filter(({ by }) => by?.toLowerCase() === login.toLowerCase());
  return {
    runs,
    damaged: known.damaged,
    notes: found,
    spending: (await storage.accounts?.list(names)) ?? [],
    controls: asked.map(({ uuid, verb }) => ({ uuid, verb, name: known.names.get(uuid) ?? uuid })),
    hasPausedAll: (await pauseSignal.read())?.by?.toLowerCase() === login.toLowerCase(),
    changeNote: (name, value) => change(name, value),
  };
}

type Transfer = NonNullable<SearchedStorage['transfer']>;
type KnownRun = Omit<PersonRun, 'person' | 'traces'>;
type PlacedRun = Pick<PersonRun, 'uuid' | 'place'>;

interface Accounts {
  readonly runs: readonly KnownRun[];
  readonly damaged: StoredPerson['damaged'];
  /** Ids of the person's accounts, by host. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly names: ReadonlyMap<string, string>;
  /** Runs of other platforms. */
  readonly others: ReadonlySet<string>;
}

/** Reads each run once: an account that was renamed is found by its id where it has an earlier login. */
async function findAccounts(
  { transfer }: { readonly transfer: Transfer },
  { login, isOfPlatform = () => true }: PersonQuery,
): Promise<Accounts> {
  const runs: KnownRun[] = [];
  const damaged: { name: string; reason: string }[] = [];
  const ids = new Map<string, Set<string>>();
  const names = new Map<string, string>();
  const others = new Set<string>();
  for (const [uuid, place] of await transfer.listRuns()) {
    try {
      const run = await whereverItLies(transfer, { uuid, place }, (lies) =>
        readAccounts(transfer, lies, { login, names }),
      );
      if (run === null) continue;
      const { about, accounts, ...known } = run;
      if (!isOfPlatform(about)) {
        others.add(uuid);
        continue;
      }
      runs.push(known);
      if (accounts.length > 0) ids.set(known.host, new Set([...(ids.get(known.host) ?? []), ...accounts]));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      damaged.push({ name: names.get(uuid) ?? uuid, reason: error.message });
    }
  }
  return { runs, damaged, names, others, ids: new Map([...ids].map(([host, some]) => [host, [...some]])) };
}

/** Reads what a run is, and the ids with which it names a login. */
async function readAccounts(
  transfer: Transfer,
  run: PlacedRun,
  { login, names }: { readonly login: string; readonly names: Map<string, string> },
) {
  const accounts: string[] = [];
  let about = { taskKeyText: '', host: '', url: null as string | null };
  for await (const { value, part } of readValues(transfer, run)) {
    if ('line' in part && part.line === 1) {
      about = readAbout(value);
      names.set(run.uuid, nameOfRun(about));
    }
    forEachObject(value, (object) => {
      if (isAccount(object, { logins: [login], ids: [] }) && typeof object.id === 'string')
        accounts.push(object.id);
    });
  }
  return { ...run, name: nameOfRun(about), host: about.host, about, accounts };
}

/** Reads a run that a daemon may move at the same time; null if the run is gone by now. */
async function whereverItLies<Result>(
  transfer: Transfer,
  run: PlacedRun,
  read: (run: PlacedRun) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await read(run);
  } catch (error) {
    const place = (await transfer.listRuns()).get(run.uuid);
    if (place === undefined) return null;
    if (place === run.place) throw error;
    return read({ ...run, place });
  }
}

function isUnreadable(error: unknown): error is ContextStoreError {
  return ContextStoreError.isInstance(error) && ['damaged', 'other-version'].includes(error.code);
}

async function readPersonRun(
  transfer: Transfer,
  { run, login, ids }: { readonly run: KnownRun; readonly login: string; readonly ids: readonly string[] },
): Promise<PersonRun> {
  const person = await readTraits(transfer, { run, logins: [login], ids });
  const traces: (PersonTrace & RunPart)[] = [];
  for await (const { value, part } of readValues(transfer, run))
    redactPerson(value, {
      person,
      state: 'state' in part ? part.state : null,
      onTrace: (trace) => traces.push({ ...part, ...trace }),
    });
  return { ...run, person, traces };
}

/** Finds earlier logins of the same account in a run, and the lines that the person wrote. */
async function readTraits(
  transfer: Transfer,
  { run, logins, ids }: { readonly run: KnownRun } & Pick<PersonTraits, 'logins' | 'ids'>,
): Promise<PersonTraits> {
  const found = new Set(logins);
  const lines = new Set<string>();
  const pictures = new Set<string>();
  for await (const { value } of readValues(transfer, run)) {
    forEachText(value, (text) => {
      for (const id of listPictures(text, { logins: [...found] })) pictures.add(id);
    });
    forEachObject(value, (object) => {
      if (isAccount(object, { logins, ids }) && object.login !== erasedMark) found.add(String(object.login));
    });
    forEachObject(value, (object) => {
      if (!isWrittenBy(object, { logins: [...found], ids })) return;
      for (const text of listTexts(object)) for (const line of toQuotedLines(text)) lines.add(line);
    });
  }
  const longestFirst = [...lines].toSorted((one, other) => other.length - one.length);
  return { logins: [...found], ids, lines: longestFirst, pictures: [...pictures] };
}

/** Reads all that a run says: lines of its record, then values of its state. */
async function* readValues(
  transfer: Transfer,
  { uuid, place }: PlacedRun,
): AsyncGenerator<{ readonly value: Json; readonly part: RunPart }> {
  const run = transfer.openRun(uuid, place);
  for await (const lines of run.readChain())
    for (const { line, bytes } of lines) {
      const value = JSON.parse(bytes.toString()) as { readonly timestamp?: string } & Json;
      yield { value, part: { line, at: value.timestamp ?? null } };
    }
  for (const [state, value] of Object.entries(await run.readStates())) yield { value, part: { state } };
}

/** Reads what the first line of a record says of its run. */
function readAbout(value: Json): { taskKeyText: string; host: string; url: string | null } {
  const { data } = value as { readonly data?: Readonly<Record<string, Json>> };
  const { task_key_text: taskKeyText = '', host = '', extra } = data ?? {};
  const { url = null } = (extra ?? {}) as { readonly url?: string | null };
  return { taskKeyText: String(taskKeyText), host: String(host), url };
}

function forEachObject(value: Json, use: (object: Readonly<Record<string, Json>>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) use(value as Readonly<Record<string, Json>>);
  for (const child of Object.values(value)) forEachObject(child, use);
}

function forEachText(value: Json, use: (text: string) => void): void {
  if (typeof value === 'string') use(value);
  else if (typeof value === 'object' && value !== null)
    for (const child of Object.values(value)) forEachText(child, use);
}
