import type { Json, RunStorage } from '@agent/run-store';
import { nameOfRun } from '../board/run-summary.ts';
import {
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
  /** Requests to runs that nobody handled yet. */
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
  const known = await findAccounts(storage, { ...query, login });
  const runs: PersonRun[] = [];
  for (const run of known.runs) {
    const found = await readPersonRun(storage, { run, login, ids: known.ids.get(run.host) ?? [] });
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

type KnownRun = Omit<PersonRun, 'person' | 'traces'>;

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
  { transfer }: SearchedStorage,
  { login, isOfPlatform = () => true }: PersonQuery,
): Promise<Accounts> {
  const runs: KnownRun[] = [];
  const damaged: { name: string; reason: string }[] = [];
  const ids = new Map<string, Set<string>>();
  const names = new Map<string, string>();
  const others = new Set<string>();
  for (const [uuid, place] of (await transfer?.listRuns()) ?? []) {
    let run: KnownRun | null = null;
    try {
      for await (const { value } of readValues({ transfer }, { uuid, place })) {
        if (run === null) {
          const about = readAbout(value);
          run = { uuid, place, name: nameOfRun(about), host: about.host };
          names.set(uuid, run.name);
          if (!isOfPlatform(about)) {
            others.add(uuid);
            break;
          }
          runs.push(run);
        }
        const { host } = run;
        forEachObject(value, (object) => {
          if (!isAccount(object, { logins: [login], ids: [] }) || typeof object.id !== 'string') return;
          ids.set(host, (ids.get(host) ?? new Set()).add(object.id));
        });
      }
    } catch (error) {
      damaged.push({ name: run?.name ?? uuid, reason: (error as Error).message });
    }
  }
  return { runs, damaged, names, others, ids: new Map([...ids].map(([host, some]) => [host, [...some]])) };
}

/** Null for a run that is gone by now. */
async function readPersonRun(
  storage: SearchedStorage,
  { run, login, ids }: { readonly run: KnownRun; readonly login: string; readonly ids: readonly string[] },
): Promise<PersonRun | null> {
  const person = await readTraits(storage, { run, logins: [login], ids });
  const traces: (PersonTrace & RunPart)[] = [];
  for await (const { value, part } of readValues(storage, run))
    redactPerson(value, {
      person,
      state: 'state' in part ? part.state : null,
      onTrace: (trace) => traces.push({ ...part, ...trace }),
    });
  return { ...run, person, traces };
}

/** Finds earlier logins of the same account in a run, and the lines that the person wrote. */
async function readTraits(
  storage: SearchedStorage,
  { run, logins, ids }: { readonly run: KnownRun } & Pick<PersonTraits, 'logins' | 'ids'>,
): Promise<PersonTraits> {
  const found = new Set(logins);
  const lines = new Set<string>();
  const pictures = new Set<string>();
  for await (const { value } of readValues(storage, run)) {
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
  { transfer }: Pick<SearchedStorage, 'transfer'>,
  { uuid, place }: Pick<KnownRun, 'uuid' | 'place'>,
): AsyncGenerator<{ readonly value: Json; readonly part: RunPart }> {
  const run = transfer?.openRun(uuid, place);
  if (run === undefined) return;
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

interface NoteChangeOptions {
  readonly login: string;
  /** Runs of other platforms: what the audit log says of these is about somebody else. */
  readonly others: ReadonlySet<string>;
}

function createNoteChange({ login, others }: NoteChangeOptions) {
  const person = { logins: [login], ids: [], lines: [], pictures: [] };
  return (name: string, value: Json, onTrace?: (trace: PersonTrace) => void): Json => {
    if (name === tokensNote && Array.isArray(value)) return dropTokens(value, { person, onTrace });
    if (!name.startsWith('audit/') || !Array.isArray(value)) return redactPerson(value, { person, onTrace });
    return value.map((entry: Json) => {
      const { actor = '', via, run } = entry as Readonly<Record<string, Json>>;
      if (typeof run === 'string' && others.has(run)) return entry;
      if (via !== 'cli') return redactPerson(entry, { person, onTrace });
      // Its actor is an account of the system, whatever its name.
      const { actor: _, ...rest } = entry as Readonly<Record<string, Json>>;
      return { ...(redactPerson(rest, { person, onTrace }) as object), actor };
    });
  };
}

/** Note of the tokens by which people log in to the web UI. */
const tokensNote = 'page/tokens';

/** A token lets its holder in: it goes with the name. */
function dropTokens(
  tokens: readonly Json[],
  {
    person,
    onTrace,
  }: { readonly person: PersonTraits; readonly onTrace: ((trace: PersonTrace) => void) | undefined },
): Json {
  return tokens.filter((token, index) => {
    const { holder, createdAt, expiresAt } = token as Readonly<Record<string, Json>>;
    const isTheirs = person.logins.some((login) => login.toLowerCase() === String(holder).toLowerCase());
    if (isTheirs)
      onTrace?.({
        kind: 'account',
        path: `${index}`,
        value: { holder: holder ?? null, createdAt: createdAt ?? null, expiresAt: expiresAt ?? null },
      });
    return !isTheirs;
  });
}
