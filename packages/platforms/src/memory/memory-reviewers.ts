import type { ReviewSubject } from '../model.ts';
import type { TaskKey } from '../task-key.ts';
import {
  addCheck,
  addLine,
  addReply,
  addReview,
  dismissReview,
  editLine,
  type MemoryCheckSeed,
  type MemoryLineSeed,
  outdateLines,
} from './memory-review.ts';
import { findThread, type MemoryState } from './memory-state.ts';

/** Actions of reviewers and programs on a pull request. Ids are those of the ports. */
export interface MemoryReviewers {
  readonly commentOnLine: (key: TaskKey, comment: MemoryLineSeed) => string;
  /** Answers in the review thread of that id. */
  readonly reply: (
    key: TaskKey,
    answer: { readonly to: string; readonly author: string; readonly body: string },
  ) => string;
  readonly editLine: (key: TaskKey, id: string, body: string) => void;
  readonly deleteLine: (key: TaskKey, id: string) => void;
  readonly resolve: (key: TaskKey, reviewThread: string) => void;
  /** Somebody pushes: the head is another commit, in which all commented lines have changed. */
  readonly pushHead: (key: TaskKey) => string;
  readonly review: (
    key: TaskKey,
    review: Pick<ReviewSubject, 'state'> & { readonly author: string; readonly body: string },
  ) => string;
  readonly dismiss: (key: TaskKey, id: string) => void;
  /** Starts a check of the head (conclusion null), or ends it. */
  readonly check: (key: TaskKey, check: Omit<MemoryCheckSeed, 'head'>) => void;
  /** Checks that are required from now on. */
  readonly require: (key: TaskKey, names: readonly string[]) => void;
  /** Logins from which a review is requested. */
  readonly requested: (key: TaskKey) => readonly string[];
}

/** Reviewers' and programs' hands on a platform in memory. */
export function createMemoryReviewers(state: MemoryState): MemoryReviewers {
  const reviewOf = (key: TaskKey) => findThread(state, key).review;
  return {
    commentOnLine: (key, comment) => addLine(state, findThread(state, key), comment),
    reply: (key, answer) => addReply(state, reviewOf(key), answer).id,
    editLine: (key, id, body) => editLine(state, reviewOf(key), { id, body }),
    deleteLine: (key, id) => {
      const review = reviewOf(key);
      review.lines = review.lines.filter((comment) => comment.id !== id);
    },
    resolve: (key, reviewThread) => void reviewOf(key).resolved.add(reviewThread),
    pushHead: (key) => {
      const thread = findThread(state, key);
      const headSha = state.nextId().toString(16).padStart(40, '0');
      if (thread.changeRequest !== null) thread.changeRequest = { ...thread.changeRequest, headSha };
      outdateLines(thread.review);
      return headSha;
    },
    review: (key, review) => addReview(state, findThread(state, key), review),
    dismiss: (key, id) => dismissReview(reviewOf(key), id),
    check: (key, check) => {
      const { changeRequest, review } = findThread(state, key);
      addCheck(state, review, { ...check, head: changeRequest?.headSha ?? '' });
    },
    require: (key, names) => {
      const { required } = reviewOf(key);
      for (const name of names) required.add(name);
    },
    requested: (key) => [...reviewOf(key).requested],
  };
}
