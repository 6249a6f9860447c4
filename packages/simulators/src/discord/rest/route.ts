import type { World } from '../state/world.ts';

export interface RouteRequest {
  readonly world: World;
  /** The parts of the path that have a name in the route. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed; undefined when there was none. */
  readonly body: unknown;
  /** Address of the gateway. */
  readonly gatewayUrl: string;
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: object | null;
}

export type RouteHandler = (request: RouteRequest) => RouteAnswer;

export function answer(status: number, body: object | null = null): RouteAnswer {
  return { status, body };
}
