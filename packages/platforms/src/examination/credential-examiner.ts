import { z } from 'zod';
import { askForInstallation } from '../credentials/app-installation.ts';
import { type AppPurpose, appEvents, findMissingPermissions } from '../credentials/app-needs.ts';
import type { AppRequests } from '../credentials/app-requests.ts';
import { createBoundedFetch } from '../http/bounded-fetch.ts';

/** Fact about a credential itself, found out without changing anything. */
export type CredentialFinding =
  | { readonly kind: 'app'; readonly slug: string }
  /** `isPending`: the App asks for it, and who installed the App has not agreed yet. */
  | (MissingNeed & { readonly kind: 'permission-missing'; readonly isPending: boolean })
  | (MissingNeed & { readonly kind: 'event-missing' })
  /** The token ends on this day (ISO 8601); `isSoon` within two weeks. */
  | { readonly kind: 'token-ends'; readonly at: string; readonly isSoon: boolean }
  /** The server does not answer GraphQL, by which labels, reviews and merge queues are read. */
  | { readonly kind: 'graphql-missing'; readonly status: number }
  /** An App cannot be assigned, and threads are given by assignment. */
  | { readonly kind: 'app-not-assignable'; readonly slug: string };

interface MissingNeed {
  /** `checks: read`, `issue_comment`. */
  readonly name: string;
  readonly purpose: AppPurpose;
  readonly isRequired: boolean;
  /** Page on which it is given. */
  readonly url: string;
}

/** Options of examining a credential. */
export interface CredentialExamination {
  /** Address of the API, as a platform takes it. */
  readonly baseUrl: string;
  readonly token: string;
  /** Asks as the App; null for the token of an account. */
  readonly app: AppRequests | null;
  /** Repository for which the App is installed, `owner/repo`, or a pattern of its owner. */
  readonly place: string;
  /** Way in which people give threads to the account. */
  readonly trigger: 'label' | 'assignment' | 'mention';
  /** True where webhooks are received. */
  readonly hearsWebhooks: boolean;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

const levelsSchema = z.record(z.string(), z.string());
const appSchema = z.object({
  slug: z.string(),
  html_url: z.string(),
  permissions: levelsSchema,
  events: z.array(z.string()),
});
const installationSchema = z.object({ html_url: z.string(), permissions: levelsSchema });

/**
 * Examines a credential of GitHub: what an App and its installation lack, and when the token of an account ends.
 *
 * @throws PlatformError when GitHub does not answer, or not to this App
 */
export async function examineGitHubCredential(
  options: CredentialExamination,
): Promise<readonly CredentialFinding[]> {
  const { app, place, trigger, hearsWebhooks, signal } = options;
  const graphql = await examineGraphql(options);
  if (app === null) return [...graphql, ...toEnd(await readEndOfToken(options), options)];
  const [self, installed] = await Promise.all([
    app.ask({ route: 'GET /app', doing: 'ask what the App may do', signal }, appSchema),
    askForInstallation(app.ask, { place, schema: installationSchema, signal }),
  ]);
  const { slug } = self;
  const asked = new Set(findMissingPermissions(self.permissions).map(({ name }) => name));
  const missing = findMissingPermissions(installed.permissions).map(({ name, level, ...need }) => ({
    ...({
      kind: 'permission-missing',
      name: `${name}: ${level}`,
      ...need,
      isPending: !asked.has(name),
    } as const),
    url: asked.has(name) ? self.html_url : installed.html_url,
  }));
  const silent = hearsWebhooks ? appEvents.filter(({ name }) => !self.events.includes(name)) : [];
  return [
    { kind: 'app', slug },
    ...graphql,
    ...missing,
    ...silent.map((need) => ({ kind: 'event-missing', ...need, url: self.html_url }) as const),
    ...(trigger === 'assignment' ? [{ kind: 'app-not-assignable', slug } as const] : []),
  ];
}

const graphqlSchema = z.object({ data: z.object({ __typename: z.string() }) });

/** An Enterprise server has GraphQL beside its REST API: https://host/api/graphql */
async function examineGraphql(options: CredentialExamination): Promise<readonly CredentialFinding[]> {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v3$/, '');
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ __typename }' });
  const { response } = await ask(options, { url: `${base}/graphql`, headers, body });
  const answer = graphqlSchema.safeParse(await response.json().catch(() => null));
  // The request that connects reports a refused token.
  if (answer.success || response.status === 401) return [];
  return [{ kind: 'graphql-missing', status: response.status }];
}

/** Examines a credential of GitLab: when its token ends. @see https://docs.gitlab.com/api/personal_access_tokens/ */
export async function examineGitLabCredential(
  options: CredentialExamination,
): Promise<readonly CredentialFinding[]> {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const url = `${base}/api/v4/personal_access_tokens/self`;
  const { response } = await ask(options, { url, headers: { 'private-token': options.token } });
  const { data } = endSchema.safeParse(await response.json().catch(() => null));
  return toEnd(data?.expires_at ?? null, options);
}

const endSchema = z.object({ expires_at: z.string().nullish() });

/** @see https://docs.github.com/en/rest/authentication/authenticating-to-the-rest-api */
async function readEndOfToken(options: CredentialExamination): Promise<string | null> {
  const headers = { authorization: `Bearer ${options.token}` };
  const { response } = await ask(options, {
    url: `${options.baseUrl.replace(/(?<!\/)\/+$/, '')}/user`,
    headers,
  });
  return response.headers.get('github-authentication-token-expiration');
}

async function ask(
  { fetch, timeoutMs, signal }: CredentialExamination,
  { url, headers, body }: AskedAddress,
): Promise<{ readonly response: Response }> {
  const bounded = createBoundedFetch({
    fetch,
    timeoutMs,
    signal,
    route: `${body === undefined ? 'GET' : 'POST'} ${url}`,
    onRequest: undefined,
  });
  const agent = { 'user-agent': 'agent-platforms' };
  const sent = body === undefined ? {} : { method: 'POST', body };
  return { response: await bounded(url, { headers: { ...agent, ...headers }, redirect: 'manual', ...sent }) };
}

interface AskedAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With one it is a POST. */
  readonly body?: string;
}

const soonMs = 14 * 24 * 60 * 60_000;

/** GitHub writes `2026-01-02 00:00:00 UTC`, GitLab a day; a token without an end says nothing. */
function toEnd(written: string | null, { now }: CredentialExamination): readonly CredentialFinding[] {
  const end = Date.parse(written?.replace(/^(\S+) (\S+) UTC$/u, '$1T$2Z') ?? '');
  if (Number.isNaN(end)) return [];
  const at = new Date(end).toISOString().slice(0, 10);
  return [{ kind: 'token-ends', at, isSoon: end - now() < soonMs }];
}
