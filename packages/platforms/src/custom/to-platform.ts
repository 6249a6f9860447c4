import { PlatformError } from '../platform-error.ts';
import type { OpenThreadOptions, Platform, PlatformThread, RepositoryReader, TaskSummary } from '../ports.ts';

/** Document that tells an author what an adapter has to have. */
export const guide = 'docs/guides/write-an-adapter.md';

/** Account that writes our comments where an adapter does not say who we are. */
const neutralAccount = { id: 'agent-daemon', login: 'agent-daemon', kind: 'bot' } as const;

type Shape = Readonly<Record<string, unknown>>;

/** The roles of a thread and the functions of each; `null` in the port where it may be left out. */
const required = { reader: ['readThread'], comments: ['listComments'], writer: ['ensureComment'] } as const;
const optional = {
  labels: ['addLabel', 'removeLabel'],
  labelEvents: ['lastLabeled'],
  permissions: ['accessOf'],
  repository: ['describe'],
  changeRequests: ['listBranches', 'findChangeRequest', 'ensureDraft'],
  reactions: ['ensureReaction'],
} as const;

/** A role that a thread may lack. */
export type OptionalRole = keyof typeof optional;

/**
 * Takes what a module made for a platform: checks that the roles are there that a run cannot do without, and fills in
 * the others. Shapes are checked, not classes, so that an adapter need not know our packages.
 *
 * @throws PlatformError `invalid` that names everything that is missing
 */
export function toPlatform(value: unknown, { name }: { readonly name: string }): Platform {
  const made = toShape(value);
  const missing = [
    ...missingFunctions(made, 'tasks', ['listTasks']),
    ...(typeof made.openThread === 'function' ? [] : ['openThread']),
    ...(isAbsent(made.identity) ? [] : missingFunctions(made, 'identity', ['whoAmI'])),
    ...(isAbsent(made.accounts) ? [] : missingFunctions(made, 'accounts', ['findAccount'])),
  ];
  if (missing.length > 0) throw lacks(name, { what: 'its platform', missing });
  const platform = made as unknown as Platform;
  return {
    name,
    host: toHost(made.host, name),
    tasks: platform.tasks,
    identity: isAbsent(made.identity) ? { whoAmI: async () => neutralAccount } : platform.identity,
    ...(isAbsent(made.accounts) ? {} : { accounts: platform.accounts }),
    openThread: (key, options) => openChecked({ platform, name, key, options }),
  };
}

/** The roles that a thread of this platform lacks; null when no thread could be opened to see. */
export function listMissingRoles(platform: Platform): readonly OptionalRole[] | null {
  const key = { type: 'custom', platform: platform.name, project: 'probe', id: 'probe' } as const;
  let thread: PlatformThread;
  try {
    thread = platform.openThread(key);
  } catch (error) {
    if (isLack(error)) throw error;
    // It knows its own keys only, as it may: its threads are checked when they are opened.
    return null;
  }
  return Object.keys(optional).filter((role): role is OptionalRole => thread[role as OptionalRole] === null);
}

interface Opening {
  readonly platform: Platform;
  readonly name: string;
  readonly key: PlatformThread['key'];
  readonly options: OpenThreadOptions | undefined;
}

function openChecked({ platform, name, key, options }: Opening): PlatformThread {
  const made = toShape(platform.openThread(key, options));
  const present = Object.entries(optional).filter(([role]) => !isAbsent(made[role]));
  const missing = [...Object.entries(required), ...present].flatMap(([role, functions]) =>
    missingFunctions(made, role, functions),
  );
  if (missing.length > 0) throw lacks(name, { what: 'what openThread returned', missing });
  const thread = made as unknown as PlatformThread;
  return {
    key,
    reader: thread.reader,
    comments: thread.comments,
    writer: thread.writer,
    reactions: thread.reactions ?? null,
    labels: thread.labels ?? null,
    labelEvents: thread.labelEvents ?? null,
    permissions: thread.permissions ?? null,
    repository: thread.repository ? fillRepository(thread.repository, { name, tasks: platform.tasks }) : null,
    changeRequests: thread.changeRequests ?? null,
  };
}

function missingFunctions(made: Shape, role: string, functions: readonly string[]): readonly string[] {
  const port = toShape(made[role]);
  return functions.filter((one) => typeof port[one] !== 'function').map((one) => `${role}.${one}`);
}

function toShape(value: unknown): Shape {
  return typeof value === 'object' && value !== null ? (value as Shape) : {};
}

const isAbsent = (role: unknown) => role === null || role === undefined;

/** The host names directories and belongs to every task: letters, digits, dots and dashes. */
function toHost(host: unknown, name: string): string {
  if (isAbsent(host)) return name;
  if (typeof host === 'string' && /^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,199}$/u.test(host)) return host;
  throw new PlatformError(
    `The adapter of platforms.${name} gave ${JSON.stringify(host)} as its host: use letters, digits, dots and dashes, or leave it out.`,
    { code: 'invalid' },
  );
}

const lackMarker = Symbol('lack');

function lacks(name: string, { what, missing }: { what: string; missing: readonly string[] }): PlatformError {
  const error = new PlatformError(
    `The adapter of platforms.${name} lacks ${missing.join(', ')} in ${what}. ${guide} says what each is for.`,
    { code: 'invalid' },
  );
  return Object.defineProperty(error, lackMarker, { value: true });
}

function isLack(error: unknown): boolean {
  return typeof error === 'object' && error !== null && lackMarker in error;
}

const maxFound = 20;

/**
 * Only `describe` is needed to work in a repository. A search that an adapter does not have looks at the titles of all
 * threads; whoever asks for files hears that there are none to ask for.
 */
export function fillRepository(
  repository: Partial<RepositoryReader> & Pick<RepositoryReader, 'describe'>,
  { name, tasks }: Pick<Platform, 'name' | 'tasks'>,
): RepositoryReader {
  const without = (method: string) =>
    Promise.reject(
      new PlatformError(`The adapter of platforms.${name} has no repository.${method}.`, { code: 'invalid' }),
    );
  return {
    describe: (options) => repository.describe(options),
    listFiles: (options) => repository.listFiles?.(options) ?? without('listFiles'),
    readFile: (path, options) => repository.readFile?.(path, options) ?? without('readFile'),
    searchThreads: (query, options = {}) =>
      repository.searchThreads?.(query, options) ?? searchTitles(tasks, { query, signal: options.signal }),
  };
}

async function searchTitles(
  tasks: Platform['tasks'],
  { query, signal }: { readonly query: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly TaskSummary[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = await tasks.listTasks({ label: null, assignee: null, state: 'all', signal });
  const found = all.tasks.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return found.slice(0, maxFound);
}
