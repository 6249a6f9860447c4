import { expect, it } from 'vitest';
import { describeRequest } from './describe-request.ts';

it.each([
  ['POST', '/repos/o/r/issues/1/labels', 200, 'adds a label to #1'],
  ['DELETE', '/repos/o/r/issues/1/labels/coding%20agent', 200, 'removes "coding agent" from #1'],
  ['POST', '/repos/o/r/issues/1/comments', 201, 'comments on #1'],
  ['POST', '/repos/o/r/issues/comments/9/reactions', 201, 'reacts to a comment'],
  ['PATCH', '/repos/o/r/issues/comments/9', 200, 'edits its comment'],
  ['POST', '/repos/o/r/labels', 201, 'creates a label'],
  ['POST', '/repos/o/r/pulls/2/comments/7/replies', 201, 'answers a review comment on #2'],
  ['POST', '/graphql', 200, null],
  ['POST', '/repos/o/r/pulls', 201, 'opens a pull request'],
  ['POST', '/repos/o/r/pulls', 422, 'opens a pull request: refused with 422'],
  ['PATCH', '/repos/o/r/pulls/2', 200, 'updates pull request #2'],
  ['PUT', '/api/v4/projects/1/issues/1', 200, 'changes the labels of #1'],
  ['POST', '/api/v4/projects/1/issues/1/notes', 201, 'comments on #1'],
  ['PUT', '/api/v4/projects/1/issues/1/notes/9', 200, 'edits its comment'],
  ['POST', '/api/v4/projects/1/issues/1/notes/9/award_emoji', 201, 'reacts to a comment'],
  ['POST', '/api/v4/projects/1/labels', 201, 'creates a label'],
  ['POST', '/api/v4/projects/1/merge_requests', 201, 'opens a merge request'],
  ['PUT', '/api/v4/projects/1/merge_requests/2', 200, 'updates merge request !2'],
  ['POST', '/o/r.git/git-receive-pack', 200, 'pushes its branch'],
  ['POST', '/o/r.git/git-upload-pack', 200, 'fetches from the repository'],
  ['PUT', '/repos/o/r/odd?x=1', 200, 'PUT /repos/o/r/odd'],
  ['POST', '/o/r.git/git-upload-pack', 401, null],
  ['GET', '/repos/o/r/issues', 200, null],
])('says what %s %s with status %i does: %s', (method, path, status, said) => {
  expect(describeRequest({ method, path, status })).toBe(said);
});
