import { z } from 'zod';
import { noContent, ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  numberParameter,
  onRepository,
  onThread,
  type RepositoryCall,
  reads,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { findReviewComment } from '../reviews/comment-lines.ts';
import { may } from '../state/access.ts';
import { findComment } from '../state/comments.ts';
import { takeId, timestamp } from '../state/create-state.ts';
import type { Reaction, ReactionContent, State, User } from '../state/model.ts';
import { forbidden, notFound, validationFailed } from '../state/refusal.ts';
import { showReaction } from '../views/reaction-view.ts';

/** The eight that GitHub knows. @see https://docs.github.com/rest/reactions/reactions#about-reactions */
const reactionContents = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;

const ofIssue = '/repos/{owner}/{repo}/issues/{issue_number}/reactions';
const ofComment = '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions';
const ofLine = '/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions';
const docs = 'reactions/reactions';
const reading = reads('issues', 'pull_requests');
const writing = writes('issues', 'pull_requests');

/** Reactions to issues and to their comments. */
export const reactionRoutes: readonly Route[] = [
  route(
    `GET ${ofComment}`,
    `${docs}#list-reactions-for-an-issue-comment`,
    onRepository(reading, (call) => list(call, toComment(call))),
  ),
  route(
    `POST ${ofComment}`,
    `${docs}#create-reaction-for-an-issue-comment`,
    onRepository(writing, (call) => create(call, toComment(call))),
  ),
  route(
    `DELETE ${ofComment}/{reaction_id}`,
    `${docs}#delete-an-issue-comment-reaction`,
    onRepository(writing, (call) => remove(call, toComment(call))),
  ),
  route(
    `GET ${ofLine}`,
    `${docs}#list-reactions-for-a-pull-request-review-comment`,
    onRepository(reads('pull_requests'), (call) => list(call, toLine(call))),
  ),
  route(
    `POST ${ofLine}`,
    `${docs}#create-reaction-for-a-pull-request-review-comment`,
    onRepository(writes('pull_requests'), (call) => create(call, toLine(call))),
  ),
  route(
    `DELETE ${ofLine}/{reaction_id}`,
    `${docs}#delete-a-pull-request-comment-reaction`,
    onRepository(writes('pull_requests'), (call) => remove(call, toLine(call))),
  ),
  route(
    `GET ${ofIssue}`,
    `${docs}#list-reactions-for-an-issue`,
    onThread(reading, (call) => list(call, call.thread.reactions)),
  ),
  route(
    `POST ${ofIssue}`,
    `${docs}#create-reaction-for-an-issue`,
    onThread(writing, (call) => create(call, call.thread.reactions)),
  ),
  route(
    `DELETE ${ofIssue}/{reaction_id}`,
    `${docs}#delete-an-issue-reaction`,
    onThread(writing, (call) => remove(call, call.thread.reactions)),
  ),
];

type Reactions = Map<number, Reaction>;

function toComment(call: RepositoryCall): Reactions {
  return findComment(call.repository, numberParameter(call, 'comment_id')).reactions;
}

function toLine(call: RepositoryCall): Reactions {
  return findReviewComment(call.repository, numberParameter(call, 'comment_id'), call.viewer).comment
    .reactions;
}

function list(call: RepositoryCall, reactions: Reactions): Answer {
  const wanted = call.query.get('content');
  const shown = [...reactions.values()].filter(({ content }) => !wanted || content === wanted);
  return paged(call, shown, (reaction) => showReaction(reaction, call.urls));
}

function create(call: RepositoryCall, reactions: Reactions): Answer {
  const { content } = bodyOf(call, z.object({ content: z.string() }));
  const known = reactionContents.find((candidate) => candidate === content);
  if (!known) throw validationFailed({ resource: 'Reaction', code: 'invalid', field: 'content' });
  const { reaction, isNew } = addReaction(call.state, reactions, { user: viewerOf(call), content: known });
  return { ...ok(showReaction(reaction, call.urls)), status: isNew ? 201 : 200 };
}

function remove(call: RepositoryCall, reactions: Reactions): Answer {
  const id = numberParameter(call, 'reaction_id');
  const viewer = viewerOf(call);
  const isOwn = reactions.get(id)?.user === viewer;
  if (reactions.has(id) && !isOwn && !may(call.repository, viewer, 'write')) throw forbidden();
  removeReaction(reactions, id);
  return noContent();
}

/** Reacts, once per account and content: doing it again finds the first one (`isNew` false). */
function addReaction(
  state: State,
  reactions: Map<number, Reaction>,
  reaction: { readonly user: User; readonly content: ReactionContent },
): { readonly reaction: Reaction; readonly isNew: boolean } {
  const same = [...reactions.values()].find(
    ({ user, content }) => user === reaction.user && content === reaction.content,
  );
  if (same) return { reaction: same, isNew: false };
  const added: Reaction = { ...reaction, id: takeId(state), createdAt: timestamp(state) };
  reactions.set(added.id, added);
  return { reaction: added, isNew: true };
}

/** Takes a reaction back. @throws {Refusal} 404 */
function removeReaction(reactions: Map<number, Reaction>, id: number): void {
  if (!reactions.delete(id)) throw notFound();
}
