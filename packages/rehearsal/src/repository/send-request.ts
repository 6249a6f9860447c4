import { parseLinkHeader } from '@agent/platforms/examination';
import { parseJson } from '@agent/text/json';
import { z } from 'zod';
import type { RepositoryClientOptions } from './repository-client.ts';

/** Request of a client that the platform refused or did not answer. */
export class PlatformRequestError extends Error {
  readonly code = 'client';
  /** Status of the answer; null without one. */
  readonly status: number | null;
  /** Milliseconds after which the platform accepts requests again; null if it did not limit them. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { status, retryAfterMs = null, ...options }: PlatformRequestErrorOptions) {
    super(message, options);
    this.name = 'PlatformRequestError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

interface PlatformRequestErrorOptions extends ErrorOptions {
  readonly status: number | null;
  /** Default null. */
  readonly retryAfterMs?: number | null;
}

/** Answer with a status below 300, or with a status that the caller expects. */
export interface ParsedAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly headers: Headers;
}

/** Options of a request. */
export interface RequestOptions {
  readonly body?: object | undefined;
  /** Statuses that are no error beside those below 300. Default none. */
  readonly accepts?: readonly number[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends the requests of one account. */
export interface RequestSender {
  /** @throws PlatformRequestError for a refusal, or without an answer */
  readonly send: (method: string, path: string, options?: RequestOptions) => Promise<ParsedAnswer>;
  /** Reads all pages of a list. */
  readonly list: (path: string) => Promise<readonly unknown[]>;
}

/** Most pages of a list that are read. */
const maxPages = 50;
/** Longest part of an answer that an error quotes. */
const quotedChars = 200;

/** A token in a header. */
const tokenFormat = /^[\x21-\x7e]+$/;

/** Sends requests of one account. `root`: the address that paths start from. */
export function createRequestSender(
  { token, fetch: request, timeoutMs, signal }: RepositoryClientOptions,
  root: string,
): RequestSender {
  const base = new URL(root);
  const send: RequestSender['send'] = async (method, path, { body, accepts = [], headers = {} } = {}) => {
    const route = `${method} ${path.split('?')[0]}`;
    const value = await token();
    // Errors of `fetch` quote a header that it refuses.
    if (!tokenFormat.test(value))
      throw new PlatformRequestError(
        `${route} was not sent: the token contains characters that no token has.`,
        {
          status: null,
        },
      );
    const init: RequestInit = {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${value}`,
        'user-agent': 'agent-rehearsal',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    };
    const response = await request(toAddress(root, path), init).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new PlatformRequestError(`${route} got no answer: ${findReason(cause)}`, { status: null, cause });
    });
    const text = await response.text();
    const json = text === '' ? null : parseJson(text);
    const { status } = response;
    if (status < 300 || accepts.includes(status)) return { status, json, headers: response.headers };
    const retryAfterMs = findRetryAfter(response, quote(json));
    throw new PlatformRequestError(`${route} got ${status}${quote(json)}`, { status, retryAfterMs });
  };
  return {
    send,
    list: async (path) => {
      const all: unknown[] = [];
      let next: string | null = path;
      for (let page = 0; next !== null && page < maxPages; page += 1) {
        const { json, headers }: ParsedAnswer = await send('GET', next);
        all.push(...(Array.isArray(json) ? json : []));
        next = findNextPage(headers, base);
      }
      return all;
    },
  };
}

/** Finds the path and query of the next page in the `Link` header; null at the end, and for a link to another host. */
export function findNextPage(headers: Headers, base: URL): string | null {
  const link = parseLinkHeader(headers.get('link'), base.host).get('next');
  const url = link === undefined ? null : URL.parse(link, base.href);
  return url === null || url.origin !== base.origin ? null : url.href;
}

/** Wait after a limited request that names none, as GitHub documents it for secondary limits. */
const defaultRetryMs = 60_000;

/** Finds how long a rate limit lasts, in milliseconds; null if the answer is no rate limit. */
function findRetryAfter({ status, headers }: Response, said: string): number | null {
  const wait = headers.get('retry-after');
  const isSpent = headers.get('x-ratelimit-remaining') === '0';
  const isLimit =
    status === 429 || (status === 403 && (wait !== null || isSpent || /rate limit/i.test(said)));
  if (!isLimit) return null;
  if (wait !== null && /^\d+$/.test(wait)) return Number(wait) * 1_000;
  const now = Date.parse(headers.get('date') ?? '');
  const resetMs = Number(headers.get('x-ratelimit-reset')) * 1_000 - now;
  return isSpent && resetMs > 0 ? resetMs : defaultRetryMs;
}

function toAddress(root: string, path: string): string {
  return /^https?:/.test(path) ? path : `${root}${path}`;
}

function quote(json: unknown): string {
  const { message, error } = (json ?? {}) as { readonly message?: unknown; readonly error?: unknown };
  const said = message ?? error;
  if (said === undefined) return '';
  return `: ${(typeof said === 'string' ? said : JSON.stringify(said)).slice(0, quotedChars)}`;
}

/** Finds why there was no answer: fetch hides it in a chain of causes. */
function findReason(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message } = last as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' ? code : String(message ?? last);
}

/** Reads what a list answers about the platform: pages, conditional requests, clock and rate limit. */
export async function probeList(client: RequestSender, path: string) {
  const first = await client.send('GET', path);
  const etag = first.headers.get('etag');
  const again =
    etag === null
      ? null
      : await client.send('GET', path, { accepts: [304], headers: { 'if-none-match': etag } });
  const date = Date.parse(first.headers.get('date') ?? '');
  const limits = ['x-ratelimit-remaining', 'ratelimit-remaining'];
  return {
    hasNextPage: parseLinkHeader(first.headers.get('link'), 'The platform').has('next'),
    conditionalStatus: again?.status ?? null,
    serverTime: Number.isNaN(date) ? null : date,
    hasRateLimit: limits.some((name) => first.headers.has(name)),
  };
}

/** Labels that a rehearsal creates. */
export interface LabelClient {
  /** False if the label exists. */
  readonly create: (name: string) => Promise<boolean>;
  /** True for a label that a rehearsal created, by its description. */
  readonly isOwn: (name: string) => Promise<boolean>;
  /** A label that is gone is not an error. */
  readonly remove: (name: string) => Promise<void>;
}

const labelDescription = 'agent-daemon rehearse';
const labelSchema = z.object({ description: z.string().nullish() });

/** Creates the client of the labels at this path. `existsStatus`: answer to the creation of a label that exists. */
export function createLabelClient(
  { send }: RequestSender,
  {
    path,
    color,
    existsStatus,
  }: { readonly path: string; readonly color: string; readonly existsStatus: number },
): LabelClient {
  const placeOf = (name: string) => `${path}/${encodeURIComponent(name)}`;
  return {
    create: async (name) => {
      const body = { name, color, description: labelDescription };
      return (await send('POST', path, { body, accepts: [existsStatus] })).status !== existsStatus;
    },
    isOwn: async (name) => {
      const { status, json } = await send('GET', placeOf(name), { accepts: [404] });
      return status !== 404 && labelSchema.parse(json).description === labelDescription;
    },
    remove: async (name) => {
      await send('DELETE', placeOf(name), { accepts: [404, 410] });
    },
  };
}

/** Finds the first added line of a patch; null for none. */
export function findAddedLine(patch: string): number | null {
  let line = 0;
  for (const text of patch.split('\n')) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)?.[1];
    if (hunk !== undefined) line = Number(hunk);
    else if (text.startsWith('+')) return line;
    else if (!text.startsWith('-')) line += 1;
  }
  return null;
}
