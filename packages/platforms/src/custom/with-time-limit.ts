import type { Platform } from '../platform.ts';
import type {
  CallOptions,
  CommentSource,
  PlatformThread,
  RepositoryChanges,
  TaskFinder,
  ThreadReader,
} from '../ports.ts';
import { createListedCommentsReader, type ListedCommentsOptions } from './adapter-answers.ts';
import { createGuard, type Guard, type GuardOptions, toPlatformError } from './guarded-call.ts';
import {
  changesPort,
  credentialPort,
  type PortTable,
  platformPorts,
  threadPorts,
  type Whole,
} from './port-table.ts';

/** Name of an adapter, and the time that each of its calls may take. */
export interface WithTimeLimitOptions extends GuardOptions, Partial<Pick<ListedCommentsOptions, 'logger'>> {}

/** The same platform, every call of which ends in time and answers what the ports promise. */
export function withTimeLimit(platform: Platform, options: WithTimeLimitOptions): Platform {
  const { name, logger } = options;
  const guard = createGuard(options);
  const readComments = createListedCommentsReader({ name, logger });
  const { tasks, ...roles } = guardRoles(platform, { tables: platformPorts, guard });
  const { openChanges } = platform;
  const login = platform.gitCredential && { gitCredential: platform.gitCredential };
  return {
    name: platform.name,
    host: platform.host,
    ...roles,
    tasks: withPlatformErrors(tasks, name),
    openThread: (key, opened) => {
      const thread = openOrExplain('openThread', { name, open: () => platform.openThread(key, opened) });
      const { comments, reader, ...ports } = guardRoles(thread, { tables: threadPorts, guard });
      return {
        key: thread.key,
        ...ports,
        reader: withReadComment(reader, readComments),
        comments: withReadComments(comments, readComments),
      } satisfies Whole<PlatformThread>;
    },
    openChanges:
      openChanges &&
      ((key, opened) => {
        const changes = openOrExplain('openChanges', { name, open: () => openChanges(key, opened) });
        return guardChanges(changes, { guard, readComments });
      }),
    gitCredential:
      login && guardPort(login, { role: 'platform', table: credentialPort, guard }).gitCredential,
    // Reviews, checks and the time of a server are read on forges alone.
    serverNow: undefined,
    repositories: undefined,
    threads: undefined,
    repositoryLabels: undefined,
    openReview: undefined,
    openLineChanges: undefined,
    openRequestChanges: undefined,
    openPictures: undefined,
  } satisfies Whole<Platform>;
}

function openOrExplain<Opened>(
  method: string,
  { name, open }: { readonly name: string; readonly open: () => Opened },
): Opened {
  try {
    return open();
  } catch (error) {
    throw toPlatformError(error, `The adapter of platforms.${name} failed in ${method}`);
  }
}

type ReadComments = ReturnType<typeof createListedCommentsReader>;

function withReadComment({ readThread, getComment }: ThreadReader, readComments: ReadComments): ThreadReader {
  if (getComment === undefined) return { readThread };
  return {
    readThread,
    getComment: async (id, options) => {
      const comment = await getComment(id, options);
      return comment === null ? null : (readComments([comment])[0] ?? null);
    },
  };
}

function withReadComments({ listComments }: CommentSource, readComments: ReadComments): CommentSource {
  return {
    listComments: async (options) => {
      const listing = await listComments(options);
      return { ...listing, comments: readComments(listing.comments) };
    },
  };
}

function guardChanges(
  changes: RepositoryChanges,
  { guard, readComments }: { readonly guard: Guard; readonly readComments: ReadComments },
): RepositoryChanges {
  const { listChanges } = guardPort(changes, { role: 'openChanges', table: changesPort, guard });
  return {
    listChanges: async (options) => {
      const listing = await listChanges(options);
      const read = listing.changes.map((change) => {
        // One that cannot be read is a sign of life still: its thread is polled.
        const [comment = null] = change.comment === null ? [] : readComments([change.comment]);
        return { ...change, comment };
      });
      return { ...listing, changes: read };
    },
  } satisfies Whole<RepositoryChanges>;
}

function withPlatformErrors({ listTasks }: TaskFinder, name: string): TaskFinder {
  return {
    listTasks: async (query) => {
      const found = await listTasks(query);
      const failures = found.failures.map(({ place, error }) => ({
        place,
        error: toPlatformError(error, `The adapter of platforms.${name} could not list ${place}`),
      }));
      return { ...found, failures };
    },
  };
}

/** The roles that the tables name, those that are not there as they are. */
function guardRoles<Roles extends object, Tables extends Readonly<Record<string, PortTable>>>(
  made: Roles,
  { tables, guard }: { readonly tables: Tables; readonly guard: Guard },
): Pick<Whole<Roles>, keyof Roles & keyof Tables> {
  const roles = Object.entries(tables).map(([role, table]) => {
    const port = made[role as keyof Roles];
    return [role, port && guardPort(port, { role, table, guard })];
  });
  return Object.fromEntries(roles);
}

type PortCall = (...given: unknown[]) => Promise<unknown>;

/** The functions that the table names, each with its guard; those that an adapter may lack where it has them. */
function guardPort<Port extends object>(
  port: Port,
  { role, table, guard }: { readonly role: string; readonly table: PortTable; readonly guard: Guard },
): Port {
  const calls = port as Readonly<Record<string, PortCall | undefined>>;
  const guarded = Object.entries(table)
    .filter(([name]) => typeof calls[name] === 'function')
    .map(([name, { subjects, answer }]) => {
      const guardedCall: PortCall = (...given) =>
        guard({
          method: `${role}.${name}`,
          options: (given[subjects] ?? {}) as CallOptions,
          // Through its port: an adapter may be an object of a class.
          run: (options) => (calls[name] as PortCall).call(port, ...given.slice(0, subjects), options),
          answer: answer ?? undefined,
        });
      return [name, guardedCall];
    });
  return Object.fromEntries(guarded);
}
