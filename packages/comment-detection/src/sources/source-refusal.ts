import { toErrorMessage } from '@agent/text';
import type * as z from 'zod';

interface Refusal {
  readonly status?: unknown;
  readonly response?: { readonly headers?: unknown };
  readonly cause?: { readonly response?: { readonly status?: unknown; readonly headers?: unknown } };
}

/** Reads the status of an error: Octokit has it itself, Gitbeaker in the response of its cause. */
function statusOf(error: unknown): number | null {
  const { status, cause } = (error ?? {}) as Refusal;
  const found = status ?? cause?.response?.status;
  return typeof found === 'number' ? found : null;
}

/** Tells whether the platform refused with this status, and not because of a limit. */
export function hasStatus(error: unknown, status: number): boolean {
  return (
    statusOf(error) === status && (error as { readonly retryAfterMs?: unknown }).retryAfterMs === undefined
  );
}

/** Tells whether what was asked for does not exist. */
export function isGone(error: unknown): boolean {
  return hasStatus(error, 404) || hasStatus(error, 410);
}

/** Reads an answer. One in another form was cut or replaced on its way, e.g. by a proxy: waiting may help. */
export function readAnswer<Answer>(
  data: unknown,
  { what, schema }: { readonly what: string; readonly schema: z.ZodType<Answer> },
): Answer {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  throw unreadable(what, read.error);
}

function unreadable(what: string, cause: unknown): Error {
  const message = `${what} could not be read: the answer is not what was requested. It was probably cut or replaced on its way, e.g. by a proxy.`;
  return Object.assign(new Error(message, { cause }), { code: 'unavailable' });
}

/**
 * Adds to an error of a client what a manager reads: its status, and how long a limit asks to wait. GitHub answers its limits with 403,
 * too. The error of the client is the cause.
 */
export function translateRefusal(
  error: unknown,
  { what, now }: { readonly what: string; readonly now: () => number },
): unknown {
  const status = statusOf(error);
  // The body of an answer that is no JSON.
  if (status === null) return error instanceof SyntaxError ? unreadable(what, error) : error;
  const retryAfterMs = readWait(error, { status, now });
  const message = `${what} could not be read (${status}): ${toErrorMessage(error)}`;
  return Object.assign(new Error(message, { cause: error }), {
    status,
    ...(retryAfterMs === null ? {} : { code: 'rate-limited', retryAfterMs }),
  });
}

const secondaryLimit = /secondary rate limit|abuse detection/iu;
/** Least time that GitHub asks to wait where it names none. */
const defaultWaitMs = 60_000;

function readWait(
  error: unknown,
  { status, now }: { readonly status: number; readonly now: () => number },
): number | null {
  if (status !== 403 && status !== 429) return null;
  const { response, cause } = error as Refusal;
  const read = toReader(response?.headers ?? cause?.response?.headers);
  const seconds = Number(read('retry-after'));
  if (read('retry-after') !== null && seconds >= 0) return seconds * 1_000;
  const reset = read('x-ratelimit-reset') ?? read('ratelimit-reset');
  const isSpent = status === 429 || read('x-ratelimit-remaining') === '0';
  // GitHub may say it of a secondary limit in words alone, beside headers of the primary one, which is not spent.
  const isSecondary = secondaryLimit.test(toErrorMessage(error));
  if (!isSpent && !isSecondary) return null;
  return reset === null || isSecondary ? defaultWaitMs : Math.max(1_000, Number(reset) * 1_000 - now());
}

/** Headers are a `Headers`, or a plain object with names in lower case. */
function toReader(headers: unknown): (name: string) => string | null {
  if (headers instanceof Headers) return (name) => headers.get(name);
  const plain = (headers ?? {}) as Readonly<Record<string, unknown>>;
  return (name) => (plain[name] === undefined ? null : String(plain[name]));
}
