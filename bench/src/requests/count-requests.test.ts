import { describe, expect, it } from 'vitest';
import { countRequests } from './count-requests.ts';
import { routeOf } from './route-of.ts';

describe('routeOf', () => {
  it.each([
    ['GET', '/user', 'GET /user'],
    ['GET', '/repos/acme/shop', 'GET /repos/{owner}/{repo}'],
    ['GET', '/repos/acme/shop/issues?labels=coding%20agent', 'GET /repos/{owner}/{repo}/issues'],
    ['GET', '/repos/acme/shop/issues/12/comments', 'GET /repos/{owner}/{repo}/issues/{number}/comments'],
    ['PATCH', '/repos/acme/shop/issues/comments/7', 'PATCH /repos/{owner}/{repo}/issues/comments/{number}'],
    ['GET', '/repos/acme/shop/labels/coding%20agent', 'GET /repos/{owner}/{repo}/labels/{name}'],
    [
      'GET',
      '/repos/acme/shop/git/matching-refs/heads/agent/issue-1-',
      'GET /repos/{owner}/{repo}/git/matching-refs/{ref}',
    ],
    [
      'GET',
      '/acme/shop.git/info/refs?service=git-upload-pack',
      'GET /{owner}/{repo}.git/info/refs?service=git-upload-pack',
    ],
  ])('%s %s is %s', (method, path, route) => {
    expect(routeOf({ method, path })).toBe(route);
  });
});

describe('countRequests', () => {
  it('keeps git apart from REST and counts what was not modified', () => {
    const counts = countRequests([
      { method: 'GET', path: '/repos/acme/shop/issues/1', status: 200, login: 'robot' },
      { method: 'GET', path: '/repos/acme/shop/issues/2', status: 304, login: 'robot' },
      { method: 'POST', path: '/acme/shop.git/git-upload-pack', status: 200, login: 'robot' },
    ]);
    expect(counts).toEqual({
      rest: 2,
      unchanged: 1,
      git: 1,
      routes: [
        { route: 'GET /repos/{owner}/{repo}/issues/{number}', count: 2, unchanged: 1 },
        { route: 'POST /{owner}/{repo}.git/git-upload-pack', count: 1, unchanged: 0 },
      ],
    });
  });
});
