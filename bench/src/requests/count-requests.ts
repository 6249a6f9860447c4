import type { SimulatedRequest } from '@agent/simulators/github';
import { isGitRequest, routeOf } from './route-of.ts';

export interface RouteCount {
  readonly route: string;
  readonly count: number;
  /** Answered "not modified". */
  readonly unchanged: number;
}

export interface RequestCounts {
  readonly rest: number;
  readonly unchanged: number;
  readonly git: number;
  /** REST and git, in the order of their first appearance. */
  readonly routes: readonly RouteCount[];
}

/** Counts what a server was asked. */
export function countRequests(requests: readonly SimulatedRequest[]): RequestCounts {
  const routes = new Map<string, { route: string; count: number; unchanged: number }>();
  for (const request of requests) {
    const route = routeOf(request);
    const counted = routes.get(route) ?? { route, count: 0, unchanged: 0 };
    counted.count += 1;
    if (request.status === 304) counted.unchanged += 1;
    routes.set(route, counted);
  }
  const rest = requests.filter((request) => !isGitRequest(request));
  return {
    rest: rest.length,
    unchanged: rest.filter(({ status }) => status === 304).length,
    git: requests.length - rest.length,
    routes: [...routes.values()],
  };
}
