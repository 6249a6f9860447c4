import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@agent/orchestrator/config';
import type { PageHandler } from './open-page.ts';

/** Fewest characters of a secret that is not to be guessed. */
export const minSecretLength = 20;

export interface StatusAccessOptions {
  /** Absolute path of the file with the token (`http.metrics_token_file`); null for none. */
  readonly tokenFile: string | null;
  /** Null if there is no web UI. */
  readonly page: PageHandler | null;
  /** Tells whether `status` has made a token for its request. */
  readonly isOfStatus: (token: string) => Promise<boolean>;
}

/** Tells whether a request may read `/metrics` and `/tasks.json`. */
export type StatusAccess = (request: Request, env: unknown) => Promise<boolean>;

/**
 * Decides who can read `/metrics` and `/tasks.json`: holders of the token, and users who are logged in to the web UI.
 *
 * @returns null if there is neither a token nor a web UI: then everyone who reaches the port can read them
 * @throws ConfigError if the token cannot be read or is too short
 */
export async function openStatusAccess({
  tokenFile,
  page,
  isOfStatus,
}: StatusAccessOptions): Promise<StatusAccess | null> {
  if (tokenFile !== null) await readToken(tokenFile);
  if (tokenFile === null && page === null) return null;
  return async (request, env) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (token !== undefined) {
      // Read for each request, so that a token can be replaced.
      const own = tokenFile === null ? null : await readToken(tokenFile).catch(() => null);
      return (own !== null && isSame(token, own)) || (await isOfStatus(token));
    }
    if (page === null) return false;
    const { headers } = request;
    return (await page(new Request(new URL('/session', request.url), { headers }), env)).status === 204;
  };
}

async function readToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigError(`http.metrics_token_file: ${file} cannot be read (${cause.code}).`);
  });
  const token = text.trim();
  if (token.length < minSecretLength || /\s/.test(token))
    throw new ConfigError(
      `http.metrics_token_file: ${file} must hold one token of at least ${minSecretLength} characters, such as the output of "openssl rand -hex 32".`,
    );
  return token;
}

/** Compares hashes, in a time that tells nothing of the secret. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
