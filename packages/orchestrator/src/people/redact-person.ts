import type { Json } from '@agent/run-store';
import { toPictureId } from '../pictures/run-pictures.ts';
import { listEnvelopes } from './list-envelopes.ts';

/** Stands for the name and the texts of a person who was erased. No platform allows it as a login. */
export const erasedMark = '[erased]';

/** What records of one host know a person by. */
export interface PersonTraits {
  /** Logins, without `@`; compared without case. */
  readonly logins: readonly string[];
  /** Ids of the accounts on the host. */
  readonly ids: readonly string[];
  /** Lines that the person wrote, wherever they are quoted. */
  readonly lines: readonly string[];
  /** Pictures in these texts, by the ids under which a run stores them. */
  readonly pictures: readonly string[];
}

/** Place in a record that names a person, or that the person wrote. */
export interface PersonTrace {
  /** `account`: the login, or the id with it. `text`: written by the person. `mention`: the lines of another text that name or quote the person. */
  readonly kind: 'account' | 'text' | 'mention';
  /** Keys down to the value, such as `data.observations.0`. */
  readonly path: string;
  readonly value: Json;
}

export interface RedactOptions {
  readonly person: PersonTraits;
  /** Name of the value in the state of a run. Default null: a line of the record. */
  readonly state?: string | null | undefined;
  /** Called for each place. Default nothing. */
  readonly onTrace?: ((trace: PersonTrace) => void) | undefined;
}

/** Texts of fewer characters are too common to be looked for in other texts. */
const shortestLine = 12;

/** Keys of values that programs compare, whatever they say. */
const structuralKeys = new Set([
  ...[
    'id',
    'uuid',
    'kind',
    'type',
    'status',
    'state',
    'revision',
    'role',
    'fact',
    'check',
    'hash',
    'timestamp',
  ],
  ...[
    'tool',
    'tool_name',
    'toolName',
    'toolCallId',
    'tool_call_id',
    'host',
    'task_key_text',
    'task_key_hash',
  ],
]);
const nameKeys =
  /^(?:login|user|username|author|actor|by|holder|target|reviewers?|assignees?|participants)$|_by$/;
const textKeys = new Set(['body', 'title', 'text', 'content']);

const picturesFolder = 'pictures/';
const pictureLine = /\[picture ([0-9a-f]{16}):/g;

type Fields = Readonly<Record<string, Json>>;

function isObject(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes a person from a value of JSON: the name, and what the person wrote. Keys and values that programs compare stay as they are. */
export function redactPerson(value: Json, options: RedactOptions): Json {
  const { person, state = null, onTrace } = options;
  if (state?.startsWith(picturesFolder) && person.pictures.includes(state.slice(picturesFolder.length))) {
    if (value !== '') onTrace?.({ kind: 'text', path: '', value: { picture: state } });
    return '';
  }
  return new PersonRedaction(options).visit(value, { path: [], key: '', isAuthored: false });
}

/** Tells whether a text is one of a person's logins. */
function isLogin(value: Json | undefined, { logins }: Pick<PersonTraits, 'logins'>): boolean {
  return typeof value === 'string' && logins.some((login) => login.toLowerCase() === value.toLowerCase());
}

/** Tells whether an object is the account of a person. */
export function isAccount(value: Json | undefined, person: Pick<PersonTraits, 'logins' | 'ids'>): boolean {
  if (!isObject(value) || typeof value.login !== 'string') return false;
  return isLogin(value.login, person) || (typeof value.id === 'string' && person.ids.includes(value.id));
}

/** Tells whether an object says that the person wrote it. */
export function isWrittenBy(value: Fields, person: Pick<PersonTraits, 'logins' | 'ids'>): boolean {
  const { author, user } = value;
  return [author, user].some((who) => isAccount(who, person) || isLogin(who, person));
}

/** Lists the texts of an object that a person wrote; also the title of a thread, which the facts of a run have. */
export function listTexts(value: Fields): readonly string[] {
  const own = [...textKeys].map((key) => value[key]);
  const title = isObject(value.extra) ? value.extra.title : undefined;
  return [...own, title].filter((text) => typeof text === 'string');
}

/** Splits a text into the lines by which quotes of it are found. */
export function toQuotedLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/^[\s>]+/, '').trim());
  return lines.filter(({ length }) => length >= shortestLine);
}

/** Lists the pictures of a person in a text that a model was shown. */
export function listPictures(text: string, person: Pick<PersonTraits, 'logins'>): readonly string[] {
  return listEnvelopes(text).flatMap(({ author, from, to }) =>
    isLogin(author, person) ? [...text.slice(from, to).matchAll(pictureLine)].map(([, id = '']) => id) : [],
  );
}

interface Place {
  readonly path: readonly string[];
  readonly key: string;
  /** True for what stands in an object that the person wrote. */
  readonly isAuthored: boolean;
}

class PersonRedaction {
  readonly #person: PersonTraits;
  readonly #onTrace: NonNullable<RedactOptions['onTrace']>;
  readonly #names: readonly RegExp[];

  constructor({ person, onTrace = () => {} }: RedactOptions) {
    this.#person = person;
    this.#onTrace = onTrace;
    this.#names = person.logins.map(toPattern);
  }

  visit(value: Json, place: Place): Json {
    if (typeof value === 'string') return this.#visitText(value, place);
    if (Array.isArray(value))
      return value.map((item: Json, index) =>
        this.visit(item, { ...place, path: [...place.path, `${index}`] }),
      );
    return isObject(value) ? this.#visitObject(value, place) : value;
  }

