import type {
  ChangeRequests,
  LabelEditor,
  LabelEventReader,
  OpenThreadOptions,
  PermissionReader,
  Platform,
  PlatformThread,
  ReactionWriter,
  RepositoryReader,
} from '../ports.ts';
import {
  accessAnswer,
  accountAnswer,
  commentsAnswer,
  createListedCommentsReader,
  ensuredAnswer,
  type ListedCommentsOptions,
  labelEventAnswer,
  repositoryAnswer,
  tasksAnswer,
  threadAnswer,
  threadsAnswer,
} from './adapter-answers.ts';
import { createGuard, type Guard, type GuardOptions, toPlatformError } from './guarded-call.ts';

/** Name of an adapter, and the time that each of its calls may take. */
export interface WithTimeLimitOptions extends GuardOptions, Partial<Pick<ListedCommentsOptions, 'logger'>> {}

/** The same platform, every call of which ends in time and answers what the ports promise. */
export function withTimeLimit(platform: Platform, options: WithTimeLimitOptions): Platform {
  const { name, logger } = options;
  const guard = createGuard(options);
  const readComments = createListedCommentsReader({ name, logger });
  const { tasks, identity, accounts } = platform;
  return {
    name: platform.name,
    host: platform.host,
    tasks: {
      listTasks: async (query) => {
        const run = (call: typeof query) => tasks.listTasks(call);
        const found = await guard({ method: 'tasks.listTasks', options: query, run, answer: tasksAnswer });
        const failures = found.failures.map(({ place, error }) => ({
          place,
          error: toPlatformError(error, `The adapter of platforms.${name} could not list ${place}`),
        }));
        return { ...found, failures };
      },
    },
    identity: {
      whoAmI: (options = {}) =>
        guard({
          method: 'identity.whoAmI',
          options,
          run: (call) => identity.whoAmI(call),
          answer: accountAnswer,
        }),
    },
    ...(accounts === undefined
      ? {}
      : {
          accounts: {
            findAccount: (login, options = {}) =>
              guard({
                method: 'accounts.findAccount',
                options,
                run: (call) => accounts.findAccount(login, call),
                answer: accountAnswer.nullable(),
              }),
          },
        }),
    openThread: (key, opened) =>
      guardThread(openOrExplain(platform, { key, opened, name }), { guard, readComments }),
  };
}

interface Opening {
  readonly key: PlatformThread['key'];
  readonly opened: OpenThreadOptions | undefined;
  readonly name: string;
}

function openOrExplain(platform: Platform, { key, opened, name }: Opening): PlatformThread {
  try {
    return platform.openThread(key, opened);
  } catch (error) {
    throw toPlatformError(error, `The adapter of platforms.${name} failed in openThread`);
  }
}

function guardThread(
  thread: PlatformThread,
  { guard, readComments }: { guard: Guard; readComments: ReturnType<typeof createListedCommentsReader> },
): PlatformThread {
  const { reader, comments, writer } = thread;
  return {
    key: thread.key,
    reader: {
      readThread: (options = {}) =>
        guard({
          method: 'reader.readThread',
          options,
          run: (call) => reader.readThread(call),
          answer: threadAnswer,
        }),
    },
    comments: {
      listComments: async (look) => {
        const run = (call: typeof look) => comments.listComments(call);
        const call = { method: 'comments.listComments', options: look, run, answer: commentsAnswer };
        const listing = await guard(call);
        return { ...listing, comments: readComments(listing.comments) };
      },
    },
    writer: {
      ensureComment: (comment) => {
        const run = (call: typeof comment) => writer.ensureComment(call);
        return guard({ method: 'writer.ensureComment', options: comment, run, answer: ensuredAnswer });
      },
    },
    reactions: thread.reactions && guardReactions(thread.reactions, guard),
    labels: thread.labels && guardLabels(thread.labels, guard),
    labelEvents: thread.labelEvents && guardLabelEvents(thread.labelEvents, guard),
    permissions: thread.permissions && guardPermissions(thread.permissions, guard),
    repository: thread.repository && guardRepository(thread.repository, guard),
    changeRequests: thread.changeRequests && guardChangeRequests(thread.changeRequests, guard),
  };
}

function guardReactions(reactions: ReactionWriter, guard: Guard): ReactionWriter {
  return {
    ensureReaction: (reaction) =>
      guard({
        method: 'reactions.ensureReaction',
        options: reaction,
        run: (call) => reactions.ensureReaction(call),
      }),
  };
}

function guardLabels(labels: LabelEditor, guard: Guard): LabelEditor {
  return {
    addLabel: (name, options = {}) =>
      guard({ method: 'labels.addLabel', options, run: (call) => labels.addLabel(name, call) }),
    removeLabel: (name, options = {}) =>
      guard({ method: 'labels.removeLabel', options, run: (call) => labels.removeLabel(name, call) }),
  };
}

function guardLabelEvents(events: LabelEventReader, guard: Guard): LabelEventReader {
  return {
    lastLabeled: (name, options = {}) =>
      guard({
        method: 'labelEvents.lastLabeled',
        options,
        run: (call) => events.lastLabeled(name, call),
        answer: labelEventAnswer,
      }),
  };
}

function guardPermissions(permissions: PermissionReader, guard: Guard): PermissionReader {
  return {
    accessOf: (account, options = {}) =>
      guard({
        method: 'permissions.accessOf',
        options,
        run: (call) => permissions.accessOf(account, call),
        answer: accessAnswer,
      }),
  };
}

function guardRepository(repository: RepositoryReader, guard: Guard): RepositoryReader {
  return {
    describe: (options = {}) =>
      guard({
        method: 'repository.describe',
        options,
        run: (call) => repository.describe(call),
        answer: repositoryAnswer,
      }),
    listFiles: (options = {}) =>
      guard({ method: 'repository.listFiles', options, run: (call) => repository.listFiles(call) }),
    readFile: (path, options = {}) =>
      guard({ method: 'repository.readFile', options, run: (call) => repository.readFile(path, call) }),
    searchThreads: (query, options = {}) =>
      guard({
        method: 'repository.searchThreads',
        options,
        run: (call) => repository.searchThreads(query, call),
        answer: threadsAnswer,
      }),
  };
}

function guardChangeRequests(changes: ChangeRequests, guard: Guard): ChangeRequests {
  return {
    listBranches: (options) =>
      guard({ method: 'changeRequests.listBranches', options, run: (call) => changes.listBranches(call) }),
    findChangeRequest: (options) =>
      guard({
        method: 'changeRequests.findChangeRequest',
        options,
        run: (call) => changes.findChangeRequest(call),
      }),
    ensureDraft: (draft) =>
      guard({
        method: 'changeRequests.ensureDraft',
        options: draft,
        run: (call) => changes.ensureDraft(call),
      }),
  };
}
