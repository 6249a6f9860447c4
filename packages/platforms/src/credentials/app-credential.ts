import { checkOptions, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { untilAborted } from '@agent/text/waiting';
import * as z from 'zod';
import {
  type Credential,
  type IssuedToken,
  type OnToken,
  type TokenOptions,
  unusableCredential,
} from '../http/credential.ts';
import { PlatformError } from '../platform-error.ts';
import { askForInstallation } from './app-installation.ts';
import { pickPermissions } from './app-needs.ts';
import { type AppConnection, type AppRequests, createAppRequests } from './app-requests.ts';

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

const expectations: ExpectationsOf<AppCredentialOptions> = {
  appId: expected.id,
  privateKey: { ...expected.function, text: 'a function that returns the private key', isSecret: true },
  installation: expected.id,
  baseUrl: expected.httpUrl,
  timeoutMs: expectNumber(0),
  onToken: expected.function,
  fetch: expected.function,
  now: expected.function,
};

/** Milliseconds before its end from which a token is renewed: longer than any one request or push should take. */
const renewalMs = 10 * 60_000;
/** Milliseconds between two attempts to renew a token that still holds. */
const retryMs = 30_000;
/** Milliseconds for which a new token is not replaced, whoever refuses it: a revoked installation gets no token per request. */
const settledMs = 10_000;

interface HeldToken extends IssuedToken {
  readonly endsAt: number;
  readonly issuedAt: number;
  /** False for a token of all repositories of the installation. */
  readonly isNarrow: boolean;
}

/**
 * The credential of a GitHub App that is installed. Its tokens have the permissions that runs need, and open the repository of a
 * request alone. A token lives for an hour; it is renewed well before its end, once for all requests, and as soon as GitHub refuses it.
 *
 * @example
 * const credential = createAppCredential({ appId: 1234, privateKey: () => readFile('app.pem', 'utf8'), installation: 'octo/hello' });
 * const platform = createGitHubPlatform({ token: credential, repositories: ['octo/hello'] });
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/authenticating-as-a-github-app-installation
 */
export function createAppCredential(options: AppCredentialOptions): Credential {
  checkOptions('AppCredentialOptions', options, expectations, ['appId', 'privateKey', 'installation']);
  const connection = toConnection(options);
  const { now } = connection;
  const requests = createAppRequests(connection);
  const issue = createIssuer(requests, options);
  const { onToken } = options;
  const open = (repository: string | null) =>
    createTokenHolder({ issue: () => issue(repository), onToken, now });
  const whole = open(null);
  const narrow = new Map<string, TokenHolder>();
  const holderOf = (repository: string | undefined): TokenHolder => {
    if (repository === undefined) return whole;
    const key = repository.toLowerCase();
    const holder = narrow.get(key) ?? open(repository);
    narrow.set(key, holder);
    return holder;
  };
  return {
    token: ({ repository, ...asked } = {}) => holderOf(repository).token(asked),
    login: createLoginFinder(requests),
    renew: async ({ signal } = {}) => {
      await untilAborted(whole.renew(), signal);
      // They were made when the repository was not part of the installation.
      for (const [key, holder] of narrow) if (holder.isWide()) narrow.delete(key);
    },
  };
}

interface TokenHolder {
  readonly token: (options: Pick<TokenOptions, 'refused' | 'signal'>) => Promise<IssuedToken>;
  readonly renew: () => Promise<IssuedToken>;
  /** Tells whether its token opens more than it was asked for. */
  readonly isWide: () => boolean;
}

type Issued = Pick<HeldToken, 'value' | 'endsAt' | 'isNarrow'>;

/** Holds the token of one scope. */
function createTokenHolder({
  issue,
  onToken = () => {},
  now,
}: {
  readonly issue: () => Promise<Issued>;
  readonly onToken: OnToken | undefined;
  readonly now: () => number;
}): TokenHolder {
  let held: HeldToken | null = null;
  let renewing: Promise<HeldToken> | null = null;
  let nextAttempt = 0;
  const renew = () => {
    renewing ??= issue()
      .then((issued) => {
        const { value, endsAt } = issued;
        onToken({ value, endsAt });
        held = { ...issued, issuedAt: now() };
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
    token: async ({ refused, signal }) => {
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
    renew,
    isWide: () => held !== null && !held.isNarrow,
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
const installationSchema = z.object({
  id: z.number(),
  account: z.object({ login: z.string() }).nullish(),
  permissions: z.record(z.string(), z.string()),
});

/**
 * Makes tokens of the installation. It is looked for each time: its permissions may have changed, and the App may have been installed
 * again. A repository that the installation does not have by this name, such as a public or renamed repository, gets a token for
 * all of the installation.
 */
function createIssuer(
  { ask, toOurTime }: AppRequests,
  { installation }: Pick<AppCredentialOptions, 'installation'>,
) {
  const find = () =>
    typeof installation === 'string'
      ? askForInstallation(ask, { place: installation, schema: installationSchema })
      : ask(
          { route: `GET /app/installations/${installation}`, doing: `find installation ${installation}` },
          installationSchema,
        );
  return async (repository: string | null): Promise<Issued> => {
    try {
      const { id, account, permissions: given } = await find();
      const permissions = pickPermissions(given);
      const make = async (repositories: readonly string[] | undefined) => {
        const route = `POST /app/installations/${id}/access_tokens`;
        const body = { permissions, ...(repositories === undefined ? {} : { repositories }) };
        const question = { route, doing: `make a token of installation ${id}`, body };
        const { token: value, expires_at: end } = await ask(question, issuedSchema);
        return { value, endsAt: toOurTime(Date.parse(end)), isNarrow: repositories !== undefined };
      };
      const [owner = '', name = ''] = repository?.split('/') ?? [];
      const isElsewhere = account != null && owner.toLowerCase() !== account.login.toLowerCase();
      if (repository === null || isElsewhere) return await make(undefined);
      return await make([name]).catch((error: unknown) => {
        if ((error as PlatformError).code === 'invalid') return make(undefined);
        throw error;
      });
    } catch (error) {
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
