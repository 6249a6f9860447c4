import type { SimulatedRequest } from '../shared/http/exchange.ts';
import { commonFailureKinds, type DemandedFailure } from '../shared/http/failures.ts';
import type { SimulatorOptions } from '../shared/simulator-options.ts';
import type { SimulatedDelivery } from '../shared/webhook-delivery.ts';
import type { SimulatedGitLabCi } from './ci/ci-controls.ts';
import type { SimulatedGitLabReviews } from './reviews/review-controls.ts';
import type {
  SimulatedAccessLevel,
  SimulatedAccessTokenSeed,
  SimulatedGitLabIssueSeed,
  SimulatedGitLabPushSeed,
  SimulatedGitLabTokenSeed,
  SimulatedGitLabUserSeed,
  SimulatedMergeRequestSeed,
  SimulatedNoteSeed,
  SimulatedProjectSeed,
  SimulatedReference,
} from './seeds.ts';
import type { SimulatedGitLabHappening } from './webhooks/happening.ts';

/**
 * A GitLab on loopback: REST v4 over HTTP and git over HTTP, from state in memory and bare repositories on disk.
 * The real gitbeaker and the real git talk to it. What the real GitLab would refuse is refused, with its status and words.
 *
 * Good to know: issues and merge requests are numbered apart; labels and states leave no notes (they are resource
 * events), assignees, titles and descriptions do; a comment bumps its thread's `updated_at` at most once a minute; lines
 * of a note that begin with a quick action (`/close`) are carried out and cut out; the default branch is protected;
 * the free tier knows one assignee.
 */
export interface GitLabSimulator {
  /** Base address, e.g. `http://127.0.0.1:41234`; REST is below it at `/api/v4`, git at `/{group}/{project}.git`. */
  readonly url: string;
  /** Every request so far, oldest first; `login` is the username. */
  readonly requests: readonly SimulatedRequest[];
  /** Adds a user; answers with its id. */
  readonly addUser: (user: SimulatedGitLabUserSeed) => number;
  /** Deletes an account and its tokens; what it wrote is by the user `ghost` from now on. */
  readonly deleteUser: (username: string) => void;
  /** Accepts this token as that user's: `PRIVATE-TOKEN`, `Authorization: Bearer`, and as a git password. */
  readonly addToken: (token: SimulatedGitLabTokenSeed) => void;
  /** Makes the token of a project or a group, and its bot. */
  readonly addAccessToken: (token: SimulatedAccessTokenSeed) => SimulatedAccessToken;
  /** Revokes a token and makes its successor, by default for a week. */
  readonly rotateToken: (token: string, expiresAt?: string) => SimulatedAccessToken;
  /** The token gets 401 from now on: nobody knows it (default), or it was revoked or has expired. */
  readonly revokeToken: (token: string, reason?: 'unknown' | 'revoked' | 'expired') => void;
  /** Makes the project with one commit of `files` on `main`; `files: null` makes it without any. Answers with its id. */
  readonly addProject: (project: SimulatedProjectSeed) => Promise<number>;
  /** Deletes a project; merge requests from a deleted fork have no source project any more. */
  readonly deleteProject: (project: string) => void;
  /** Renames or transfers: reading by the old path is redirected to the id, writing gets 405. */
  readonly moveProject: (project: string, path: string) => void;
  /** An archived project takes no write and no push (403). */
  readonly archiveProject: (project: string, options?: { readonly archived?: boolean }) => void;
  /** The role of somebody in a project or in a group (and so in all below it); null takes it away. */
  readonly setAccess: (path: string, username: string, level: SimulatedAccessLevel | null) => void;
  /** Sets the role that may push to this branch from now on; default `no-one`. `main` begins with `maintainer`. */
  readonly protectBranch: (
    project: string,
    branch: string,
    push?: 'no-one' | 'maintainer' | 'developer',
  ) => void;
  readonly unprotectBranch: (project: string, branch: string) => void;
  /**
   * People's doings. Each behaves as the REST call would, with its system notes and times. The labels and assignees of
   * a seed are set as by a maintainer, whoever the author is. `project` is the path, or the id as text.
   */
  readonly openIssue: (issue: SimulatedGitLabIssueSeed) => SimulatedGitLabThread;
  readonly openMergeRequest: (mergeRequest: SimulatedMergeRequestSeed) => Promise<SimulatedGitLabThread>;
  /** Somebody pushes a commit to a branch; returns its id. Merge requests are brought up to date. */
  readonly push: (push: SimulatedGitLabPushSeed) => Promise<string>;
  /** Somebody drops a file into a text of the project; returns the link that stands in the text. */
  readonly upload: (file: {
    readonly project: string;
    readonly filename: string;
    readonly content: Buffer;
  }) => string;
  readonly note: (note: SimulatedNoteSeed) => SimulatedNote;
  readonly editNote: (project: string, id: number, body: string) => void;
  readonly deleteNote: (project: string, id: number) => void;
  /** The thread as it stands now. */
  readonly thread: (project: string, reference: SimulatedReference) => SimulatedGitLabThread;
  /** All issues, then all merge requests of a project, each ascending by iid. */
  readonly threads: (project: string) => readonly SimulatedGitLabThread[];
  /** As `by`; default: as the creator of the project. */
  readonly addLabels: (
    project: string,
    reference: SimulatedReference,
    labels: readonly string[],
    options?: { readonly by?: string },
  ) => void;
  readonly removeLabel: (
    project: string,
    reference: SimulatedReference,
    label: string,
    options?: { readonly by?: string },
  ) => void;
  /** Replaces the assignees. */
  readonly assign: (
    project: string,
    reference: SimulatedReference,
    usernames: readonly string[],
    options?: { readonly by?: string },
  ) => void;
  /** Edits title or description, as `by`; default: as its author. */
  readonly editThread: (
    project: string,
    reference: SimulatedReference,
    change: {
      readonly title?: string;
      readonly description?: string | null;
      readonly confidential?: boolean;
      readonly by?: string;
    },
  ) => void;
  /** Closes as the project's creator; with `merged` it merges the merge request in git instead. */
  readonly closeThread: (
    project: string,
    reference: SimulatedReference,
    options?: { readonly merged?: boolean },
  ) => void;
  /** As `by`; default: as the project's creator. */
  readonly reopenThread: (
    project: string,
    reference: SimulatedReference,
    options?: { readonly by?: string },
  ) => void;
  /** Deletes a thread: reading it answers 404 from now on. */
  readonly deleteThread: (project: string, reference: SimulatedReference) => void;
  /** Sets a merge request to auto-merge, or adds it to a merge train, until its head moves. */
  readonly setAutoMerge: (project: string, reference: SimulatedReference) => void;
  /** Reviewers' doings on merge requests. */
  readonly reviews: SimulatedGitLabReviews;
  /** CI of the projects. */
  readonly ci: SimulatedGitLabCi;
  /** Composes what GitLab would post to a webhook with this token about something that happened; posting it is the caller's. */
  readonly composeDelivery: (happening: SimulatedGitLabHappening, token: string) => SimulatedDelivery;
  /** Path of the bare repository on disk, for assertions with git. */
  readonly gitDirectory: (project: string) => string;
  /** The next requests that match get this instead of an answer. */
  readonly fail: (failure: SimulatedGitLabFailure) => void;
  /** Requests per user and minute from now on, and how many are left in this minute. Off until it is called. */
  readonly setRateLimit: (limit: { readonly limit: number; readonly remaining: number }) => void;
  readonly close: () => Promise<void>;
}

