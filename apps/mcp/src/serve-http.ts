import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';

/** Options of `serveHttp`. */
export interface ServeHttpOptions {
  /** Port on loopback; 0 for any free one. */
  readonly port: number;
  /** Token that each request has to bring: `Authorization: Bearer …`. */
  readonly token: string;
  readonly createServer: () => McpServer;
}

/** A server on loopback. */
export interface HttpServer {
  /** `http://127.0.0.1:9470/mcp` */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const address = '127.0.0.1';
const maxBodyBytes = 1_048_576;

/**
 * Serves MCP over HTTP on loopback, without sessions: each request has a server of its own, so that a client that comes back after a
 * restart goes on as before. A page in a browser can reach neither by a name of its own (`Host`) nor from another origin.
 *
 * @throws Error where the port is taken
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export async function serveHttp({ port, token, createServer }: ServeHttpOptions): Promise<HttpServer> {
  let hosts: readonly string[] = [];
  const server = createAdaptorServer({
    fetch: async (request) => refuse(request, { hosts, token }) ?? (await answer(request, createServer())),
    serverOptions: { headersTimeout: 10_000, requestTimeout: 30_000 },
  });
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  hosts = [`${address}:${given}`, `localhost:${given}`, `[::1]:${given}`];
  return {
    url: `http://${address}:${given}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** Gives the refusal of a request that may not be answered; null for one that may. */
function refuse(
  request: Request,
  { hosts, token }: { readonly hosts: readonly string[]; readonly token: string },
): Response | null {
  const { headers } = request;
  if (!hosts.includes(headers.get('host')?.toLowerCase() ?? ''))
    return say(403, 'This host name is not allowed.');
  const origin = headers.get('origin');
  if (origin !== null && !hosts.some((host) => origin.toLowerCase() === `http://${host}`))
    return say(403, 'Requests from this origin are not allowed.');
  if (!isSame(headers.get('authorization') ?? '', `Bearer ${token}`))
    return say(401, 'A valid bearer token is required.', { 'www-authenticate': 'Bearer' });
  if (new URL(request.url).pathname !== '/mcp') return say(404, 'Not found. The MCP server is at /mcp.');
  // Without sessions there is no stream of its own to open and no session to end: a client that got one would open it again and again.
  if (request.method !== 'POST') return say(405, 'Only POST is allowed.', { allow: 'POST' });
  return null;
}

function say(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${text}\n`, { status, headers });
}

/** Compares digests, so that the time of it says nothing of the token. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

async function answer(request: Request, server: McpServer): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: maxBodyBytes,
  });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
