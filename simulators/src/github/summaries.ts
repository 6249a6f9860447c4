import type { SimulatedComment, SimulatedThread } from './github-simulator.ts';
import type { Comment, Thread } from './state/model.ts';

/** A thread in the words of the simulator's own interface. */
export function summarizeThread(thread: Thread): SimulatedThread {
  const { number, title, body, state, createdAt, updatedAt, pull } = thread;
  return {
    number,
    title,
    body,
    state,
    createdAt,
    updatedAt,
    labels: [...thread.labels.values()].map(({ name }) => name),
    assignees: [...thread.assignees.values()].map(({ login }) => login),
    comments: [...thread.comments.values()].map(summarizeComment),
    pullRequest: pull && {
      head: pull.headBranch,
      base: pull.baseBranch,
      draft: pull.draft,
      merged: pull.mergedAt !== null,
    },
  };
}

/** A comment in the words of the simulator's own interface. */
export function summarizeComment(comment: Comment): SimulatedComment {
  const { id, author, body, createdAt, updatedAt } = comment;
  const reactions = [...comment.reactions.values()].map(({ user, content }) => ({
    author: user.login,
    content,
  }));
  return { id, author: author.deletedAs ? null : author.login, body, createdAt, updatedAt, reactions };
}
