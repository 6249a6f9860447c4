import { ok } from '../http/answers.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import type { Vendor } from '../vendor.ts';

/** The root and the rate limits. */
export const metaRoutes: readonly Route[] = [
  route('GET /', 'meta/meta#github-api-root', showRoot),
  route(
    'GET /rate_limit',
    'rate-limit/rate-limit#get-rate-limit-status-for-the-authenticated-user',
    showRateLimits,
  ),
];

function showRateLimits({ limits, token }: Call): Answer {
  const core = limits.status(token, 'core');
  const body: Vendor['rate-limit-overview'] = {
    resources: {
      core,
      search: limits.status(token, 'search'),
      code_search: limits.status(token, 'code_search'),
      graphql: limits.status(token, 'graphql'),
    },
    rate: core,
  };
  return ok(body);
}

function showRoot({ urls }: Call): Answer {
  const { api, web } = urls;
  const search = '{&page,per_page,sort,order}';
  const body: Vendor['root'] = {
    current_user_url: `${api}/user`,
    current_user_authorizations_html_url: `${web}/settings/connections/applications{/client_id}`,
    authorizations_url: `${api}/authorizations`,
    code_search_url: `${api}/search/code?q={query}${search}`,
    commit_search_url: `${api}/search/commits?q={query}${search}`,
    emails_url: `${api}/user/emails`,
    emojis_url: `${api}/emojis`,
    events_url: `${api}/events`,
    feeds_url: `${api}/feeds`,
    followers_url: `${api}/user/followers`,
    following_url: `${api}/user/following{/target}`,
    gists_url: `${api}/gists{/gist_id}`,
    hub_url: `${api}/hub`,
    issue_search_url: `${api}/search/issues?q={query}${search}`,
    issues_url: `${api}/issues`,
    keys_url: `${api}/user/keys`,
    label_search_url: `${api}/search/labels?q={query}&repository_id={repository_id}{&page,per_page}`,
    notifications_url: `${api}/notifications`,
    organization_url: `${api}/orgs/{org}`,
    organization_repositories_url: `${api}/orgs/{org}/repos{?type,page,per_page,sort}`,
    organization_teams_url: `${api}/orgs/{org}/teams`,
    public_gists_url: `${api}/gists/public`,
    rate_limit_url: `${api}/rate_limit`,
    repository_url: `${api}/repos/{owner}/{repo}`,
    repository_search_url: `${api}/search/repositories?q={query}${search}`,
    current_user_repositories_url: `${api}/user/repos{?type,page,per_page,sort}`,
    starred_url: `${api}/user/starred{/owner}{/repo}`,
    starred_gists_url: `${api}/gists/starred`,
    topic_search_url: `${api}/search/topics?q={query}{&page,per_page}`,
    user_url: `${api}/users/{user}`,
    user_organizations_url: `${api}/user/orgs`,
    user_repositories_url: `${api}/users/{user}/repos{?type,page,per_page,sort}`,
    user_search_url: `${api}/search/users?q={query}${search}`,
  };
  return ok(body);
}
