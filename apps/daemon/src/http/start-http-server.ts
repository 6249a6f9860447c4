import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createApp, type HttpSources } from './create-app.ts';
import type { PageHandler } from './open-page.ts';

export interface HttpServer {
  /** `http://127.0.0.1:9464` */
  readonly url: string;
  /** Ends it at once, with every connection. */
  readonly close: () => Promise<void>;
}

/** Limits on what connections of strangers may cost. */
export interface ServerLimits {
  /** Connections at one time; the next one is closed at once. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** Time that a request has for its headers, in milliseconds. Default 10,000. */
  readonly headersTimeoutMs?: number | undefined;
  /** Time that a request has for all of it, in milliseconds. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
}

/**
 * Listens for whoever watches the daemon.
 *
 * @param port 0 for any free one
 * @param page answers what no endpoint does. Default: nothing
 * @throws Error with a `code` that says what to do when the address cannot be had
 */
export async function startHttpServer(
  sources: HttpSources,
  {
    port,
    page,
    ...limits
  }: { readonly port: number; readonly page?: PageHandler | null | undefined } & ServerLimits,
): Promise<HttpServer> {
  const { maxConnections = 1_000, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = limits;
  const server = createAdaptorServer({
    fetch: createApp(sources, { page }).fetch,
    serverOptions: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs) / 2,
    },
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(cannotListen(error, { host: sources.host, port })),
    );
    server.listen(port, sources.host, resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${sources.host.includes(':') ? `[${sources.host}]` : sources.host}:${given}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function cannotListen(cause: NodeJS.ErrnoException, at: { host: string; port: number }): Error {
  const message = `Cannot listen on ${at.host}:${at.port} (${cause.code}). Set another http.port or http.host, or stop the program that uses this address.`;
  return Object.assign(new Error(message, { cause }), { code: cause.code });
}
