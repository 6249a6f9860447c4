import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@agent/text';

/** A registry outside, and the login that is added on the way to it. */
export interface RegistryAddress {
  readonly name: string;
  readonly url: string;
  /** Value of the header `authorization`; null to ask without logging in. */
  readonly authorization: string | null;
}

export interface RegistryGatewayOptions {
  readonly registry: RegistryAddress;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/** Request headers that reach the registry. Others can change the method, the host or the login on its side. */
const passed: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'pragma', 'range', 'user-agent'],
  ...['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since'],
  ...['npm-command', 'npm-in-ci', 'npm-scope', 'npm-session'],
  ...['pacote-integrity', 'pacote-pkg-id', 'pacote-req-type', 'pacote-version'],
]);

/** Those of the body of a request that reads by POST. */
const ofBody: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'content-type']);

/** Response headers that are for the next hop alone, or would set a session. */
const dropped: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  'set-cookie',
]);

/**
 * Creates a server that forwards requests to one registry and adds its login, which commands never see. It forwards only requests that
 * read a path below the registry's address.
 */
export function createRegistryGateway({ registry, logger }: RegistryGatewayOptions): Server {
  const base = new URL(registry.url);
  return createServer((incoming, response) => {
    const target = toTarget(incoming, base);
    if (target === null) {
      response.writeHead(403, { 'content-type': 'text/plain' });
      response.end(`Only paths below ${base.pathname} of the registry ${registry.name} can be read.\n`);
      return;
    }
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send(target, { method: incoming.method, headers: headersOf(incoming, registry) });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answerHeaders(answer, base));
      // Whoever ends the connection is not to be told of it.
      void pipeline(answer, response).catch(() => undefined);
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      logger?.warn({ registry: registry.name, code: error.code ?? error.name }, 'failed to reach registry');
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`The registry ${registry.name} did not answer.\n`);
    });
    response.once('close', () => outgoing.destroy());
    if (incoming.method === 'POST') incoming.pipe(outgoing);
    else outgoing.end();
  });
}

/** Requests by which `npm audit` reads advisories. */
const readingPosts = ['advisories/bulk', 'audits', 'audits/quick'].map((end) => `-/npm/v1/security/${end}`);

function toTarget({ method = '', url = '' }: IncomingMessage, base: URL): URL | null {
  const target = URL.canParse(url, base.origin) ? new URL(url, base.origin) : null;
  if (target === null || target.origin !== base.origin) return null;
  const isReading = method === 'GET' || method === 'HEAD';
  const directory = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  const path = decodePath(target.pathname);
  if (path === null || !`${path}/`.startsWith(directory)) return null;
  if (isReading) return target;
  return method === 'POST' && readingPosts.includes(path.slice(directory.length)) ? target : null;
}

/** Most times that a path is decoded; a package's name needs one. */
const maxDecodings = 5;

/**
 * Decodes a path until it stays the same, because servers and the proxies before them may decode it more than once.
 *
 * @returns null if a server could read it as another path: by `..`, a backslash, or parameters of a segment (`..;`)
 */
function decodePath(encoded: string): string | null {
  let path = encoded;
  for (let round = 0; round <= maxDecodings; round += 1) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return null;
    }
    if (decoded === path) return /[;\\]|\p{Cc}/u.test(path) || path.split('/').includes('..') ? null : path;
    path = decoded;
  }
  return null;
}

function headersOf({ method, headers }: IncomingMessage, { authorization }: RegistryAddress) {
  const isPassed = (name: string) => passed.has(name) || (method === 'POST' && ofBody.has(name));
  const kept = Object.entries(headers).filter(([name]) => isPassed(name));
  return Object.fromEntries(authorization === null ? kept : [...kept, ['authorization', authorization]]);
}

/** The answer's own headers; a way to another place of the same registry leads through here again. */
function answerHeaders({ headers }: IncomingMessage, base: URL) {
  const kept = Object.entries(headers).filter(([name]) => !dropped.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name !== 'location' || typeof value !== 'string' || !URL.canParse(value)) return [name, value];
      const place = new URL(value);
      return [name, place.origin === base.origin ? `${place.pathname}${place.search}` : value];
    }),
  );
}
