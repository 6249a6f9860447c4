import type { Locale } from '@agent/text';
import { checkOptions, type ExpectationsOf, expected, expectList, expectOneOf } from '@agent/text/options';
import type { Platform } from '../platform.ts';
import { PlatformError } from '../platform-error.ts';
import type { AccessLevel, PlatformThread } from '../ports.ts';
import { createMemoryHistory, createMemoryLabelEvents } from './memory-history.ts';
import { createMemoryPeople, type MemoryPeople } from './memory-people.ts';
import {
  createMemoryChangeRequests,
  createMemoryRepositoryChanges,
  createMemoryRepositoryReader,
  createMemoryTasks,
} from './memory-repository.ts';
import { createMemoryReview } from './memory-review.ts';
import { createMemoryReviewers, type MemoryReviewers } from './memory-reviewers.ts';
import {
  accountOf,
  createMemoryCall,
  findMemoryThread,
  type MemoryFailure,
  type MemoryRepositorySeed,
  type MemoryState,
  pushMemoryBranch,
  requireMemoryKey,
} from './memory-state.ts';
import {
  createMemoryAssignees,
  createMemoryComments,
  createMemoryLabels,
  createMemoryOwnComments,
  createMemoryPermissions,
  createMemoryReactions,
  createMemoryReader,
  createMemoryWriter,
  type MemoryThreadContext,
} from './memory-thread-ports.ts';

/** Content at the start; everything has a default. */
export interface MemorySeed {
  /** Default: `memory.invalid`. */
  readonly host?: string;
  /** Login of the agent; default `agent`. */
  readonly agent?: string;
  /** Default: one empty repository `octo/hello`. */
  readonly repositories?: readonly MemoryRepositorySeed[];
  /** The platform's clock; default the real one. */
  readonly now?: () => Date;
  /** True for threads without a repository to work in, where an answer is a comment alone. Default false. */
  readonly answersOnly?: boolean;
  /** Language of the note in a comment that had to be cut; default `en`. */
  readonly locale?: Locale;
}

const expectations: ExpectationsOf<MemorySeed> = {
  host: expected.text,
  agent: expected.text,
  repositories: expectList(expected.object),
  now: expected.function,
  answersOnly: expected.flag,
  locale: expectOneOf('en', 'ja'),
};

/** A platform that lives in this process. Its keys are of the types `github_issue` and `github_pull_request`. */
export interface MemoryPlatform extends Platform {
  readonly people: MemoryPeople;
  readonly reviewers: MemoryReviewers;
  readonly failNext: (failure: MemoryFailure) => void;
}

/**
 * Makes a platform in memory with every role of the ports: for tests, for examples, and as the plainest adapter
 * to read. It answers as GitHub does, down to cursors and unchanged listings.
 *
 * @example
 * const platform = createMemoryPlatform({ repositories: [{ path: 'octo/hello', files: { 'a.txt': 'a' } }] });
 * const key = platform.people.openIssue({ author: 'alice', title: 'Fix the sum' });
 * const { title } = await platform.openThread(key).reader.readThread();
 */
export function createMemoryPlatform(seed: MemorySeed = {}): MemoryPlatform {
  checkOptions('MemorySeed', seed, expectations);
  const { locale = 'en', answersOnly = false, repositories = [{ path: 'octo/hello', files: {} }] } = seed;
  const state = createState(seed);
  for (const repository of repositories) addRepository(state, repository);
  const failures: MemoryFailure[] = [];
  const call = createMemoryCall({ failures });
  return {
    name: 'memory',
    host: state.host,
    tasks: createMemoryTasks(state, call),
    identity: { whoAmI: (options = {}) => call('whoAmI', { ...options, answer: () => state.agent }) },
    accounts: {
      findAccount: (login, options = {}) =>
        call('findAccount', {
          ...options,
          answer: () => state.accounts.get(login.toLowerCase()) ?? null,
        }),
    },
    threads: {
      findThread: ({ path, number }, options = {}) =>
        call('findThread', { ...options, answer: () => findMemoryThread(state, { path, number }).key }),
    },
    openThread: (key, { onRequest } = {}) => ({
      ...openMemoryThread({
        state,
        key: requireMemoryKey(key),
        locale,
        call: createMemoryCall({ failures, onRequest }),
      }),
      ...(answersOnly ? { repository: null, changeRequests: null } : {}),
    }),
    openChanges: (key, { onRequest } = {}) =>
      createMemoryRepositoryChanges({
        state,
        key: requireMemoryKey(key),
        call: createMemoryCall({ failures, onRequest }),
      }),
    openReview: (key, { onRequest } = {}) =>
      createMemoryReview({
        state,
        key: requireMemoryKey(key),
        locale,
        call: createMemoryCall({ failures, onRequest }),
      }),
    people: createMemoryPeople(state),
    reviewers: createMemoryReviewers(state),
    failNext: (failure) => failures.push(failure),
  };
}

function openMemoryThread(context: MemoryThreadContext): PlatformThread {
  return {
    key: context.key,
    reader: createMemoryReader(context),
    comments: createMemoryComments(context),
    writer: createMemoryWriter(context),
    ownComments: createMemoryOwnComments(context),
    reactions: createMemoryReactions(context),
    labels: createMemoryLabels(context),
    labelEvents: createMemoryLabelEvents(context),
    history: createMemoryHistory(context),
    assignees: createMemoryAssignees(context),
    permissions: createMemoryPermissions(context),
    repository: createMemoryRepositoryReader(context),
    changeRequests: createMemoryChangeRequests(context),
  };
}

function createState({
  host = 'memory.invalid',
  agent = 'agent',
  now = () => new Date(),
}: MemorySeed): MemoryState {
  let lastId = 1000;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  const account = { id: String(nextId()), login: agent, kind: 'bot' } as const;
  return {
    host,
    agent: account,
    nextId,
    time: () =>
      now()
        .toISOString()
        .replace(/\.\d+Z$/u, 'Z'),
    accounts: new Map([[agent.toLowerCase(), account]]),
    repositories: new Map(),
  };
}

function addRepository(state: MemoryState, seed: MemoryRepositorySeed): void {
  const { path, files = {}, defaultBranch = 'main', private: hidden = false, access = {} } = seed;
  const [owner = '', repo = '', ...rest] = path.split('/');
  if (owner === '' || repo === '' || rest.length > 0) {
    throw new PlatformError(`${JSON.stringify(path)} is not a repository: write owner/repo.`, {
      code: 'invalid',
    });
  }
  const repository = {
    path,
    private: hidden,
    defaultBranch,
    branches: new Map(),
    labels: new Set<string>(),
    access: new Map<string, AccessLevel>([[state.agent.id, 'write']]),
    threads: [],
  };
  repository.access.set(accountOf(state, owner).id, 'admin');
  for (const [login, level] of Object.entries(access))
    repository.access.set(accountOf(state, login).id, level);
  if (files !== null) pushMemoryBranch(state, repository, { name: defaultBranch, files });
  state.repositories.set(path.toLowerCase(), repository);
}
