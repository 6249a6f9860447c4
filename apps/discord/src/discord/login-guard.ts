import { DefaultRestOptions, type RESTOptions } from 'discord.js';
import { BotError } from '../bot-error.ts';
import { type Clock, sleep } from '../waits.ts';

type MakeRequest = RESTOptions['makeRequest'];
type Headers = NonNullable<Parameters<MakeRequest>[1]['headers']>;

/** Milliseconds before each question whether the token is still good. */
const checkPausesMs = [0, 1_000, 3_000];
/** For one such question. */
const checkTimeoutMs = 10_000;
/** Number of times that one request is sent while Discord refuses it and accepts the token. */
const maxTries = 4;

export interface LoginGuardOptions {
  /** `https://discord.com/api`. */
  readonly apiUrl: string;
  readonly clock: Clock;
  /** Sends requests. Default: as the library does. */
  readonly makeRequest?: MakeRequest | undefined;
  /** Text for people when the token is no longer accepted. */
  readonly wrongToken: string;
}

/** Stands between the library and Discord's REST API, and answers for the token. */
export interface LoginGuard {
  readonly makeRequest: MakeRequest;
  /** Begins to guard; until then a 401 is the login's own business. */
  readonly watch: () => void;
  /** Rejects when Discord no longer accepts the token. */
  readonly lost: Promise<never>;
}

/**
 * Keeps 401 from the library, which would forget its token and send nothing any more. A 401 asks for the account
 * behind the token: when there is one, the request is sent again; when the token is refused each time, the login is
 * lost; when nobody answers, nothing is known and the request fails as Discord's failures do.
 *
 * @see https://docs.discord.com/developers/topics/opcodes-and-status-codes#http
 */
export function createLoginGuard(options: LoginGuardOptions): LoginGuard {
  const { apiUrl, clock, wrongToken } = options;
  const { version } = DefaultRestOptions;
  const { makeRequest = DefaultRestOptions.makeRequest } = options;
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  // Whoever waits for the end hears of it; nobody may be waiting yet.
  lost.catch(() => {});
  let isWatching = false;
  let checking: Promise<Verdict> | null = null;

  const askOnce = async (headers: Headers): Promise<Verdict> => {
    try {
      const signal = AbortSignal.timeout(checkTimeoutMs);
      const response = await makeRequest(`${apiUrl}/v${version}/users/@me`, {
        method: 'GET',
        headers,
        signal,
      });
      await response.arrayBuffer();
      if (response.ok) return 'accepted';
      return response.status === 401 ? 'refused' : 'unknown';
    } catch {
      return 'unknown';
    }
  };
  const check = async (headers: Headers): Promise<Verdict> => {
    let verdict: Verdict = 'refused';
    for (const pauseMs of checkPausesMs) {
      await sleep(clock, pauseMs, new AbortController().signal);
      const heard = await askOnce(headers);
      if (heard === 'accepted') return heard;
      if (heard === 'unknown') verdict = heard;
    }
    if (verdict === 'refused') lose(new BotError('login', wrongToken, { status: 401 }));
    return verdict;
  };

  return {
    lost,
    watch: () => {
      isWatching = true;
    },
    makeRequest: async (url, init) => {
      for (let tried = 1; ; tried += 1) {
        const response = await makeRequest(url, init);
        if (response.status !== 401 || !isWatching) return response;
        await response.arrayBuffer();
        // Requests that are refused at once share one answer.
        checking ??= check(init.headers ?? {}).finally(() => {
          checking = null;
        });
        const verdict = await checking;
        const [code, text] = failures[verdict];
        if (verdict !== 'accepted' || tried === maxTries) throw new BotError(code, text, { status: 401 });
      }
    },
  };
}

type Verdict = keyof typeof failures;

const failures = {
  accepted: ['discord-refused', 'Discord rejected this request but accepts the token'],
  refused: ['login', 'Discord no longer accepts the token'],
  unknown: ['discord-temporary', 'Discord answered with 401, but the token may still be valid'],
} as const;
