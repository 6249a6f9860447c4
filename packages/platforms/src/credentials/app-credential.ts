import * as z from 'zod';
import { untilAborted } from '../http/time-limit.ts';
import { PlatformError } from '../platform-error.ts';
import { askForInstallation } from './app-installation.ts';
import { type AppConnection, type AppRequests, createAppRequests } from './app-requests.ts';
import {
  type Credential,
  type IssuedToken,
  type OnToken,
  type TokenOptions,
  unusableCredential,
} from './credential.ts';

/** Options of `createAppCredential`. */
export interface AppCredentialOptions extends Pick<AppConnection, 'privateKey'> {
  /** The App ID or client ID on the App's settings page. */
  readonly appId: string | number;
  /** Number of the installation, `owner/repo` of a repository that the App is installed for, or the account as `owner/*`. */
  readonly installation: number | string;
  /** REST address. Default `https://api.github.com`. */
  readonly baseUrl?: string | undefined;
  /** Milliseconds for one request. Default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Default nothing. */
  readonly onToken?: OnToken | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds before its end from which a token is renewed: longer than any one request or push should take. */
const renewalMs = 10 * 60_000;
/** Milliseconds between two attempts to renew a token that still holds. */
const retryMs = 30_000;
/** Milliseconds for which a new token is not replaced, whoever refuses it: a revoked installation gets no token per request. */
const settledMs = 10_000;

interface HeldToken extends IssuedToken {
  readonly endsAt: number;
  readonly issuedAt: number;
}

/**
 * The credential of a GitHub App where it is installed. Tokens live for an hour; one is renewed well before its end, once for all who ask,
 * and as soon as GitHub refuses it.
 *
 * @example
 * const credential = createAppCredential({ appId: 1234, privateKey: () => readFile('app.pem', 'utf8'), installation: 'octo/hello' });
 * const platform = createGitHubPlatform({ token: credential, repositories: ['octo/hello'] });
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-as-a-github-app-installation
 */
export function createAppCredential(options: AppCredentialOptions): Credential {
  const connection = toConnection(options);
  const { now } = connection;
  const requests = createAppRequests(connection);
  const issue = createIssuer(requests, options);
  const findLogin = createLoginFinder(requests);
  let held: HeldToken | null = null;
  let renewing: Promise<HeldToken> | null = null;
  let nextAttempt = 0;
  const renew = () => {
    renewing ??= issue()
      .then(({ value, endsAt }) => {
        options.onToken?.({ value, endsAt });
        held = { value, endsAt, issuedAt: now() };
        return held;
      })
      .catch((error: unknown) => {
        nextAttempt = now() + retryMs;
        throw error;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  };
  return {
    token: async ({ refused, signal }: TokenOptions = {}) => {
      signal?.throwIfAborted();
      const need = judgeToken(held, { refused, now: now(), nextAttempt });
      if (held !== null && need === 'holds') return held;
      // The caller may leave; others wait for the same token.
      const renewed = untilAborted(renew(), signal);
      if (held === null || need === 'needed') return renewed;
      const still = held;
      return renewed.catch((error: unknown) => {
        signal?.throwIfAborted();
        if (PlatformError.isInstance(error)) return still;
        throw error;
      });
    },
    login: findLogin,
    renew: async ({ signal } = {}) => void (await untilAborted(renew(), signal)),
  };
}

/** Decides whether a token can be used as it is, ought to be renewed while it holds, or has to be. */
function judgeToken(
  held: HeldToken | null,
  {
    refused,
    now,
    nextAttempt,
  }: { readonly refused: string | undefined; readonly now: number; readonly nextAttempt: number },
): 'holds' | 'wanted' | 'needed' {
  if (held === null || held.endsAt <= now) return 'needed';
  if (held.value === refused) return now - held.issuedAt < settledMs ? 'holds' : 'needed';
  return held.endsAt - renewalMs > now || now < nextAttempt ? 'holds' : 'wanted';
}

const issuedSchema = z.object({ token: z.string(), expires_at: z.string() });
const installationSchema = z.object({ id: z.number() });

/** Makes tokens of the installation, which is looked for once, and again where it is gone: somebody may have installed the App anew. */
function createIssuer(
  { ask, toOurTime }: AppRequests,
  { installation }: Pick<AppCredentialOptions, 'installation'>,
) {
  let known: number | null = typeof installation === 'number' ? installation : null;
  return async (): Promise<{ readonly value: string; readonly endsAt: number }> => {
    try {
      known ??= (await askForInstallation(ask, { place: String(installation), schema: installationSchema }))
        .id;
      const route = `POST /app/installations/${known}/access_tokens`;
      const doing = `make a token of installation ${known}`;
      const { token: value, expires_at: end } = await ask({ route, doing }, issuedSchema);
      return { value, endsAt: toOurTime(Date.parse(end)) };
    } catch (error) {
      if (typeof installation === 'string') known = null;
      const { code, message } = error as PlatformError;
      if (code !== 'forbidden' && code !== 'not-found') throw error;
      throw unusableCredential(`${message} Install the App there, or end its suspension.`, {
        reason: 'app-installation',
        cause: error,
      });
    }
  };
}

const appSchema = z.object({ slug: z.string() });

/** Asks once for the App's account, which is named after the App. */
function createLoginFinder({ ask }: AppRequests): Credential['login'] {
  let login: string | null = null;
  return async ({ signal } = {}) => {
    login ??= `${(await ask({ route: 'GET /app', doing: 'ask who the App is', signal }, appSchema)).slug}[bot]`;
    return login;
  };
}

/** Fills in the defaults of asking as an App. */
export function toConnection(options: AppCredentialOptions): AppConnection {
  const { appId, privateKey, timeoutMs = 15_000, fetch = globalThis.fetch, now = Date.now } = options;
  const baseUrl = (options.baseUrl ?? 'https://api.github.com').replace(/(?<!\/)\/+$/u, '');
  return { appId: String(appId), privateKey, baseUrl, timeoutMs, fetch, now };
}
