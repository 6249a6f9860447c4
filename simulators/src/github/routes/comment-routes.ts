import { z } from 'zod';
import { created, noContent, ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  numberParameter,
  onRepository,
  onThread,
  type RepositoryCall,
  reads,
  type ThreadCall,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { may } from '../state/access.ts';
import { addComment, deleteComment, editComment, findComment } from '../state/comments.ts';
import type { Comment } from '../state/model.ts';
import { forbidden } from '../state/refusal.ts';
import { showComment } from '../views/comment-view.ts';
import { choice, readSince } from './list-issues.ts';

const issues = '/repos/{owner}/{repo}/issues';
const docs = 'issues/comments';
const reading = reads('issues', 'pull_requests');
const writing = writes('issues', 'pull_requests');

/** Comments on issues and on the conversations of pull requests. */
export const commentRoutes: readonly Route[] = [
  // Before the routes with an issue's number, which "comments" is not.
  route(
    `GET ${issues}/comments`,
    `${docs}#list-issue-comments-for-a-repository`,
    onRepository(reading, listRepositoryComments),
  ),
  route(
    `GET ${issues}/comments/{comment_id}`,
    `${docs}#get-an-issue-comment`,
    onRepository(reading, (call) => ok(showComment(commentOf(call), call.urls))),
  ),
  route(
    `PATCH ${issues}/comments/{comment_id}`,
    `${docs}#update-an-issue-comment`,
    onRepository(writing, updateComment),
  ),
  route(
    `DELETE ${issues}/comments/{comment_id}`,
    `${docs}#delete-an-issue-comment`,
    onRepository(writing, removeComment),
  ),
  route(
    `GET ${issues}/{issue_number}/comments`,
    `${docs}#list-issue-comments`,
    onThread(reading, listThreadComments),
  ),
  route(
    `POST ${issues}/{issue_number}/comments`,
    `${docs}#create-an-issue-comment`,
    onThread(writing, createComment),
  ),
];

const content = z.object({ body: z.string() });

/** Ascending by id, whatever `sort` and `direction` say. */
function listThreadComments(call: ThreadCall): Answer {
  return paged(call, changedSince(call, call.thread.comments), (comment) => showComment(comment, call.urls));
}

/** `direction` counts only beside `sort`. */
function listRepositoryComments(call: RepositoryCall): Answer {
  const comments = changedSince(call, call.repository.comments);
  const isSorted = call.query.has('sort');
  const sort = choice(call, 'sort', ['created', 'updated']);
  const sign = isSorted && choice(call, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1;
  const time = (comment: Comment) => (sort === 'updated' ? comment.updatedAt : '');
  // Times in one form and zone have the order of their letters, which a comparison by language takes long to find.
  const compare = (one: string, other: string) => Number(one > other) - Number(one < other);
  const sorted = comments.sort((one, other) => sign * (compare(time(one), time(other)) || one.id - other.id));
  return paged(call, sorted, (comment) => showComment(comment, call.urls));
}

function createComment(call: ThreadCall): Answer {
  const { body } = bodyOf(call, content);
  const comment = addComment(call.state, call.thread, { author: viewerOf(call), body });
  return created(showComment(comment, call.urls));
}

function updateComment(call: RepositoryCall): Answer {
  const comment = commentOf(call);
  const { body } = bodyOf(call, content);
  mustOwn(call, comment);
  editComment(call.state, comment, { body, by: viewerOf(call) });
  return ok(showComment(comment, call.urls));
}

function removeComment(call: RepositoryCall): Answer {
  const comment = commentOf(call);
  mustOwn(call, comment);
  deleteComment(call.state, comment);
  return noContent();
}

function commentOf(call: RepositoryCall): Comment {
  return findComment(call.repository, numberParameter(call, 'comment_id'));
}

function changedSince(call: RepositoryCall, comments: ReadonlyMap<number, Comment>): Comment[] {
  const since = readSince(call);
  const all = [...comments.values()];
  return since === null ? all : all.filter((comment) => comment.updatedAt >= since);
}

function mustOwn(call: RepositoryCall, comment: Comment): void {
  const viewer = viewerOf(call);
  if (comment.author !== viewer && !may(call.repository, viewer, 'write')) throw forbidden();
}
