import { setTimeout as wait } from 'node:timers/promises';
import type { Locale, Logger } from '@agent/text';
import {
  type Expectation,
  type ExpectationsOf,
  expected,
  expectNumber,
  expectOneOf,
  expectPort,
} from '@agent/text/options';
import type { RequestRecord } from '../model.ts';
import { PlatformError } from '../platform-error.ts';
import type { OpenThreadOptions } from '../ports.ts';
import { type Credential, createStaticCredential, isToken } from './credential.ts';

/** Options that every platform behind an HTTP API has. */
export interface ConnectionOptions {
  /** A token that stays as it is, or a credential that renews its tokens. */
  readonly token: string | Credential;
  readonly baseUrl?: string;
  /** The host that keys are filed under; default: that of the base URL. */
  readonly host?: string;
  /** Milliseconds until a request without a full answer is given up; default 15,000. */
  readonly timeoutMs?: number;
  /** Milliseconds between two writes; default 1,000. 0 for a server of your own. */
  readonly writeSpacingMs?: number;
  /** Further attempts of a read that failed with 5xx, a broken connection or a timeout; default 2. Writes: none. */
  readonly readRetries?: number;
  /** Milliseconds before the first of these attempts, four times as much before the second; default 1,000. */
  readonly retryDelayMs?: number;
  /** Longest rate limit, in milliseconds, that a call waits out itself; default 60,000. Comment listings never wait. */
  readonly maxRateLimitWaitMs?: number;
  /** Milliseconds before a comment whose answer was lost is looked for; default 2,000. */
  readonly recheckDelayMs?: number;
  readonly userAgent?: string;
  /** Color (six hex digits) and description of a label that is missing. */
  readonly labelStyle?: (name: string) => { readonly color: string; readonly description: string };
  /** Language of the note in a comment that had to be cut; default `en`. */
  readonly locale?: Locale;
  /** Told of every request, whichever thread it is for: what a request budget is kept by. */
  readonly onRequest?: (record: RequestRecord) => void;
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => number;
  /**
   * Milliseconds on a clock that is never set, by which requests are spaced and limits waited out; default that of the
   * process, or `now` if it is given.
   */
  readonly monotonicNow?: () => number;
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly logger?: Logger;
}

