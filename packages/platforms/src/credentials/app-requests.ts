import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { parseJson } from '@agent/text/json';
import * as z from 'zod';
import { createBoundedFetch } from '../http/bounded-fetch.ts';
import { unusableCredential } from '../http/credential.ts';
import { gitHubService } from '../http/github-service.ts';
import { parseAnswer, translateError } from '../http/translate-error.ts';
import type { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';

/** Everything that asking GitHub as an App takes. */
export interface AppConnection {
  /** App ID or client ID. */
  readonly appId: string;
  /** Gives the private key (PEM); asked for each signature, so that a key that was replaced is used at once. */
  readonly privateKey: () => string | Promise<string>;
  /** REST address. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A question that GitHub answers to an App itself. */
export interface AppQuestion extends CallOptions {
  /** `GET /app/installations/4` */
  readonly route: string;
  /** Completes "could not …". */
  readonly doing: string;
  /** Sent as JSON. Default: no body. */
  readonly body?: object | undefined;
}

/** Asks GitHub as an App. Rejects with `PlatformError`: `unauthorized` where its signature is not taken. */
export interface AppRequests {
  readonly ask: <Schema extends z.ZodType>(
    question: AppQuestion,
    schema: Schema,
  ) => Promise<z.output<Schema>>;
  /** Turns a time of GitHub's clock into one of ours, as the last answer showed the two. */
  readonly toOurTime: (milliseconds: number) => number;
}

/** A signature is made a minute old and ends a minute early, so that it holds for clocks that differ by as much. */
const toleratedMs = 60_000;

/**
 * Creates what asks GitHub as an App, with a signature for each question. Where the clocks differ by more than a minute GitHub's refusal
 * says its time, and the question is asked once more by that clock.
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function createAppRequests(connection: AppConnection): AppRequests {
  const { now } = connection;
  let aheadMs = 0;
  const exchange = async (question: AppQuestion): Promise<{ response: Response; jwt: string }> => {
    const jwt = await signAppToken(connection, now() + (Math.abs(aheadMs) > toleratedMs ? aheadMs : 0));
    const response = await send(connection, { ...question, jwt });
    aheadMs = readTimeAhead(response, now()) ?? aheadMs;
    return { response, jwt };
  };
  return {
    ask: async (question, schema) => {
      const believedMs = aheadMs;
      let answer = await exchange(question);
      if (answer.response.status === 401 && Math.abs(aheadMs - believedMs) > toleratedMs)
        answer = await exchange(question);
      const { response, jwt } = answer;
      if (!response.ok) throw await explainRefusal(connection, { question, response, jwt });
      const { doing } = question;
      return parseAnswer(await response.json(), { schema, doing, service: gitHubService.name });
    },
    toOurTime: (milliseconds) => milliseconds - aheadMs,
  };
}

/** Milliseconds that a server's clock is ahead of ours; null where it does not say its time, which has whole seconds. */
function readTimeAhead({ headers }: Response, now: number): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? null : date - Math.floor(now / 1000) * 1000;
}

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

async function send(
  { baseUrl, timeoutMs, fetch, now }: AppConnection,
  { route, doing, body, jwt, signal }: AppQuestion & { readonly jwt: string },
): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ');
  const bounded = createBoundedFetch({ fetch, timeoutMs, signal, route, onRequest: undefined });
  try {
    const authorization = `Bearer ${jwt}`;
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return await bounded(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...type, authorization },
      ...content,
    });
  } catch (error) {
    signal?.throwIfAborted();
    const words = { doing, repository: null, permission: '', service: gitHubService };
    throw translateError(error, { ...words, baseUrl, timeoutMs, redact: hide(jwt), now: now() });
  }
}

const hide = (secret: string) => (text: string) => text.replaceAll(secret, '[REDACTED]');

async function explainRefusal(
  { appId, baseUrl, timeoutMs, now }: AppConnection,
  {
    question,
    response,
    jwt,
  }: { readonly question: AppQuestion; readonly response: Response; readonly jwt: string },
): Promise<PlatformError> {
  const { status } = response;
  const answer = { status, response: { headers: Object.fromEntries(response.headers) } };
  const failure = Object.assign(new Error(readMessage(await response.text())), answer);
  const words = {
    doing: question.doing,
    repository: null,
    permission: 'an installation of the App that is not suspended',
    service: gitHubService,
  };
  const error = translateError(failure, { ...words, baseUrl, timeoutMs, redact: hide(jwt), now: now() });
  if (status !== 401) return error;
  return unusableCredential(
    `${error.message} It was signed as App ${appId}: check app_id, its private key and the clock of this machine.`,
    { reason: 'app-login', cause: error.cause },
  );
}

const refusalSchema = z.object({ message: z.string() });

function readMessage(body: string): string {
  return refusalSchema.safeParse(parseJson(body)).data?.message ?? body;
}

/** Signs as GitHub wants it. @throws PlatformError `unauthorized` for a key that is none */
async function signAppToken({ appId, privateKey }: AppConnection, now: number): Promise<string> {
  const key = toKey(await privateKey(), appId);
  const issued = Math.floor((now - toleratedMs) / 1000);
  const claims = { iat: issued, exp: issued + 10 * 60, iss: appId };
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encode).join('.');
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Accepts the forms that a key has in a variable: with `\n` in place of line breaks, and as base64 of the whole file. */
function toKey(text: string, appId: string): KeyObject {
  const decoded = Buffer.from(text, 'base64').toString();
  const pem = decoded.startsWith('-----BEGIN') ? decoded : text.replaceAll('\\n', '\n');
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The reason would say nothing that helps, and may quote the key.
  }
  throw unusableCredential(
    `The private key of App ${appId} is not an RSA key in PEM format. Generate one on the App's settings page and use the whole file.`,
    { reason: 'private-key' },
  );
}
