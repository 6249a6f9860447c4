import { type Address, occursInAddress } from './address.ts';

/** Kinds of failure that every platform has. */
export const commonFailureKinds = [
  'server-error',
  'bad-gateway-html',
  'reset-connection',
  /** The work is done, then the connection is reset: the client can't know. */
  'reset-after-effect',
  /** 200 with JSON that is cut off. */
  'malformed-json',
  'slow',
  'unauthorized',
  /** Answers with `status`, whatever that means. */
  'refused',
  /** 429 of the network before the server, in plain text. */
  'cloudflare-1015',
  /** A page of a list without its `Link` header. */
  'link-missing',
  /** The links of a page lead to another host, as behind a proxy that does not rewrite them. */
  'link-foreign',
  /** The links of a page have a cursor instead of a number. */
  'keyset-links',
  /** A proxy passes on neither links nor ETag, Date, Retry-After and the headers of rate limits. */
  'headers-dropped',
  /** A proxy changes links, ETag, Date and Retry-After, each in a way that is known of one. */
  'headers-rewritten',
  /** A list does not have what is younger than `delayMs` (default 60,000); edits are shown at once. */
  'lag',
] as const;

/** A failure on demand. */
export interface DemandedFailure<Kind extends string = string> {
  /** Requests that are meant: method (any when left out), and a part or pattern of the path with query (default: any). */
  readonly method?: string;
  readonly path?: string | RegExp;
  /** Number of requests that fail; default 1, and `always` with `forMs`. */
  readonly times?: number | 'always';
  /** Milliseconds of the server's clock from the first request that fails; then it is over. Default: no end. */
  readonly forMs?: number;
  /** All but `reset-after-effect`, `slow`, `lag` and those of links and headers come instead of the request's effect. */
  readonly kind: Kind;
  /** For `slow`: how long; default 1,000. For `lag`: default 60,000. */
  readonly delayMs?: number;
  /** For limits: the Retry-After; default 60. */
  readonly retryAfterSeconds?: number;
  /** For `refused`, and for GitHub's limits; default 403. */
  readonly status?: number;
}

/** Failures that were asked for and have not all happened yet. */
export interface Failures<Failure extends DemandedFailure> {
  /** @throws TypeError that names what is unknown: a kind, a field, `times`, or a path that no address has */
  readonly add: (failure: Failure) => void;
  /** The failure that this request gets, used up by one; null for none. The one asked for first goes first; those without end go last. */
  readonly take: (request: { readonly method: string; readonly path: string }) => Failure | null;
}

/** What a simulator knows, by which failures are checked. */
export interface KnownRequests {
  readonly kinds: readonly string[];
  readonly addresses: readonly Address[];
  /** Names that may stand in an address: of accounts and repositories. */
  readonly names: () => Iterable<string>;
}

interface WaitingFailure<Failure> {
  readonly failure: Failure;
  left: number;
  /** Milliseconds since the epoch, from its first request on. */
  end: number;
}

/** No failures yet. */
export function createFailures<Failure extends DemandedFailure>(
  known: KnownRequests,
  now: () => number = Date.now,
): Failures<Failure> {
  const waiting: WaitingFailure<Failure>[] = [];
  return {
    add: (failure) => {
      checkFailure(failure, known);
      const { forMs, times = forMs === undefined ? 1 : 'always' } = failure;
      const left = times === 'always' ? Number.POSITIVE_INFINITY : times;
      waiting.push({ failure, left, end: Number.POSITIVE_INFINITY });
    },
    take: (request) => {
      const at = now();
      const meant = waiting.filter(
        ({ failure, left, end }) => left > 0 && at < end && isMeant(failure, request),
      );
      const entry = meant.find(({ left }) => left !== Number.POSITIVE_INFINITY) ?? meant[0];
      if (!entry) return null;
      entry.left -= 1;
      entry.end = Math.min(entry.end, at + (entry.failure.forMs ?? Number.POSITIVE_INFINITY));
      return entry.failure;
    },
  };
}

function isMeant(
  { method, path = '' }: DemandedFailure,
  request: { readonly method: string; readonly path: string },
): boolean {
  if (method && method.toUpperCase() !== request.method) return false;
  if (typeof path === 'string') return request.path.includes(path);
  // `search` ignores the state that a pattern with the flag g or y keeps between tests.
  return request.path.search(path) >= 0;
}

const fields = ['method', 'path', 'times', 'forMs', 'kind', 'delayMs', 'retryAfterSeconds', 'status'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A failure that can never happen makes a test pass that shows nothing. */
function checkFailure(failure: DemandedFailure, known: KnownRequests): void {
  const { kind, method, path = '', times = 1, status = 403 } = failure;
  const { forMs = 1, delayMs = 1, retryAfterSeconds = 1 } = failure;
  const refuse = (field: string, expected: string): never => {
    const value = JSON.stringify(failure[field as keyof DemandedFailure]);
    throw new TypeError(`fail: ${field} ${value} is not ${expected}.`);
  };
  for (const field of Object.keys(failure))
    if (!fields.includes(field)) throw new TypeError(`fail: ${field} is not one of ${fields.join(', ')}.`);
  if (!known.kinds.includes(kind)) refuse('kind', `one of ${known.kinds.join(', ')}`);
  if (method !== undefined && !methods.includes(method.toUpperCase())) refuse('method', methods.join(', '));
  const isCount = times === 'always' || times === Number.POSITIVE_INFINITY || isPositive(times);
  if (!isCount) refuse('times', 'a positive integer or "always"');
  if (!Number.isInteger(status) || status < 400 || status > 599) refuse('status', 'from 400 to 599');
  if (!isPositive(forMs)) refuse('forMs', 'a positive integer');
  if (!isPositive(delayMs)) refuse('delayMs', 'a positive integer');
  if (!isPositive(retryAfterSeconds)) refuse('retryAfterSeconds', 'a positive integer');
  if (path instanceof RegExp) return;
  if (typeof path !== 'string') refuse('path', 'a text or a regular expression');
  else if (!occursInAddress(path, known.addresses, known.names()))
    refuse('path', 'part of an address that this simulator has');
}

function isPositive(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}
