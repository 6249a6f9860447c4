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
  requireUnlocked,
  type ThreadCall,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, type Route, route } from '../http/route.ts';
import { addComment, deleteComment, editComment, findComment } from '../state/comments.ts';
import type { Comment } from '../state/model.ts';
import { showComment } from '../views/comment-view.ts';
import { changedSince, inAskedOrder, mustOwn } from './list-comments.ts';

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
  return paged(call, changedSince(call, call.thread.comments.values()), (comment) =>
    showComment(comment, call.urls),
  );
}

function listRepositoryComments(call: RepositoryCall): Answer {
  const comments = inAskedOrder(call, changedSince(call, call.repository.comments.values()));
  return paged(call, comments, (comment) => showComment(comment, call.urls));
}

function createComment(call: ThreadCall): Answer {
  requireUnlocked(call);
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
