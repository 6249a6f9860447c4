import type { AdapterPlatform } from '../custom/adapter-platform.ts';
import { createMemoryPlatform } from '../memory/create-memory-platform.ts';
import type { Platform } from '../platform.ts';
import type { CommentSource } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';

/**
 * The world that every fixture begins with. A factory makes it on its platform: the repository with these files on
 * its default branch, these accounts with these rights, and one open issue by alice without labels and comments.
 */
export const contractWorld = {
  repository: 'octo/hello',
  /** Owner of the repository, and what the others may do. */
  owner: 'octo',
  agent: 'agent',
  access: { agent: 'write', alice: 'write', bob: 'read' },
  files: {
    'README.md': '# Hello\n',
    'docs/説明 1.md': 'こんにちは 👋\n',
    'src/main.ts': 'export const answer = 42;\n',
    'src/data.bin': 'not\0text',
  },
  issue: { author: 'alice', title: 'Contract', body: 'Please keep it.' },
} as const;

/** Actions of people on the platform, by its own means and not through the adapter under test. */
export interface ContractPeople {
  readonly openIssue: (issue: {
    readonly author: string;
    readonly title: string;
    readonly body?: string;
    readonly labels?: readonly string[];
    readonly assignees?: readonly string[];
  }) => Promise<TaskKey>;
  readonly openPullRequest: (pull: {
    readonly author: string;
    readonly title: string;
    readonly headBranch: string;
  }) => Promise<TaskKey>;
  readonly closeThread: (key: TaskKey) => Promise<void>;
  /** As this login. Left out where nothing says who reopened. */
  readonly reopenThread?: (key: TaskKey, by: string) => Promise<void>;
  /** Gives back the comment's id. */
  readonly comment: (
    key: TaskKey,
    comment: { readonly author: string; readonly body: string },
  ) => Promise<string>;
  readonly editComment: (key: TaskKey, id: string, body: string) => Promise<void>;
  readonly deleteComment: (key: TaskKey, id: string) => Promise<void>;
  /** Comments that stand on the thread now, oldest first. */
  readonly commentsOn: (
    key: TaskKey,
  ) => Promise<readonly { readonly id: string; readonly author: string; readonly body: string }[]>;
  /** Puts an emoji on a comment, by the name that `reactionsOn` has for it. */
  readonly react: (
    key: TaskKey,
    reaction: { readonly commentId: string; readonly author: string; readonly name: string },
  ) => Promise<void>;
  /** The emoji on a comment, oldest first, by the platform's own names. */
  readonly reactionsOn: (
    key: TaskKey,
    commentId: string,
  ) => Promise<readonly { readonly author: string; readonly name: string }[]>;
  /** As this login; default: as somebody who may. */
  readonly addLabels: (key: TaskKey, labels: readonly string[], by?: string) => Promise<void>;
  /** Assigns an account by its login, as this login; default: as somebody who may. Left out where nothing says who assigned. */
  readonly assign?: (key: TaskKey, login: string, by?: string) => Promise<void>;
  /** As this login. Left out where the platform does not say who labeled: then it is not needed. */
  readonly editThread?: (
    key: TaskKey,
    change: { readonly title?: string; readonly body?: string; readonly by: string },
  ) => Promise<void>;
  /** Logins from which a review of this change request is requested. Left out where nobody is asked. */
  readonly reviewersOf?: (number: number) => Promise<readonly string[]>;
  readonly labelsOn: (key: TaskKey) => Promise<readonly string[]>;
  /** Makes a branch from the default branch with one more file on it. */
  readonly pushBranch: (name: string) => Promise<void>;
  /** Lets the platform's clock move on by at least that much. */
  readonly passTime: (seconds: number) => Promise<void>;
}

/** A hand on the listings of comments, for adapters that read them page by page. */
export interface ListingHand {
  /** Runs this once: when the first page of the next listing is read, before the second is asked for. */
  readonly afterFirstPage: (act: () => Promise<void>) => void;
  /** The next page is answered with a server's error instead. */
  readonly failNextPage: () => void;
}

/** A platform in the state of the contract world, and the people on it. `Made` is the platform that the adapter makes. */
export interface PlatformFixture<Made extends AdapterPlatform = Platform> {
  readonly platform: Made;
  /** The open issue of the contract world. */
  readonly key: TaskKey;
  /** The key of a thread that is not there. */
  readonly missingKey: TaskKey;
  /** The key of the change request with this number. */
  readonly keyOfChangeRequest: (number: number) => TaskKey;
  readonly people: ContractPeople;
  /** Left out where a listing is one answer: what should happen between two pages then happens before it. */
  readonly listing?: ListingHand | undefined;
}

/** Fixture that the suite of one port needs. */
export interface PortFixture<Port, Doing extends keyof ContractPeople> {
  /** A fresh port on the issue of the contract world, as another process would have it. */
  readonly open: (key?: TaskKey) => Port;
  readonly key: TaskKey;
  readonly people: Pick<ContractPeople, Doing>;
}

/** Fixture that the suite of `CommentSource` needs. */
export type CommentSourceFixture = PortFixture<
  CommentSource,
  'comment' | 'editComment' | 'deleteComment' | 'commentsOn' | 'addLabels' | 'passTime'
> & { readonly listing?: ListingHand | undefined };

/** The contract world on the platform in memory: the fixture to read first, and one to wrap for tests of one's own. */
export async function createMemoryFixture(): Promise<PlatformFixture & { close: () => Promise<void> }> {
  let time = Date.parse('2026-01-02T03:04:05Z');
  const { repository, access, files, agent, issue } = contractWorld;
  const platform = createMemoryPlatform({
    agent,
    now: () => new Date(time),
    repositories: [
      { path: repository, access, files: { ...files, 'src/data.bin': new Uint8Array([0, 255]) } },
    ],
  });
  const { people } = platform;
  const key = people.openIssue(issue);
  return {
    platform,
    key,
    missingKey: { ...key, number: 999 },
    keyOfChangeRequest: (number) => ({ ...key, type: 'github_pull_request', number }),
    people: {
      openIssue: async (seed) => people.openIssue(seed),
      openPullRequest: async (seed) => people.openPullRequest(seed),
      closeThread: async (thread) => people.closeThread(thread),
      comment: async (thread, comment) => people.comment(thread, comment),
      editComment: async (thread, id, body) => people.editComment(thread, id, body),
      deleteComment: async (thread, id) => people.deleteComment(thread, id),
      commentsOn: async (thread) =>
        people.commentsOn(thread).map(({ id, author, body }) => ({ id, author: author?.login ?? '', body })),
      react: async (thread, reaction) => people.react(thread, reaction),
      reactionsOn: async (thread, commentId) => people.reactionsOn(thread, commentId),
      addLabels: async (thread, labels, by) =>
        people.setLabels(thread, [...people.labelsOn(thread), ...labels], by === undefined ? {} : { by }),
      reopenThread: async (thread, by) => people.reopenThread(thread, { by }),
      assign: async (thread, login, by) => people.assign(thread, [login], by === undefined ? {} : { by }),
      editThread: async (thread, change) => people.editThread(thread, change),
      reviewersOf: async (number) =>
        platform.reviewers.requested({ ...key, type: 'github_pull_request', number }),
      labelsOn: async (thread) => people.labelsOn(thread),
      pushBranch: async (name) => people.pushBranch(repository, { name, files: { 'new.txt': name } }),
      passTime: async (seconds) => {
        time += seconds * 1000;
      },
    },
    close: async () => undefined,
  };
}
