import { findRouteClass, type RouteClass, type RouteClasses } from '../http/route-class.ts';

/** Paths below a repository. */
const inRepository: RouteClasses = [
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

const elsewhere: RouteClasses = [
  [/\/graphql$/u, 'graphql'],
  [/\/search\//u, 'search'],
  [/\/(?:user|installation|orgs\/[^/]+)\/(?:repos|repositories)$/u, 'repositories'],
  [/\/users?(?:\/[^/]+)?$/u, 'user'],
  [/\/app(?:\/|$)/u, 'app'],
];

/** Finds the class of a request to GitHub's API by its address. */
export function findGitHubRouteClass({ pathname }: URL): RouteClass {
  const repository = /\/(?:repos\/[^/]+\/[^/]+|repositories\/\d+)(\/.*)?$/u.exec(pathname);
  if (repository === null) return findRouteClass(pathname, elsewhere);
  return findRouteClass(repository[1] ?? '', inRepository);
}
