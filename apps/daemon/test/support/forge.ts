import type { SimulatedDelivery } from '@agent/simulators/github';

/** A thread as people on the forge see it. */
export interface ForgeThread {
  /** As the forge writes it: `#1`, and `!1` for a merge request. */
  readonly reference: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  /** Sorted by name. */
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  /** What people and the agent wrote, oldest first; without what the forge itself notes, and without status comments. */
  readonly comments: readonly ForgeComment[];
  /** The comments that runs keep while they last. */
  readonly statusComments: readonly ForgeComment[];
  readonly changeRequest: { readonly head: string; readonly base: string; readonly draft: boolean } | null;
}

export interface ForgeComment {
  readonly id: number;
  readonly createdAt: string;
  readonly author: string | null;
  readonly body: string;
  /** Who reacted with which of the forge's emoji, oldest first: `robot: eyes`. */
  readonly reactions: readonly string[];
}

export interface ForgeThreadSeed {
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly string[];
  /** Who puts them there. Default: somebody who may. */
  readonly labeledBy?: string;
  /** Default: alice. */
  readonly author?: string;
  readonly assignees?: readonly string[];
}

export interface ForgeChangeRequestSeed extends ForgeThreadSeed {
  readonly headBranch: string;
  /** Default `main`. */
  readonly baseBranch?: string;
  /** Committed to the head branch by its author. */
  readonly files: Readonly<Record<string, string>>;
}

/** A comment on a line of a change request. */
export interface ForgeLineComment {
  readonly author: string;
  readonly body: string;
  readonly path: string;
  readonly line: number;
}

/** Subject of a webhook: a comment, a label that was put on a thread, or a thread that was closed. */
export type ForgeNews =
  | { readonly commentId: string; readonly change: 'created' | 'edited' }
  | { readonly reference: string; readonly label: string }
  | { readonly reference: string; readonly change: 'closed' };

/** A further repository, whose issues alice opens. */
export interface ForgeRepository extends Pick<Forge, 'openIssue' | 'thread'> {}

export type ForgeName = 'github' | 'gitlab';

/** A simulated forge with one repository, its robot and its people, as stories need it: the same on every platform. */
export interface Forge {
  readonly name: ForgeName;
  /** What people call a request to take over a branch, in the two languages of comments. */
  readonly changeRequestWords: { readonly en: string; readonly ja: string };
  /** Base address. */
  readonly url: string;
  /** Variables with the robot's token. */
  readonly environment: Readonly<Record<string, string>>;
  /** The section of this forge in `platforms`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The `task_key` of an issue, as state files write it. */
  readonly taskKeyOf: (issue: number) => object;
  /** Alice opens it. */
  readonly openIssue: (seed: ForgeThreadSeed) => ForgeThread;
  /** Makes another repository beside the first, with the same people, and gives back its issues. */
  readonly addRepository: (path: string) => Promise<ForgeRepository>;
  /** Issues of the repository that has this path now. */
  readonly repositoryAt: (path: string) => ForgeRepository;
  /** Alice opens it, ready to be merged. */
  readonly openChangeRequest: (seed: ForgeChangeRequestSeed) => Promise<ForgeThread>;
  /** Bob opens it, from a fork of his own that nobody else may read. */
  readonly openFromFork: (seed: ForgeChangeRequestSeed) => Promise<ForgeThread>;
  /** @returns the comment's id */
  readonly comment: (
    reference: string,
    comment: { readonly author: string; readonly body: string },
  ) => string;
  readonly editComment: (id: string, body: string) => void;
  readonly deleteComment: (id: string) => void;
  /** The account reacts to a comment of an issue with 👍. */
  readonly approveComment: (reference: string, id: string, login: string) => Promise<void>;
  /** Somebody drops a picture into a text. @returns the link that stands there */
  readonly upload: (content: Buffer) => string;
  /** Number of requests for what was dropped. */
  readonly uploadsRead: () => number;
  /** What the account wrote stays, by nobody. */
  readonly deleteUser: (login: string) => void;
  readonly thread: (reference: string) => ForgeThread;
  readonly threads: () => readonly ForgeThread[];
  /** Pull or merge requests, oldest first. */
  readonly changeRequests: () => readonly ForgeThread[];
  /** As `by`; default: as somebody who may. */
  readonly addLabels: (reference: string, labels: readonly string[], by?: string) => void;
  /** As somebody who may. */
  readonly removeLabel: (reference: string, label: string) => void;
  /** Edits title and text, as `by`. */
  readonly editThread: (
    reference: string,
    change: { readonly title?: string; readonly body?: string; readonly by: string },
  ) => void;
  /** Replaces whoever is assigned; nobody when left out. As `by`; default: as somebody who may. */
  readonly assign: (reference: string, login?: string, by?: string) => void;
  /** Opens a review thread on a line of a change request. */
  readonly reviewLine: (reference: string, comment: ForgeLineComment) => Promise<void>;
  /** Review threads of a change request, oldest first, each with its comments. */
  readonly reviewThreads: (
    reference: string,
  ) => readonly (readonly { readonly author: string; readonly body: string }[])[];
  readonly close: (reference: string) => void;
  readonly reopen: (reference: string, by: string) => void;
  readonly merge: (reference: string) => void;
  /** Logins from which a review of a pull or merge request is requested. */
  readonly reviewersOf: (reference: string) => readonly string[];
  readonly removeReviewer: (reference: string, login: string) => void;
  readonly deleteThread: (reference: string) => void;
  /** The next request for this thread itself gets a 401, which no client tries again. */
  readonly refuseToRead: (reference: string) => void;
  /** From now on, requests to react to a comment fail, or get no answer in the time of a test. */
  readonly failReactions: (kind: 'server-error' | 'unauthorized' | 'slow') => void;
  /** Requests to react to a comment so far. */
  readonly reactionCount: () => number;
  /** How often lists of threads were asked for. */
  readonly pollCount: () => number;
  /** From now on, requests for lists of threads get a 401. */
  readonly refuseToList: () => void;
  /** Makes a token of the robot's that may not write on threads. @returns the variables with it */
  readonly addWeakToken: () => Readonly<Record<string, string>>;
  /** Lets nobody push to the branch. */
  readonly protectBranch: (branch: string) => Promise<void>;
  /** Names of all branches, sorted. */
  readonly branches: () => Promise<readonly string[]>;
  readonly readFile: (branch: string, path: string) => Promise<string>;
  /** Who wrote the commits that the branch has and `main` has not, newest first. */
  readonly authorsOf: (branch: string) => Promise<readonly string[]>;
  /** First lines of those commits. */
  readonly subjectsOf: (branch: string) => Promise<readonly string[]>;
  /** What the forge would post to a webhook with this secret. */
  readonly composeDelivery: (news: ForgeNews, secret: string) => SimulatedDelivery;
  /** The repository on disk. */
  readonly gitDirectory: string;
  readonly shutDown: () => Promise<void>;
}

/** The repository that every forge has. */
export const repository = 'acme/shop';

export interface ForgeOptions {
  /** False: the robot may write on threads but not push. Default true. */
  readonly robotMayPush?: boolean | undefined;
  /** Null: a repository without any commit. */
  readonly files: Readonly<Record<string, string>> | null;
  /** Told of every request (`POST /path`) when its effect is done; the answer waits for it. */
  readonly onRequest?: ((label: string) => void | Promise<void>) | undefined;
  /** The forge's clock, in milliseconds since the epoch. Default: the real one. */
  readonly now?: (() => number) | undefined;
}
