import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkOptions, checkValue, expected } from '@agent/text/options';
import { translated } from '../context-store-error.ts';
import { leadsSomewhere, privateDirectory, readFileIfThere, replaceFile } from '../disk/files.ts';
import { listNames } from '../disk/run-directories.ts';
import { placesExpectations } from '../places.ts';
import { isUuid, requireUuid } from '../storage-names.ts';

/** Request of another process to a run; `retry` is for one that has failed, `settle` for one that has ended and whose outbox is open. */
export type ControlVerb = 'pause' | 'stop' | 'resume' | 'retry' | 'settle';

interface PendingControl {
  readonly uuid: string;
  readonly verb: ControlVerb;
  /** Name of whoever asked, where they said it; else null. */
  readonly by: string | null;
}

/** Options of `RunControls.request`. */
export interface ControlOptions {
  /** Name of whoever asks, for people. Default nobody's. */
  readonly by?: string | undefined;
}

/** Requests to runs from outside their process, as files: `control/{uuid}.{verb}`. @see decision X16 */
export interface RunControls {
  /** Asks; needs no lock. A pause takes back a resume that nobody has obeyed yet, and the other way round. */
  readonly request: (uuid: string, verb: ControlVerb, options?: ControlOptions) => Promise<void>;
  /** Reads the requests to one run; each stays until it is removed. */
  readonly read: (uuid: string) => Promise<readonly ControlVerb[]>;
  /** Lists the requests to all runs. */
  readonly list: () => Promise<readonly PendingControl[]>;
  /** Removes what was obeyed, or can no longer be; only these verbs, because others may have come since. */
  readonly remove: (uuid: string, verbs: readonly ControlVerb[]) => Promise<void>;
}

