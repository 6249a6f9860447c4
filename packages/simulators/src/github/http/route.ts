import type { IncomingHttpHeaders } from 'node:http';
import type { Git } from '../../shared/git/git.ts';
import { type Address, parseAddress } from '../../shared/http/address.ts';
import type { App } from '../state/app-model.ts';
import type { State, Token, User } from '../state/model.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Urls } from './urls.ts';

/** One request, read and authenticated. */
export interface Call {
  readonly state: State;
  readonly git: Git;
  readonly limits: RateLimits;
  readonly urls: Urls;
  readonly method: string;
  /** Path without the prefix of an Enterprise server. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; null when there was none. */
  readonly body: unknown;
  readonly viewer: User | null;
  readonly token: Token | null;
  /** App that signed the request itself; null for everybody else. */
  readonly app: App | null;
}

/** The answer of a route. `body` undefined is an answer without one. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: { readonly contentType: string; readonly content: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** An address that the simulated GitHub knows. */
export interface Route extends Address {
  /** Page that documents it, below https://docs.github.com/rest/. */
  readonly docs: string;
  readonly handle: Handler;
}

/** `route('GET /repos/{owner}/{repo}', 'repos/repos#get-a-repository', handler)`. */
export function route(address: string, docs: string, handle: Handler): Route {
  return { ...parseAddress(address), docs, handle };
}

/** A parameter of the address, decoded. */
export function parameter(call: Call, name: string): string {
  return call.parameters[name] ?? '';
}
