import type { Side } from '../../shared/git/diff-lines.ts';
import type { Repository, Thread } from '../state/model.ts';
import { nodeId } from '../state/node-id.ts';
import { seededRepository } from '../state/repositories.ts';
import type { ReviewThread } from '../state/review-model.ts';
import { findThread } from '../state/threads.ts';
import { seededUser } from '../state/users.ts';
import type { World } from '../state/world.ts';
import { deleteReviewComment, editReviewComment, findReviewComment } from './comment-lines.ts';
import {
  commentOnLine,
  dismissReview,
  findReview,
  type PullThread,
  type ReviewEvent,
  replyOnLine,
  writeReview,
} from './write-review.ts';

/** Somebody reviews a pull request. */
export interface SimulatedReviewSeed {
  readonly repo: string;
  readonly number: number;
  readonly author: string;
  /** Default: `COMMENT`. */
  readonly event?: ReviewEvent;
  readonly body?: string;
  readonly comments?: readonly SimulatedPlace[];
}

/** A comment and its place in the diff; the side that is there now by default. */
export interface SimulatedPlace {
  readonly path: string;
  readonly line: number;
  readonly startLine?: number;
  readonly side?: Side;
  readonly body: string;
}

/** Somebody writes a single comment on a line. */
export interface SimulatedLineCommentSeed extends SimulatedPlace {
  readonly repo: string;
  readonly number: number;
  readonly author: string;
  /** Commit that is looked at; default: the head. */
  readonly commit?: string;
}

/** Somebody answers a comment on a line. */
export interface SimulatedReplySeed {
  readonly repo: string;
  /** Id of any comment of the thread. */
  readonly to: number;
  readonly author: string;
  readonly body: string;
}

/** A thread on a place of the diff as it stands now. */
export interface SimulatedReviewThread {
  /** Id in GraphQL. */
  readonly id: string;
  readonly path: string;
  /** Null once it is outdated. */
  readonly line: number | null;
  readonly isOutdated: boolean;
  /** Login; null while it is not resolved. */
  readonly resolvedBy: string | null;
  /** Oldest first. */
  readonly comments: readonly { readonly id: number; readonly author: string; readonly body: string }[];
}

/** People's doings around reviews, through the functions that the wire uses. `repo` is `owner/name`. */
export interface SimulatedReviews {
  /** Submits a review; returns its id. */
  readonly submit: (review: SimulatedReviewSeed) => Promise<number>;
  readonly dismiss: (repo: string, number: number, id: number) => void;
  /** Writes a single comment on a line; returns its id. */
  readonly comment: (comment: SimulatedLineCommentSeed) => Promise<number>;
  /** Returns the id of the answer. */
  readonly reply: (reply: SimulatedReplySeed) => number;
  readonly edit: (repo: string, id: number, body: string) => void;
  readonly delete: (repo: string, id: number) => void;
  /** Resolves the thread of this comment, or opens it again (`by: null`). */
  readonly resolve: (repo: string, id: number, resolution: { readonly by: string | null }) => void;
  /** Logins from which a review is requested. */
  readonly requested: (repo: string, number: number) => readonly string[];
  /** Withdraws the request for a review. */
  readonly unrequest: (repo: string, number: number, login: string) => void;
  /** Threads on lines of a pull request, oldest first. */
  readonly threads: (repo: string, number: number) => readonly SimulatedReviewThread[];
}

/** Does what reviewers do. */
export function createReviewControls(world: World): SimulatedReviews {
  const { state } = world;
  const repositoryOf = (repo: string) => seededRepository(state, repo);
  const find = (repo: string, id: number) => findReviewComment(repositoryOf(repo), id);
  return {
    submit: async ({ repo, number, author, event = 'COMMENT', body = '', comments = [] }) => {
      const written = { author: seededUser(state, author), event, body, comments };
      return (await writeReview(world, pullOf(repositoryOf(repo), number), written)).id;
    },
    dismiss: (repo, number, id) => {
      const thread = pullOf(repositoryOf(repo), number);
      dismissReview(state, thread, findReview(thread.pull, id, null));
    },
    comment: async ({ repo, number, author, body, commit, ...place }) => {
      const thread = pullOf(repositoryOf(repo), number);
      const by = seededUser(state, author);
      const written = { author: by, body, commit: commit ?? thread.pull.headSha, place };
      return (await commentOnLine(world, thread, written)).comment.id;
    },
    reply: ({ repo, to, author, body }) => {
      const { thread, reviewThread } = find(repo, to);
      const reply = { to: reviewThread, author: seededUser(state, author), body };
      return replyOnLine(state, pullOf(thread.repository, thread.number), reply).comment.id;
    },
    edit: (repo, id, body) => editReviewComment(state, find(repo, id), body),
    delete: (repo, id) => deleteReviewComment(state, find(repo, id)),
    resolve: (repo, id, { by }) => {
      find(repo, id).reviewThread.resolvedBy = by === null ? null : seededUser(state, by);
    },
    requested: (repo, number) =>
      [...pullOf(repositoryOf(repo), number).pull.requestedReviewers].map(({ login }) => login),
    unrequest: (repo, number, login) =>
      void pullOf(repositoryOf(repo), number).pull.requestedReviewers.delete(seededUser(state, login)),
    threads: (repo, number) =>
      [...pullOf(repositoryOf(repo), number).pull.reviewThreads.values()].map(summarize),
  };
}

function pullOf(repository: Repository, number: number): PullThread {
  const thread: Thread = findThread(repository, number);
  if (!thread.pull) throw new Error(`#${number} is an issue: only a pull request can be reviewed.`);
  return thread as PullThread;
}

function summarize({ id, path, current, resolvedBy, comments }: ReviewThread): SimulatedReviewThread {
  return {
    id: nodeId('PullRequestReviewThread', id),
    path,
    line: current?.line ?? null,
    isOutdated: current === null,
    resolvedBy: resolvedBy?.login ?? null,
    comments: comments.map(({ id: commentId, author, body }) => ({
      id: commentId,
      author: author.login,
      body,
    })),
  };
}