/** The options with every default in place. */
export interface ConnectionSettings extends Omit<Required<ConnectionOptions>, 'token'> {
  readonly credential: Credential;
  /** The server's time in milliseconds since 1970, as its last answer showed it; `now` before the first one. */
  readonly serverNow: () => number;
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Values that a platform has of its own where the options say nothing. */
export interface ConnectionDefaults {
  /** `GitHub` */
  readonly service: string;
  readonly baseUrl: string;
  /** Form of the base URL of one's own server: `https://host/api/v3 for GitHub Enterprise Server`. */
  readonly ownServer: string;
}

const expectNumberOfMs = expectNumber(0);

/** Conditions of the options of a platform behind an HTTP API. */
export function toConnectionExpectations({
  service,
  baseUrl,
  ownServer,
}: ConnectionDefaults): ExpectationsOf<ConnectionOptions> {
  return {
    token: {
      isMet: (value) => typeof value === 'string' || expectPort('token', 'login').isMet(value),
      text: `a token, such as the value of ${service.toUpperCase()}_TOKEN, or a credential`,
      isSecret: true,
    },
    baseUrl: { ...expected.httpUrl, text: `${expected.httpUrl.text}, e.g. ${baseUrl} or ${ownServer}` },
    host: expected.text,
    timeoutMs: expectNumberOfMs,
    writeSpacingMs: expectNumberOfMs,
    readRetries: expectNumber(0, { isWhole: true }),
    retryDelayMs: expectNumberOfMs,
    maxRateLimitWaitMs: expectNumberOfMs,
    recheckDelayMs: expectNumberOfMs,
    userAgent: expected.text,
    labelStyle: expected.function,
    locale: expectOneOf('en', 'ja'),
    onRequest: expected.function,
    fetch: expected.function,
    now: expected.function,
    monotonicNow: expected.function,
    sleep: expected.function,
    logger: expected.logger,
  };
}

/** Names of repositories or projects, or a function that returns them each time where they may change. */
export function expectPlaces(option: string): Expectation {
  return {
    isMet: (value) => Array.isArray(value) || typeof value === 'function',
    text: `an array of the ${option} that tasks come from, [] for none, or a function that returns one`,
  };
}

/** @throws PlatformError `invalid` that names what an option contains and cannot contain */
export function toConnectionSettings(
  options: ConnectionOptions,
  defaults: ConnectionDefaults,
  processNow: () => number = () => performance.now(),
): ConnectionSettings {
  const credential = toCredential(options.token, defaults);
  const baseUrl = (options.baseUrl ?? defaults.baseUrl).replace(/(?<!\/)\/+$/u, '');
  const now = options.now ?? Date.now;
  return {
    credential,
    baseUrl,
    host: options.host ?? new URL(baseUrl).host,
    timeoutMs: options.timeoutMs ?? 15_000,
    writeSpacingMs: options.writeSpacingMs ?? 1000,
    readRetries: options.readRetries ?? 2,
    retryDelayMs: options.retryDelayMs ?? 1000,
    maxRateLimitWaitMs: options.maxRateLimitWaitMs ?? 60_000,
    recheckDelayMs: options.recheckDelayMs ?? 2000,
    userAgent: options.userAgent ?? 'agent-platforms',
    labelStyle: options.labelStyle ?? (() => ({ color: '1d76db', description: 'Set by the coding agent' })),
    locale: options.locale ?? 'en',
    onRequest: options.onRequest ?? (() => {}),
    monotonicNow: options.monotonicNow ?? options.now ?? processNow,
    ...readingClock(options.fetch ?? globalThis.fetch, { baseUrl, now }),
    now,
    sleep: options.sleep ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal })),
    logger: options.logger ?? silent,
  };
}

/** The same fetch, which notes the time of the server at this address: `Date` has whole seconds. */
function readingClock(
  ask: typeof globalThis.fetch,
  { baseUrl, now }: Pick<ConnectionSettings, 'baseUrl' | 'now'>,
): Pick<ConnectionSettings, 'fetch' | 'serverNow'> {
  const { origin } = new URL(baseUrl);
  let aheadMs = 0;
  return {
    fetch: async (input, init) => {
      const response = await ask(input, init);
      const date = Date.parse(response.headers.get('date') ?? '');
      const { origin: asked } = new URL(input instanceof Request ? input.url : input);
      if (asked === origin && !Number.isNaN(date)) aheadMs = date - now();
      return response;
    },
    serverNow: () => now() + aheadMs,
  };
}

/** The same settings, which tell this callback of every request, too. */
export function tellingTo<Settings extends Pick<ConnectionSettings, 'onRequest'>>(
  settings: Settings,
  { onRequest }: OpenThreadOptions,
): Settings {
  const tell: ConnectionSettings['onRequest'] = (record) => {
    settings.onRequest(record);
    onRequest?.(record);
  };
  return { ...settings, onRequest: tell };
}

function toCredential(token: string | Credential, { service }: ConnectionDefaults): Credential {
  if (typeof token === 'object') return token;
  if (isToken(token)) return createStaticCredential(token);
  throw invalidOption(
    service,
    'the token is empty, or has spaces, line breaks or characters that no token has. Set it again.',
  );
}

/** Creates the error of an option whose contents the platform would refuse, before anything is asked. */
export function invalidOption(service: string, message: string): PlatformError {
  return new PlatformError(`${service}: ${message}`, { code: 'invalid' });
}

/** Reads the places that tasks come from, each time where they may change. `check` throws for a place that cannot be right. */
export function readPlaces(
  places: readonly string[] | (() => readonly string[]),
  check: (place: string) => string,
): () => readonly string[] {
  if (typeof places === 'function') return () => places().map(check);
  const checked = places.map(check);
  return () => checked;
}
