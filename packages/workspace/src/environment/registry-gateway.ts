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

/** Headers that are for the next hop alone, and those by which a command would log in itself. */
const dropped: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['host', 'authorization', 'proxy-authorization', 'cookie', 'npm-otp'],
]);

/**
 * Creates a server that answers for one registry: it asks the registry for what lies below its address, and for nothing else,
 * reading only. Who asks sees no login, so that nothing that a package runs can take it.
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
    incoming.pipe(outgoing);
  });
}

/** Requests that change nothing; `npm audit` asks by POST. */
const readingPosts = /\/-\/npm\/v1\/security\/[a-z/]+$/;

function toTarget({ method = '', url = '' }: IncomingMessage, base: URL): URL | null {
  const target = URL.canParse(url, base.origin) ? new URL(url, base.origin) : null;
  if (target === null || target.origin !== base.origin) return null;
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && !(method === 'POST' && readingPosts.test(target.pathname))) return null;
  const directory = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  // An encoded slash or dot may climb on the server's side.
  const plain = target.pathname.replaceAll(/%2f/gi, '/').replaceAll(/%2e/gi, '.').replaceAll(/%5c/gi, '/');
  if (plain.split('/').includes('..')) return null;
  return `${plain}/`.startsWith(directory) ? target : null;
}

function headersOf(incoming: IncomingMessage, { authorization }: RegistryAddress) {
  const kept = Object.entries(incoming.headers).filter(([name]) => !dropped.has(name));
  return Object.fromEntries(authorization === null ? kept : [...kept, ['authorization', authorization]]);
}

/** The answer's own headers; a way to another place of the same registry leads through here again. */
function answerHeaders({ headers }: IncomingMessage, base: URL) {
  const kept = Object.entries(headers).filter(([name]) => !dropped.has(name) && name !== 'set-cookie');
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name !== 'location' || typeof value !== 'string' || !URL.canParse(value)) return [name, value];
      const place = new URL(value);
      return [name, place.origin === base.origin ? `${place.pathname}${place.search}` : value];
    }),
  );
}
