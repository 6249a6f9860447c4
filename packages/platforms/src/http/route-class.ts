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
export type RouteClasses = readonly (readonly [pattern: RegExp, name: RouteClass])[];

/** Finds the class of a path; `other` if no pattern matches. */
export function findRouteClass(path: string, classes: RouteClasses): RouteClass {
  return classes.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';
}
