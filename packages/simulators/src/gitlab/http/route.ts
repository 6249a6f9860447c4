import type { IncomingHttpHeaders } from 'node:http';
import { type Address, parseAddress } from '../../shared/http/address.ts';
import type { Token, User } from '../state/model.ts';
import type { World } from '../world.ts';
import type { RateLimits } from './rate-limits.ts';

/** One request, read and authenticated. */
export interface Call extends World {
  readonly limits: RateLimits;
  /** Base of the pages and of git, without a slash at its end. */
  readonly web: string;
  readonly method: string;
  /** Path below `/api/v4`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Query and body together, as GitLab reads them. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly viewer: User | null;
  readonly token: Token | null;
}

/** The answer of a route. `body` undefined is an answer without one. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<Of extends Call = Call> = (call: Of) => Answer | Promise<Answer>;

/** An address that the simulated GitLab knows. */
export interface Route extends Address {
  readonly handle: Handler;
}

/** `route('GET /projects/{id}', handler)`. */
export function route(address: string, handle: Handler): Route {
  return { ...parseAddress(address), handle };
}

/** A parameter of the address, decoded. */
export function parameter(call: Call, name: string): string {
  return call.parameters[name] ?? '';
}

/** 200 with a body. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** 201 with a body. */
export function created(body: unknown): Answer {
  return { status: 201, body };
}

/** 204. */
export function noContent(): Answer {
  return { status: 204 };
}
