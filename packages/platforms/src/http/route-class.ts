/** Class of the requests to a platform, for metrics: one list for all platforms, so that its length is bounded. */
export type RouteClass =
  | 'issues.list'
  | 'issues.comments'
  | 'issues'
  | 'pulls.comments'
  | 'pulls'
  | 'git-data'
  | 'checks'
  | 'labels'
  | 'repositories'
  | 'user'
  | 'app'
  | 'graphql'
  | 'search'
  | 'other';

/** Patterns of paths, each with its class. The first that matches counts. */
type RouteClasses = readonly (readonly [pattern: RegExp, name: RouteClass])[];

/** Paths below a repository of GitHub's API. */
const inGitHubRepository: RouteClasses = [
  [/^$/u, 'repositories'],
  [/^\/issues$/u, 'issues.list'],
  [/^\/issues\/(?:\d+\/)?comments\b/u, 'issues.comments'],
  [/^\/issues\//u, 'issues'],
  [/^\/pulls\/(?:comments\b|\d+\/(?:comments|reviews)\b)/u, 'pulls.comments'],
  [/^\/pulls\b/u, 'pulls'],
  [/^\/commits\/.+\/(?:check-runs|statuses)$|^\/(?:actions|check-runs)\//u, 'checks'],
  [/^\/(?:git|contents|branches|commits)\b|^\/activity$/u, 'git-data'],
  [/^\/labels\b/u, 'labels'],
  [/^\/collaborators\//u, 'user'],
];

const elsewhereOnGitHub: RouteClasses = [
  [/\/graphql$/u, 'graphql'],
  [/\/search\//u, 'search'],
  [/\/(?:user|installation|orgs\/[^/]+)\/(?:repos|repositories)$/u, 'repositories'],
  [/\/users?(?:\/[^/]+)?$/u, 'user'],
  [/\/app(?:\/|$)/u, 'app'],
];

/** Finds the class of a request to GitHub's API by its address. */
export function findGitHubRouteClass({ pathname }: URL): RouteClass {
  const below = findBelow(pathname, /\/(?:repos\/[^/]+\/[^/]+|repositories\/\d+)(?![^/])/u);
  return below === null
    ? findRouteClass(pathname, elsewhereOnGitHub)
    : findRouteClass(below, inGitHubRepository);
}

/** Paths below a project of GitLab's API. */
const inGitLabProject: RouteClasses = [
  [/^$/u, 'repositories'],
  [/^\/issues$/u, 'issues.list'],
  [/^\/issues\/\d+\/(?:notes|discussions)\b/u, 'issues.comments'],
  [/^\/issues\//u, 'issues'],
  [/^\/merge_requests\/\d+\/(?:notes|discussions|draft_notes)\b/u, 'pulls.comments'],
  [/^\/merge_requests\b/u, 'pulls'],
  [/^\/repository\/commits\/.+\/statuses$|^\/(?:jobs|pipelines)\b/u, 'checks'],
  [/^\/repository\//u, 'git-data'],
  [/^\/labels\b/u, 'labels'],
  [/^\/members\b/u, 'user'],
];

const elsewhereOnGitLab: RouteClasses = [
  [/\/graphql$/u, 'graphql'],
  [/\/search$/u, 'search'],
  [/\/projects$/u, 'repositories'],
  [/\/(?:issues|merge_requests)$/u, 'issues.list'],
  [/\/users?(?:\/[^/]+)?$|\/personal_access_tokens\b/u, 'user'],
];

/** Finds the class of a request to GitLab's API by its address. */
export function findGitLabRouteClass({ pathname }: URL): RouteClass {
  const below = findBelow(pathname, /\/api\/v4\/projects\/[^/]+/u);
  return below === null
    ? findRouteClass(pathname, elsewhereOnGitLab)
    : findRouteClass(below, inGitLabProject);
}

/** Returns the rest of a path behind a match; null if nothing matches. */
function findBelow(path: string, pattern: RegExp): string | null {
  const found = pattern.exec(path);
  return found === null ? null : path.slice(found.index + found[0].length);
}

/** Finds the class of a path; `other` if no pattern matches. */
function findRouteClass(path: string, classes: RouteClasses): RouteClass {
  return classes.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';
}
