import { toErrorMessage } from '@agent/text';

/** Options of a source over somebody's client. */
export interface SourceOptions {
  /** Milliseconds since 1970, for limits that end at a time. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

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

/** Tells whether there is none of what was asked for. */
export function isGone(error: unknown): boolean {
  const status = statusOf(error);
  return status === 404 || status === 410;
}

/**
 * Adds to an error of a client what a manager reads: its status, and how long a limit asks to wait. GitHub answers its limits with 403,
 * too. The error of the client is the cause.
 */
export function translateRefusal(
  error: unknown,
  { thread, now }: { readonly thread: string; readonly now: () => number },
): unknown {
  const status = statusOf(error);
  if (status === null) return error;
  const retryAfterMs = readWait(error, { status, now });
  const message = `The comments of ${thread} could not be read (${status}): ${toErrorMessage(error)}`;
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
