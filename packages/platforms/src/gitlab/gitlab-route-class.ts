import { findRouteClass, type RouteClass, type RouteClasses } from '../http/route-class.ts';

/** Paths below a project. */
const inProject: RouteClasses = [
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

const elsewhere: RouteClasses = [
  [/\/graphql$/u, 'graphql'],
  [/\/search$/u, 'search'],
  [/\/projects$/u, 'repositories'],
  [/\/(?:issues|merge_requests)$/u, 'issues.list'],
  [/\/users?(?:\/[^/]+)?$|\/personal_access_tokens\b/u, 'user'],
];

/** Finds the class of a request to GitLab's API by its address. */
export function findGitLabRouteClass({ pathname }: URL): RouteClass {
  const project = /\/api\/v4\/projects\/[^/]+(\/.*)?$/u.exec(pathname);
  if (project === null) return findRouteClass(pathname, elsewhere);
  return findRouteClass(project[1] ?? '', inProject);
}
