import type { IncomingHttpHeaders } from 'node:http';
import type { Git } from '../git/git.ts';
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
}

/** What a route says. `body` undefined is an answer without one. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: { readonly contentType: string; readonly content: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** An address that the simulated GitHub knows. */
export interface Route {
  readonly method: string;
  /** Segments of the address: text, `{name}`, or `{name+}` for one or more segments. */
  readonly segments: readonly string[];
  /** Which page documents it, below https://docs.github.com/rest/. */
  readonly docs: string;
  readonly handle: Handler;
}

/** `route('GET /repos/{owner}/{repo}', 'repos/repos#get-a-repository', handler)`. */
export function route(address: string, docs: string, handle: Handler): Route {
  const [method = '', path = ''] = address.split(' ');
  return { method, segments: path.split('/').slice(1), docs, handle };
}

/** The route that a request means, with its parameters; null when GitHub has none such. */
export function findRoute(
  routes: readonly Route[],
  request: { readonly method: string; readonly path: string },
): { readonly route: Route; readonly parameters: Record<string, string> } | null {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const segments = request.path.replace(/\/+$/, '').split('/').slice(1);
  if (segments.length === 0) segments.push('');
  for (const candidate of routes) {
    if (candidate.method !== method) continue;
    const parameters = matchSegments(candidate.segments, segments);
    if (parameters) return { route: candidate, parameters };
  }
  return null;
}

/** A parameter of the address, decoded. */
export function parameter(call: Call, name: string): string {
  return call.parameters[name] ?? '';
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = segments[index];
    if (part.endsWith('+}')) {
      parameters[part.slice(1, -2)] = segments.slice(index).map(decode).join('/');
      return segments.length > index ? parameters : null;
    }
    if (value === undefined) return null;
    if (part.startsWith('{')) parameters[part.slice(1, -1)] = decode(value);
    else if (part !== value) return null;
  }
  return pattern.length === segments.length ? parameters : null;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
