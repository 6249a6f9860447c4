import { type PullThread, replyOnLine } from '../reviews/write-review.ts';
import { reaches, roleOfToken } from '../state/access.ts';
import type { TokenScope } from '../state/model.ts';
import { parseNodeId } from '../state/node-id.ts';
import { notAccessible, Refusal } from '../state/refusal.ts';
import type { ReviewThread } from '../state/review-model.ts';
import type { Asking, Values } from './asking.ts';
import { graphReviewComment, graphReviewThread, mayResolveThreads } from './review-graph.ts';
import type { GraphObject } from './select.ts';

/**
 * Changes of threads on lines. Resolving takes the permission to write contents, too: writing pull requests alone is refused.
 * @see https://docs.github.com/graphql/reference/mutations#resolvereviewthread
 */
export function reviewMutations(asking: Asking): GraphObject {
  const resolve = (name: string, resolved: boolean) => (values: Values) =>
    onThread(asking, { name, values, scopes: ['pull_requests', 'contents'] }, (pull, thread, mutationId) => {
      if (!mayResolveThreads(pull, asking))
        return asking.refuse({ type: 'FORBIDDEN', path: [name], message: notAllowed(asking) });
      thread.resolvedBy = resolved ? (thread.resolvedBy ?? asking.viewer) : null;
      return { __typename: 'Payload', ...mutationId, thread: graphReviewThread(pull, thread, asking) };
    });
  return {
    __typename: 'Mutation',
    resolveReviewThread: resolve('resolveReviewThread', true),
    unresolveReviewThread: resolve('unresolveReviewThread', false),
    addPullRequestReviewThreadReply: (values: Values) => reply(asking, values),
  };
}

function reply(asking: Asking, values: Values): GraphObject | null {
  const name = 'addPullRequestReviewThreadReply';
  const asked = { name, values, scopes: ['pull_requests'], key: 'pullRequestReviewThreadId' } as const;
  return onThread(asking, asked, (pull, to, mutationId) => {
    try {
      const body = String(inputOf(values).body ?? '');
      const { comment } = replyOnLine(asking.state, pull, { to, author: asking.viewer, body });
      const shown = graphReviewComment(pull, { thread: to, comment }, asking);
      return { __typename: 'Payload', ...mutationId, comment: shown };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return asking.refuse({ type: 'UNPROCESSABLE', path: [name], message: error.message });
    }
  });
}

interface Asked {
  readonly name: string;
  readonly values: Values;
  /** Permissions to write that the token needs, all of them. */
  readonly scopes: readonly TokenScope[];
  /** Field of the input that names the thread; default `threadId`. */
  readonly key?: string;
}

function onThread(
  asking: Asking,
  { name, values, scopes, key = 'threadId' }: Asked,
  change: (pull: PullThread, thread: ReviewThread, mutationId: object) => GraphObject | null,
): GraphObject | null {
  const input = inputOf(values);
  const id = String(input[key] ?? '');
  const found = findThread(asking, id);
  if (!found) {
    const message = `Could not resolve to a node with the global id of '${id}'`;
    return asking.refuse({ type: 'NOT_FOUND', path: [name], message });
  }
  const { token } = asking;
  const isAllowed =
    reaches(token, found.pull.repository) && scopes.every((scope) => token.permissions[scope] === 'write');
  if (!isAllowed) return asking.refuse({ type: 'FORBIDDEN', path: [name], message: notAccessible(token) });
  return change(found.pull, found.thread, { clientMutationId: input.clientMutationId ?? null });
}

function findThread({ state, token }: Asking, id: string) {
  const number = parseNodeId('PullRequestReviewThread', id);
  if (number === null) return null;
  for (const repository of state.repositories.values()) {
    if (!roleOfToken(repository, token)) continue;
    for (const one of repository.threads.values()) {
      const thread = one.pull?.reviewThreads.get(number);
      if (thread) return { thread, pull: one as PullThread };
    }
  }
  return null;
}

function inputOf({ input }: Values): Values {
  return typeof input === 'object' && input !== null ? (input as Values) : {};
}

function notAllowed({ viewer }: Asking): string {
  return `${viewer.login} does not have the correct permissions to execute this mutation.`;
}