/** Settings of a simulated GitLab. */
export interface GitLabSimulatorOptions extends SimulatorOptions {
  /** Folder of the address that it is installed at, e.g. `/gitlab`; default none. */
  readonly relativeUrlRoot?: string;
  /** Default `free`: one assignee. `premium` has several. */
  readonly tier?: 'free' | 'premium';
  /** Notes that an account may write in a minute; default 300. */
  readonly notesPerMinute?: number;
  /** Longest body of a note; default 1,000,000 characters. */
  readonly maxNoteCharacters?: number;
  /** Up to how many records are counted; beyond, `x-total` is missing. Default 10,000. */
  readonly maxCountedRecords?: number;
  /** Default false. True: changes of labels and states leave system notes too, as old versions (before 13) wrote them. */
  readonly eventsAsNotes?: boolean;
}

/** A token that was made for a bot, or in the place of another. */
export interface SimulatedAccessToken {
  readonly token: string;
  readonly id: number;
  /** Username of its account. */
  readonly username: string;
  readonly expiresAt: string | null;
}

/** A note as it stands now. */
export interface SimulatedNote {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly system: boolean;
  readonly internal: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The emoji on it, oldest first. */
  readonly awards: readonly { readonly author: string; readonly name: string }[];
}

/** An issue or a merge request as it stands now. */
export interface SimulatedGitLabThread {
  readonly iid: number;
  readonly reference: SimulatedReference;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'opened' | 'closed' | 'merged';
  readonly confidential: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Sorted by name. */
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  /** Oldest first, with system notes. */
  readonly notes: readonly SimulatedNote[];
  readonly mergeRequest: {
    readonly source: string;
    readonly target: string;
    readonly draft: boolean;
  } | null;
}

/** Kinds of failure that GitLab has. */
export const gitLabFailureKinds = [
  ...commonFailureKinds,
  /** 429 of the whole server, with Retry-After and RateLimit headers. */
  'rate-limit',
  /** 429 of one kind of request, without any header that says how long. */
  'endpoint-limit',
  /** 403, as for a project that was archived. */
  'forbidden',
  /** 409: the database could not lock the record in time. */
  'resource-lock',
] as const;

/** A failure on demand: its kind, the requests that it befalls, and how often. */
export type SimulatedGitLabFailure = DemandedFailure<(typeof gitLabFailureKinds)[number]>;
