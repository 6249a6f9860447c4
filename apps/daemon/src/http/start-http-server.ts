import { chmod, lstat, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { type AppOptions, createApp, type HttpSources } from './create-app.ts';

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

export interface ListenOptions extends AppOptions, ServerLimits {
  /** 0 for any free one. */
  readonly port: number;
  /** Absolute path of a Unix socket on which only the proxy of the web UI connects. Default: none. */
  readonly socket?: string | null | undefined;
}

/**
 * Serves the endpoints, the web UI and webhooks.
 *
 * @throws Error with a `code`, whose message says what to do, if the address or the socket cannot be used
 */
export async function startHttpServer(
  sources: HttpSources,
  { port, socket = null, ...options }: ListenOptions,
): Promise<HttpServer> {
  const { maxConnections = 1_000, headersTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options;
  const app = createApp(sources, options);
  const open = ({ isProxySocket }: { readonly isProxySocket: boolean }): ServerType => {
    const server = createAdaptorServer({
      fetch: (request, env) => app.fetch(request, { ...env, isProxySocket }),
      serverOptions: {
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs) / 2,
      },
    });
    server.maxConnections = maxConnections;
    return server;
  };
  const server = open({ isProxySocket: false });
  await listen(server, { port, host: sources.host });
  const servers = [server];
  if (socket !== null) {
    const behind = open({ isProxySocket: true });
    servers.push(behind);
    try {
      await removeSocket(socket);
      await listen(behind, { path: socket });
      // The proxy reaches it by its group; the directory can narrow that.
      await chmod(socket, 0o660);
    } catch (error) {
      await Promise.all(servers.map(close));
      throw error;
    }
  }
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${sources.host.includes(':') ? `[${sources.host}]` : sources.host}:${given}`,
    close: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

type Address = { readonly port: number; readonly host: string } | { readonly path: string };

function listen(server: ServerType, at: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, at)));
    server.listen(at, resolve);
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}

/** Removes the socket that a killed process left. */
async function removeSocket(path: string): Promise<void> {
  const state = await lstat(path).catch(() => null);
  if (state?.isSocket()) await rm(path);
}

function cannotListen(cause: NodeJS.ErrnoException, at: Address): Error {
  const message =
    'path' in at
      ? `Cannot listen on ${at.path} (${cause.code}). Set another http.page.proxy.socket, in a directory that exists and in which the daemon can write.`
      : `Cannot listen on ${at.host}:${at.port} (${cause.code}). Set another http.port or http.host, or stop the program that uses this address.`;
  return Object.assign(new Error(message, { cause }), { code: cause.code });
}
