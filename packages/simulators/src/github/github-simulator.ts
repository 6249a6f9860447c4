import type { SimulatedRequest } from '../shared/http/exchange.ts';
import { commonFailureKinds, type DemandedFailure } from '../shared/http/failures.ts';
import type { SimulatorOptions } from '../shared/simulator-options.ts';
import type { SimulatedDelivery } from '../shared/webhook-delivery.ts';
import type { SimulatedApps } from './apps/app-controls.ts';
import type { SimulatedCi } from './checks/ci-controls.ts';
import type { SimulatedReviews } from './reviews/review-controls.ts';
import type {
  SimulatedCommentSeed,
  SimulatedIssueSeed,
  SimulatedPullRequestSeed,
  SimulatedPushSeed,
  SimulatedRepositorySeed,
  SimulatedTokenSeed,
  SimulatedUserSeed,
} from './seeds.ts';
import type { SimulatedHappening } from './webhooks/happening.ts';

/**
 * A GitHub on loopback: REST over HTTP and git over HTTP, from state in memory and bare repositories on disk.
 * The real Octokit and the real git talk to it. What the real GitHub would refuse is refused, with its status and words.
 *
 * Good to know: links to further pages name the repository by its id (`/repositories/{id}/…`), as GitHub's do; a
 * search for issues must say `is:issue` or `is:pull-request`; labeling and assigning leave `updated_at` alone; the
 * secondary limits hold (900 points and 80 creations a minute), see `secondaryLimits`.
 */
export interface GitHubSimulator {
  /** REST base URL, e.g. `http://127.0.0.1:41234`; git is below it at `/{owner}/{repo}.git`. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly SimulatedRequest[];
  /** Adds a user (or a bot, or an organization's repository owner). */
  readonly addUser: (user: SimulatedUserSeed) => void;
  /** Deletes an account and its tokens. What it wrote stays, by the user `ghost` or by nobody (`as: 'null'`). */
  readonly deleteUser: (login: string, shown?: { readonly as: 'ghost' | 'null' }) => void;
  /** Accepts this token as that user's, in `Authorization: Bearer|token` and as a git password. */
  readonly addToken: (token: SimulatedTokenSeed) => void;
  /** The token gets 401 from now on. */
  readonly revokeToken: (token: string) => void;
  /** Makes the repository with one commit of `files` on `main`; `files: null` makes it without any commit. */
  readonly addRepository: (repository: SimulatedRepositorySeed) => Promise<void>;
  /** Deletes a repository; pull requests from a deleted fork have no head repository any more. */
  readonly deleteRepository: (repo: string) => void;
  /** Renames or transfers: reading by the former name is redirected to the id, git is led on. */
  readonly moveRepository: (repo: string, to: string) => Promise<void>;
  /** An archived repository takes no write (403), and no push. */
  readonly changeRepository: (
    repo: string,
    change: { readonly archived?: boolean; readonly disabled?: boolean },
  ) => void;
  /** People without write access, and Apps, get 403 for comments on a locked thread. */
  readonly lockThread: (repo: string, number: number, options?: { readonly locked?: boolean }) => void;
  /** Pushes to this branch are rejected from now on (GH006). */
  readonly protectBranch: (repo: string, branch: string) => Promise<void>;
  /** Pushes to branches that match this pattern (`*`, `agent/*`) are rejected from now on (GH013), with these rules. */
  readonly setRuleset: (
    repo: string,
    ruleset: { readonly branches: string; readonly rules: readonly string[] },
  ) => Promise<void>;
  /**
   * People's doings. Each behaves as the REST call would: text, comments and state bump `updated_at`, labels and
   * assignees do not. The labels and assignees of a seed are set as by the owner, whoever the author is.
   */
  readonly openIssue: (issue: SimulatedIssueSeed) => SimulatedThread;
  readonly openPullRequest: (pull: SimulatedPullRequestSeed) => Promise<SimulatedThread>;
  readonly comment: (comment: SimulatedCommentSeed) => SimulatedComment;
  /** As `by`; default: as its author. */
  readonly editComment: (repo: string, id: number, body: string, options?: { readonly by?: string }) => void;
  readonly deleteComment: (repo: string, id: number) => void;
  /**
   * Hides a comment; `updated_at` stays.
   * @see https://docs.github.com/en/graphql/reference/mutations#minimizecomment
   */
  readonly minimizeComment: (
    repo: string,
    id: number,
    reason: 'spam' | 'abuse' | 'off-topic' | 'outdated' | 'duplicate' | 'resolved' | 'low-quality',
  ) => void;
  /** Somebody drops a file into a text of the repository; returns its address, for `![](…)` or `<img src>`. */
  readonly upload: (file: { readonly repo: string; readonly content: Buffer }) => string;
  /** The thread as it stands now. `repo` is `owner/name`. */
  readonly thread: (repo: string, number: number) => SimulatedThread;
  /** Numbers of all threads of a repository, ascending. */
  readonly threads: (repo: string) => readonly SimulatedThread[];
  /** As `by`; default: as the owner of the repository. */
  readonly addLabels: (
    repo: string,
    number: number,
    labels: readonly string[],
    options?: { readonly by?: string },
  ) => void;
  readonly removeLabel: (
    repo: string,
    number: number,
    label: string,
    options?: { readonly by?: string },
  ) => void;
  /** As `by`; default: as the owner of the repository. */
  readonly assign: (
    repo: string,
    number: number,
    logins: readonly string[],
    options?: { readonly by?: string },
  ) => void;
  readonly unassign: (repo: string, number: number, logins: readonly string[]) => void;
  /** Edits title or body, as `by`; default: as its author. */
  readonly editThread: (
    repo: string,
    number: number,
    change: { readonly title?: string; readonly body?: string | null; readonly by?: string },
  ) => void;
  /** Reviews, and comments on lines. */
  readonly reviews: SimulatedReviews;
  /** Checks of commits, and which of them a branch requires. */
  readonly ci: SimulatedCi;
  /** GitHub Apps and their installations. */
  readonly apps: SimulatedApps;
  /** Somebody pushes a commit to a branch; returns its id. Pull requests are brought up to date. */
  readonly push: (push: SimulatedPushSeed) => Promise<string>;
  /** Closes as the repository's owner; with `merged` it merges the pull request in git too. */
  readonly closeThread: (repo: string, number: number, options?: { readonly merged?: boolean }) => void;
  /** As `by`; default: as the repository's owner. */
  readonly reopenThread: (repo: string, number: number, options?: { readonly by?: string }) => void;
  /** Deletes an issue: reading it answers 410 from now on. */
  readonly deleteThread: (repo: string, number: number) => void;
  /** Makes an issue a sub-issue of another one of its repository. */
  readonly setParent: (repo: string, number: number, parent: number) => void;
  /** Transfers an issue to another repository; returns its number there. Reading it by its former number is redirected. */
  readonly transferIssue: (repo: string, number: number, to: string) => number;
  /** Renames the default branch; its old name is gone. */
  readonly renameDefaultBranch: (repo: string, name: string) => void;
  /** Adds a pull request to the merge queue of its base branch, until its head moves. */
  readonly addToMergeQueue: (repo: string, number: number) => void;
  /** Composes what GitHub would post to a webhook with this secret about something that happened; posting it is the caller's. */
  readonly composeDelivery: (happening: SimulatedHappening, secret: string) => SimulatedDelivery;
  /** Path of the bare repository on disk, for assertions with git. */
  readonly gitDirectory: (repo: string) => string;
  /** The next requests that match get this instead of an answer. */
  readonly fail: (failure: SimulatedFailure) => void;
  /** Primary limit per token and hour (default 5,000) from now on, and how much of it is left. */
  readonly setRateLimit: (limit: { readonly limit: number; readonly remaining: number }) => void;
  readonly close: () => Promise<void>;
}

