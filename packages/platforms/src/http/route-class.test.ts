import { describe, expect, it } from 'vitest';
import { findGitHubRouteClass, findGitLabRouteClass } from './route-class.ts';

describe('the class of a request', () => {
  it.each([
    ['/repos/acme/shop/issues', 'issues.list'],
    ['/api/v3/repositories/17/issues', 'issues.list'],
    ['/repos/acme/issues', 'repositories'],
    ['/repos/acme/shop/issues/comments/12/reactions', 'issues.comments'],
    ['/repos/acme/shop/issues/7/comments', 'issues.comments'],
    ['/repos/acme/shop/issues/7/labels/agent', 'issues'],
    ['/repos/acme/shop/pulls', 'pulls'],
    ['/repos/acme/shop/pulls/7/reviews', 'pulls.comments'],
    ['/repos/acme/shop/pulls/comments', 'pulls.comments'],
    ['/repos/acme/shop/commits/4f2a/check-runs', 'checks'],
    ['/repos/acme/shop/actions/runs/1/jobs', 'checks'],
    ['/repos/acme/shop/git/trees/4f2a', 'git-data'],
    ['/repos/acme/shop/contents/src/a.ts', 'git-data'],
    ['/repos/acme/shop/labels', 'labels'],
    ['/repos/acme/shop/collaborators/ann/permission', 'user'],
    ['/api/graphql', 'graphql'],
    ['/search/issues', 'search'],
    ['/user/repos', 'repositories'],
    ['/users/ann', 'user'],
    ['/user', 'user'],
    ['/app/installations/5/access_tokens', 'app'],
    ['/rate_limit', 'other'],
  ])('on GitHub, of %s, is %s [NX-425]', (path, name) => {
    expect(findGitHubRouteClass(new URL(path, 'https://api.github.com'))).toBe(name);
  });

  it.each([
    ['/api/v4/projects/acme%2Fshop', 'repositories'],
    ['/api/v4/projects/acme%2Fshop/issues', 'issues.list'],
    ['/gitlab/api/v4/projects/7/issues/3/notes', 'issues.comments'],
    ['/api/v4/projects/7/issues/3/resource_label_events', 'issues'],
    ['/api/v4/projects/7/merge_requests/3/discussions/ab', 'pulls.comments'],
    ['/api/v4/projects/7/merge_requests', 'pulls'],
    ['/api/v4/projects/7/repository/commits/4f2a/statuses', 'checks'],
    ['/api/v4/projects/7/jobs/5/trace', 'checks'],
    ['/api/v4/projects/7/repository/files/a%2Fb', 'git-data'],
    ['/api/v4/projects/7/labels', 'labels'],
    ['/api/v4/projects/7/members/all/5', 'user'],
    ['/api/v4/groups/acme/projects', 'repositories'],
    ['/api/v4/user', 'user'],
    ['/uploads/1', 'other'],
  ])('on GitLab, of %s, is %s [NX-425]', (path, name) => {
    expect(findGitLabRouteClass(new URL(path, 'https://gitlab.com'))).toBe(name);
  });
});
