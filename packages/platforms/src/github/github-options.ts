import { setTimeout as wait } from 'node:timers/promises';
import type { Locale } from '../fit-comment-body.ts';
import { PlatformError } from '../platform-error.ts';

/** What pino, its children and console all satisfy. */
export interface PlatformLogger {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

/** What `createGitHubPlatform` needs to know: whom to ask, as whom, and how patiently. */
export interface GitHubPlatformOptions {
  /** Personal access token, installation token or `GITHUB_TOKEN`. */
  readonly token: string;
  /** `owner/repo` of every repository whose threads may become tasks. */
  readonly repositories: readonly string[];
  /** REST address; default `https://api.github.com`. GitHub Enterprise Server: `https://host/api/v3`. */
  readonly baseUrl?: string;
  /** The host that keys are filed under; default: that of the base URL (`github.com` for api.github.com). */
  readonly host?: string;
  /** Milliseconds until a request without a full answer is given up; default 15,000. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds between two writes; default 1,000, as GitHub asks. Three times as much between writes that notify
   * people, twice as much between searches. 0 for a server of your own.
   * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
   */
  readonly writeSpacingMs?: number;
  /** Further attempts of a read that failed with 5xx, a broken connection or a timeout; default 2. Writes: none. */
  readonly readRetries?: number;
  /** Milliseconds before the first of these attempts, four times as much before the second; default 1,000. */
  readonly retryDelayMs?: number;
  /** Longest rate limit, in milliseconds, that a call waits out itself; default 60,000. Comment listings never wait. */
  readonly maxRateLimitWaitMs?: number;
  /** Milliseconds before a comment whose answer was lost is looked for; default 2,000. */
  readonly lookAgainDelayMs?: number;
  readonly userAgent?: string;
  /** Our login, asked for where the token cannot say who it is (installation tokens). */
  readonly botName?: string;
  /** Colour (six hex digits) and description of a label that is missing. */
  readonly labelStyle?: (name: string) => { readonly color: string; readonly description: string };
  /** Language of the note in a comment that had to be cut; default `ja`. */
  readonly locale?: Locale;
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly logger?: PlatformLogger;
}

/** The options with every default in place. */
export type GitHubSettings = Required<Omit<GitHubPlatformOptions, 'botName'>> & {
  readonly botName: string | null;
};

const silent: PlatformLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** @throws PlatformError `invalid` that names the option */
export function toGitHubSettings(options: GitHubPlatformOptions): GitHubSettings {
  const baseUrl = requireBaseUrl(options.baseUrl ?? 'https://api.github.com');
  return {
    token: requireToken(options.token),
    repositories: options.repositories.map(requireRepository),
    baseUrl,
    host: options.host ?? hostOf(baseUrl),
    timeoutMs: options.timeoutMs ?? 15_000,
    writeSpacingMs: options.writeSpacingMs ?? 1000,
    readRetries: options.readRetries ?? 2,
    retryDelayMs: options.retryDelayMs ?? 1000,
    maxRateLimitWaitMs: options.maxRateLimitWaitMs ?? 60_000,
    lookAgainDelayMs: options.lookAgainDelayMs ?? 2000,
    userAgent: options.userAgent ?? 'agent-platforms',
    botName: options.botName ?? null,
    labelStyle: options.labelStyle ?? (() => ({ color: '1d76db', description: 'Set by the coding agent' })),
    locale: options.locale ?? 'ja',
    fetch: options.fetch ?? globalThis.fetch,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal })),
    logger: options.logger ?? silent,
  };
}

function requireToken(token: string): string {
  if (/^[\x21-\x7e]+$/u.test(token)) return token;
  throw invalid('the token is empty or has spaces, line breaks or letters that no token has. Set it again.');
}

function requireRepository(path: string): string {
  if (/^[\w.-]+\/[\w.-]+$/u.test(path)) return path;
  throw invalid(`${JSON.stringify(path)} is not a repository. Write owner/repo.`);
}

function requireBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalid(
      'baseUrl must be an http(s) address without user and password, e.g. https://api.github.com or ' +
        'https://host/api/v3 for GitHub Enterprise Server.',
    );
  }
  return text.replace(/\/+$/u, '');
}

function hostOf(baseUrl: string): string {
  const { host } = new URL(baseUrl);
  return host === 'api.github.com' ? 'github.com' : host;
}

function invalid(message: string): PlatformError {
  return new PlatformError(`GitHub: ${message}`, { code: 'invalid' });
}