/** Options of a simulator; each has a default. */
export interface GitHubSimulatorOptions extends SimulatorOptions {
  /** Default: 900 points and 80 content creations a minute, 500 an hour. Raise them for tests of many tasks at once. */
  readonly secondaryLimits?: {
    readonly pointsPerMinute?: number;
    readonly contentPerMinute?: number;
    readonly contentPerHour?: number;
  };
  /** Longest body of an issue or a comment; default 65,536 characters. */
  readonly maxBodyCharacters?: number;
  /** Entries after which a tree's listing is `truncated`; default 100,000. */
  readonly maxTreeEntries?: number;
  /** Milliseconds of the server's clock after a move in which `mergeable` is null; default 0. */
  readonly mergeabilityMs?: number;
}

/** A comment as it stands now; `author` is null when the account was deleted. */
export interface SimulatedComment {
  readonly id: number;
  readonly author: string | null;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Oldest first. */
  readonly reactions: readonly { readonly author: string; readonly content: string }[];
}

/** An issue or a pull request as it stands now. */
export interface SimulatedThread {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly state: 'open' | 'closed';
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly comments: readonly SimulatedComment[];
  readonly pullRequest: {
    readonly head: string;
    readonly base: string;
    readonly draft: boolean;
    readonly merged: boolean;
  } | null;
}

/** Kinds of failure that GitHub has. */
export const gitHubFailureKinds = [
  ...commonFailureKinds,
  'primary-limit',
  'secondary-limit',
  /** 403: the repository is archived. */
  'archived',
  /** 403: the thread is locked. */
  'locked',
  /** 403: the token is not authorized for single sign-on. */
  'sso-required',
  /** 422: too much was created in a short time. */
  'submitted-too-quickly',
] as const;

/** A failure on demand: its kind, the requests that it befalls, and how often. */
export type SimulatedFailure = DemandedFailure<(typeof gitHubFailureKinds)[number]>;
