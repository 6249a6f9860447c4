import type { Platform } from '../platform.ts';
import { PlatformError } from '../platform-error.ts';
import type {
  OpenThreadOptions,
  PlatformThread,
  RepositoryChanges,
  RepositoryReader,
  TaskSummary,
} from '../ports.ts';
import { changesPort, type PortTable, platformPorts, threadPorts, type Whole } from './port-table.ts';

/** Document that tells an author what an adapter has to have. */
export const guide = 'docs/guides/write-an-adapter.md';

/** Account that writes our comments where an adapter does not say who we are. */
const neutralAccount = { id: 'agent-daemon', login: 'agent-daemon', kind: 'bot' } as const;

type Shape = Readonly<Record<string, unknown>>;

/** The roles that a thread has to have; `null` in the port where another one is left out. */
const required = ['reader', 'comments', 'writer'] as const;

/** A role that a thread may lack. */
export type OptionalRole = Exclude<keyof typeof threadPorts, (typeof required)[number]>;

const optionalRoles = Object.keys(threadPorts).filter(
  (role): role is OptionalRole => !required.some((one) => one === role),
);

/**
 * Takes what a module made for a platform: checks that the roles are there that a run cannot do without, and fills in
 * the others. Shapes are checked, not classes, so that an adapter need not know our packages.
 *
 * @throws PlatformError `invalid` that names everything that is missing
 */
export function toPlatform(value: unknown, { name }: { readonly name: string }): Platform {
  const made = toShape(value);
  const canList = isAbsent(made.openChanges) || typeof made.openChanges === 'function';
  const canLogIn = isAbsent(made.gitCredential) || typeof made.gitCredential === 'function';
  const missing = [
    ...missingFunctions(made, { tables: platformPorts, required: ['tasks'] }),
    ...(typeof made.openThread === 'function' ? [] : ['openThread']),
    ...(canList ? [] : ['openChanges']),
    ...(canLogIn ? [] : ['gitCredential']),
  ];
  if (missing.length > 0) throw lacks(name, { what: 'its platform', missing });
  const platform = made as unknown as Platform;
  return {
    name,
    host: toHost(made.host, name),
    tasks: platform.tasks,
    identity: platform.identity ?? { whoAmI: async () => neutralAccount },
    accounts: platform.accounts ?? undefined,
    openThread: (key, options) => openChecked({ platform, name, key, options }),
    openChanges: isAbsent(made.openChanges)
      ? undefined
      : (key, options) => openCheckedChanges({ platform, name, key, options }),
    gitCredential: isAbsent(made.gitCredential) ? undefined : platform.gitCredential?.bind(platform),
    // Reviews, checks and the time of a server are read on forges alone.
    serverNow: undefined,
    threads: undefined,
    repositories: undefined,
    repositoryLabels: undefined,
    openReview: undefined,
    openLineChanges: undefined,
    openRequestChanges: undefined,
    openPictures: undefined,
  } satisfies Whole<Platform>;
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
  return optionalRoles.filter((role) => isAbsent(thread[role]));
}

interface Opening {
  readonly platform: Platform;
  readonly name: string;
  readonly key: PlatformThread['key'];
  readonly options: OpenThreadOptions | undefined;
}

function openChecked({ platform, name, key, options }: Opening): PlatformThread {
  const made = toShape(platform.openThread(key, options));
  const missing = missingFunctions(made, { tables: threadPorts, required });
  if (missing.length > 0) throw lacks(name, { what: 'what openThread returned', missing });
  const roles = Object.keys(threadPorts).map((role) => [role, made[role] ?? null]);
  const thread: Omit<PlatformThread, 'key'> = Object.fromEntries(roles);
  const { repository } = thread;
  return {
    ...thread,
    key,
    repository: repository && fillRepository(repository, { name, tasks: platform.tasks }),
  };
}

function openCheckedChanges({ platform, name, key, options }: Opening): RepositoryChanges {
  const changes = platform.openChanges?.(key, options);
  const missing = missingFunctions({ changes }, { tables: { changes: changesPort }, required: ['changes'] });
  if (missing.length > 0) throw lacks(name, { what: 'what openChanges returned', missing });
  return changes as RepositoryChanges;
}

interface Ports {
  readonly tables: Readonly<Record<string, PortTable>>;
  readonly required: readonly string[];
}

/** Functions that the roles lack which are there or have to be, as `role.function`. */
function missingFunctions(made: Shape, { tables, required }: Ports): readonly string[] {
  return Object.entries(tables)
    .filter(([role]) => required.includes(role) || !isAbsent(made[role]))
    .flatMap(([role, table]) => {
      const port = toShape(made[role]);
      return Object.entries(table)
        .filter(
          ([name, { mayLack }]) => typeof port[name] !== 'function' && !(mayLack && isAbsent(port[name])),
        )
        .map(([name]) => `${role}.${name}`);
    });
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
