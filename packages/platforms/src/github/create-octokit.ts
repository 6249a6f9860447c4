import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { Octokit } from '@octokit/rest';
import Bottleneck from 'bottleneck';
import { waitOutLimit } from '../http/rate-limits.ts';
import type { GitHubSettings } from './github-options.ts';

/** Options that a call may give Octokit beside its address; the plugins pass it through. */
export interface OctokitCallOptions {
  readonly fetch: typeof globalThis.fetch;
  /**
   * 0 for a call that is never repeated. No other number: the plugin repeats whatever failed for a call that names
   * its retries, refusals and 304 included.
   */
  readonly retries?: 0;
  /** Longest rate limit that this call waits out; 0 for none. */
  readonly maxWaitMs: number;
  /** Milliseconds that the last refusal asked for, by the clock of the settings; the plugin knows only the real one. */
  readonly askedWaitMs: () => number | null;
  readonly signal?: AbortSignal;
  readonly redirect?: 'manual';
}

const PatientOctokit = Octokit.plugin(throttling, retry);

/**
 * Octokit does not parse the answers, which were parsed when they were read: it looks for numbers too long for JavaScript
 * in them, which takes six times as long and several copies of each, and GitHub's are not.
 */
const takesParsedAnswers = { parseSuccessResponseBody: false };

/** As many polls at once as the plugin allows of other requests; both together are far from GitHub's hundred. */
const pollsAtOnce = 10;

/**
 * An Octokit for calls that are neither repeated nor kept waiting. It has no plugins: each request takes them several
 * timers, which is more than all the rest of a poll of comments takes.
 */
export function createPlainOctokit(settings: GitHubSettings): Octokit {
  const { baseUrl, userAgent } = settings;
  const octokit = new Octokit({
    baseUrl,
    userAgent,
    log: toOctokitLog(settings),
    request: takesParsedAnswers,
  });
  const turns = createSemaphore(pollsAtOnce);
  octokit.hook.wrap('request', (request, options) => turns(async () => request(options)));
  return octokit;
}

/** An Octokit that spaces its writes, waits out short limits and repeats reads, all within the settings' bounds. */
export function createOctokit(settings: GitHubSettings): Octokit {
  const { baseUrl, userAgent, readRetries, retryDelayMs, writeSpacingMs } = settings;
  const spaced = (minTime: number) => new Bottleneck.Group({ maxConcurrent: 1, minTime });
  return new PatientOctokit({
    baseUrl,
    userAgent,
    log: toOctokitLog(settings),
    request: takesParsedAnswers,
    retry: {
      retries: readRetries,
      retryAfterBaseValue: retryDelayMs,
      doNotRetry: [400, 401, 403, 404, 409, 410, 415, 422, 429, 451],
    },
    throttle: {
      write: spaced(writeSpacingMs),
      notifications: spaced(writeSpacingMs * 3),
      search: spaced(writeSpacingMs * 2),
      // The handlers have slept already, by a clock that tests hold and a signal that ends it.
      retryAfterBaseValue: 0,
      onRateLimit: waitOut(settings),
      onSecondaryRateLimit: waitOut(settings),
    },
  });
}

/** The plugin says how long to stay away; the handler does so, or says no. */
function waitOut(settings: GitHubSettings) {
  return async (
    seconds: number,
    request: object,
    _octokit: unknown,
    retryCount: number,
  ): Promise<boolean> => {
    const { maxWaitMs, askedWaitMs, signal } = (request as { request: OctokitCallOptions }).request;
    const waitMs = askedWaitMs() ?? seconds * 1000;
    return waitOutLimit({ waitMs, maxWaitMs, waits: retryCount, signal }, settings);
  };
}

function toOctokitLog({ logger }: GitHubSettings) {
  return {
    debug: () => {},
    info: () => {},
    warn: (text: string) => logger.warn({ text }, 'received Octokit warning'),
    error: () => {},
  };
}

/** Does pieces of work, so many of them at once; the others wait in turn. */
type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Nothing is under way at first. */
export function createSemaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return await work();
    } finally {
      // The place passes to the one that waits longest.
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