  #visitObject(value: Fields, { path }: Place): Json {
    if (isAccount(value, this.#person)) {
      this.#onTrace({ kind: 'account', path: path.join('.'), value });
      const entries = Object.entries(value).map(([name, child]) => {
        const isKept = typeof child !== 'string' || name === 'kind' || name === 'type';
        return [name, isKept ? child : erasedMark] as const;
      });
      return Object.fromEntries(entries);
    }
    const isAuthored = isWrittenBy(value, this.#person);
    if (isAuthored && listTexts(value).length > 0)
      this.#onTrace({ kind: 'text', path: path.join('.'), value: pickText(value) });
    // The facts of a run have the title of its thread beside the name of who opened it.
    const { pictures } = this.#person;
    const isTheirs = (name: string) => /^https?:/.test(name) && pictures.includes(toPictureId(name));
    const visited = Object.entries(value).flatMap(([name, child]) => {
      const below = { path: [...path, name], key: name, isAuthored };
      const isTitle = name === 'extra' && isAuthored && isObject(child) && typeof child.title === 'string';
      if (pictures.length > 0 && isTheirs(name)) return [];
      return [[name, this.visit(isTitle ? { ...child, title: erasedMark } : child, below)] as const];
    });
    return Object.fromEntries(visited);
  }

  #visitText(text: string, { path, key, isAuthored }: Place): string {
    if (nameKeys.test(key) && isLogin(text, this.#person)) {
      this.#onTrace({ kind: 'account', path: path.join('.'), value: text });
      return erasedMark;
    }
    if (isAuthored && textKeys.has(key)) return text === '' ? text : erasedMark;
    if (structuralKeys.has(key)) return text;
    const redacted = this.#redactProse(text);
    if (redacted !== text)
      this.#onTrace({ kind: 'mention', path: path.join('.'), value: listOtherLines(text, redacted) });
    return redacted;
  }

  /** A text without a space is a name of something, such as a branch or a path, unless it is a mention. */
  #redactProse(text: string): string {
    if (!/[\s@]/.test(text)) return text;
    const open = this.#emptyEnvelopes(text);
    const { lines } = this.#person;
    const unquoted = lines.reduce(
      (rest, line) => (rest.includes(line) ? rest.replaceAll(line, erasedMark) : rest),
      open,
    );
    return this.#names.reduce((rest, pattern) => rest.replace(pattern, erasedMark), unquoted);
  }

  #emptyEnvelopes(text: string): string {
    const own = listEnvelopes(text).filter(({ author }) => isLogin(author, this.#person));
    let [rest, at] = ['', 0];
    for (const { authorAt, author, from, to } of own) {
      const line = text.slice(authorAt + author.length, from);
      rest += `${text.slice(at, authorAt - 1)}${erasedMark}${line}${erasedMark}`;
      at = to;
    }
    return rest + text.slice(at);
  }
}

/** Finds a login in a text, with `@` or without; one of two letters only with it. A name before a slash is the owner of a repository. */
function toPattern(login: string): RegExp {
  const name = login.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const at = login.length < 3 ? '@' : '@?';
  return new RegExp(`(?<![\\w.-])${at}${name}(?![\\w-]|\\.\\w|/)`, 'gi');
}

const aboutKeys = ['id', 'created_at', 'updated_at', 'createdAt', 'url', 'kind', 'revision', ...textKeys];

/** The texts of an object with their place and time, without what else it has. */
function pickText(value: Fields): Json {
  const about = Object.entries(value).filter(
    ([name, child]) => aboutKeys.includes(name) && typeof child === 'string',
  );
  const title =
    isObject(value.extra) && typeof value.extra.title === 'string' ? { title: value.extra.title } : {};
  return { ...Object.fromEntries(about), ...title };
}

const maxLineChars = 500;

function listOtherLines(before: string, after: string): readonly string[] {
  const kept = new Set(after.split('\n'));
  return before.split('\n').flatMap((line) => (kept.has(line) ? [] : [line.slice(0, maxLineChars)]));
}

interface NoteChangeOptions {
  readonly login: string;
  /** Runs of other platforms: what the audit log says of these is about other people. */
  readonly others: ReadonlySet<string>;
}

/** Creates the function that takes a person out of the value of a note, and reports where it was named. */
export function createNoteChange({ login, others }: NoteChangeOptions) {
  const person = { logins: [login], ids: [], lines: [], pictures: [] };
  return (name: string, value: Json, onTrace?: (trace: PersonTrace) => void): Json => {
    if (name === tokensNote && Array.isArray(value)) return dropTokens(value, { person, onTrace });
    if (!name.startsWith('audit/') || !Array.isArray(value)) return redactPerson(value, { person, onTrace });
    return value.map((entry: Json, index) => {
      const { actor = '', via, run } = entry as Readonly<Record<string, Json>>;
      if (typeof run === 'string' && others.has(run)) return entry;
      let isNamed = false;
      const note = () => {
        isNamed = true;
      };
      // The actor of a command is an account of the system, whatever its name.
      const { actor: _, ...rest } = entry as Readonly<Record<string, Json>>;
      const redacted = redactPerson(via === 'cli' ? rest : entry, { person, onTrace: note });
      if (!isNamed) return entry;
      onTrace?.({ kind: 'account', path: `${index}`, value: entry });
      return via === 'cli' ? { ...(redacted as object), actor } : redacted;
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