interface FileRunControlsOptions {
  /** The store's; the files lie in its `control/`. */
  readonly baseDirectory: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const verbs: readonly ControlVerb[] = ['pause', 'stop', 'resume', 'retry', 'settle'];

/** Tells whether a text is something that a run can be asked for. */
export function isControlVerb(text: string): text is ControlVerb {
  return verbs.some((verb) => verb === text);
}

/** Verb that each takes back; null for none. */
export const opposites = { pause: 'resume', resume: 'pause', stop: null, retry: null, settle: null } as const;

/**
 * Creates the controls of runs as files below `control/`.
 *
 * @example
 * const controls = createFileRunControls({ baseDirectory });
 * await controls.request(uuid, 'pause');
 */
export function createFileRunControls(options: FileRunControlsOptions): RunControls {
  const { baseDirectory: path } = placesExpectations;
  checkOptions('FileRunControlsOptions', options, { baseDirectory: path, now: expected.function }, [
    'baseDirectory',
  ]);
  const { now = Date.now } = options;
  const directory = join(resolve(options.baseDirectory), 'control');
  const toPath = (uuid: string, verb: ControlVerb) => join(directory, `${uuid}.${verb}`);

  async function request(uuid: string, verb: ControlVerb, { by }: ControlOptions = {}): Promise<void> {
    requireUuid(uuid);
    await mkdir(directory, { recursive: true, mode: privateDirectory });
    await replaceFile(toPath(uuid, verb), formatRequest(new Date(now()), toName(by)));
    const opposite = opposites[verb];
    if (opposite !== null) await rm(toPath(uuid, opposite), { force: true });
  }

  const listAsked = async () => (await listNames(directory)).flatMap((name) => parseControlName(name) ?? []);

  async function list(): Promise<readonly PendingControl[]> {
    const asked = await listAsked();
    return Promise.all(
      asked.map(async (one) => ({ ...one, by: await readName(toPath(one.uuid, one.verb)) })),
    );
  }

  async function read(uuid: string): Promise<readonly ControlVerb[]> {
    requireUuid(uuid);
    return (await listAsked()).filter((asked) => asked.uuid === uuid).map(({ verb }) => verb);
  }

  async function remove(uuid: string, obeyed: readonly ControlVerb[]): Promise<void> {
    requireUuid(uuid);
    for (const verb of obeyed) await rm(toPath(uuid, verb), { force: true });
  }

  return {
    request: (uuid, verb, asked) =>
      translated(request(uuid, verb, asked), `ask run ${uuid} to ${verb} in "${directory}"`),
    read: (uuid) => translated(read(uuid), `read what is asked of run ${uuid} in "${directory}"`),
    list: () => translated(list(), `list what is asked in "${directory}"`),
    remove: (uuid, obeyed) =>
      translated(remove(uuid, obeyed), `remove what was asked of run ${uuid} in "${directory}"`),
  };
}

const maxNameChars = 100;

/** A name as it is kept: one line; null for nobody's. */
export function toName(by: string | undefined): string | null {
  const name = (by ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return name === '' ? null : name.slice(0, maxNameChars).toWellFormed();
}

/** Begins the line that names who asked. */
const nameStart = 'by ';

const formatRequest = (at: Date, by: string | null): string =>
  `${at.toISOString()}\n${by === null ? '' : `${nameStart}${by}\n`}`;

/** Null where the file names nobody, or is gone by now. */
async function readName(path: string): Promise<string | null> {
  const lines = ((await readFileIfThere(path)) ?? '').split('\n');
  return lines.find((line) => line.startsWith(nameStart))?.slice(nameStart.length) ?? null;
}

/** Null for what is no control, such as a file in the making. */
export function parseControlName(name: string): Omit<PendingControl, 'by'> | null {
  const [uuid = '', ending, ...more] = name.split('.');
  const verb = verbs.find((candidate) => candidate === ending);
  if (verb === undefined || more.length > 0) return null;
  return isUuid(uuid) ? { uuid, verb } : null;
}

/** Pause of everything. */
export interface Pause {
  /** Milliseconds since 1970; null if it is unknown. */
  readonly at: number | null;
  /** User who paused it; null if it is unknown. */
  readonly by: string | null;
}

/** Signal that makes everything pause that works in a place. Nothing removes it by itself. */
export interface PauseSignal {
  /** Its place in words for people: a path. */
  readonly location: string;
  /** @throws {ContextStoreError} when it cannot be told: neither yes nor no */
  readonly isSet: () => Promise<boolean>;
  /** Tells who paused everything and when; null if there is no signal. */
  readonly read: () => Promise<Pause | null>;
  /** Leaves a signal that is there already as it is. */
  readonly set: (options?: ControlOptions) => Promise<void>;
  /** Lets everything go on; does nothing when there is no signal. */
  readonly clear: () => Promise<void>;
}

/**
 * Keeps the signal that makes everything on this host pause as a file that exists, whatever is in it.
 *
 * @example
 * const pauseSignal = createFilePauseSignal('./agent/contexts/pause_signal');
 * await pauseSignal.set();
 * @see spec PAUSE_RESUME
 */
export function createFilePauseSignal(
  path: string,
  options: Pick<FileRunControlsOptions, 'now'> = {},
): PauseSignal {
  checkValue('path', path, placesExpectations.baseDirectory);
  checkOptions('FilePauseSignalOptions', options, { now: expected.function });
  const { now = Date.now } = options;
  const write = async ({ by }: ControlOptions = {}) => {
    if (await leadsSomewhere(path)) return;
    await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
    await replaceFile(path, formatRequest(new Date(now()), toName(by)));
  };
  const read = async (): Promise<Pause | null> => {
    if (!(await leadsSomewhere(path))) return null;
    const at = Date.parse(((await readFileIfThere(path)) ?? '').split('\n')[0] ?? '');
    return { at: Number.isNaN(at) ? null : at, by: await readName(path) };
  };
  return {
    location: path,
    isSet: () => translated(leadsSomewhere(path), `look for the pause signal "${path}"`),
    read: () => translated(read(), `read the pause signal "${path}"`),
    set: (options) => translated(write(options), `write the pause signal "${path}"`),
    clear: () => translated(rm(path, { force: true }), `remove the pause signal "${path}"`),
  };
}
