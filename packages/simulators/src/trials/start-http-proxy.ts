import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer of the server, or of the proxy itself. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** True: the connection ends after the first half of the body. Default false. */
  readonly isCut?: boolean;
}

/** A request at the proxy. */
export interface ProxyExchange {
  readonly method: string;
  /** Path with query, as the client wrote it. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Sends the request to the server. */
  readonly forward: (path?: string) => Promise<ProxyAnswer>;
}

/** Gives the answer for the client. `reset` and `close` end the connection without an answer. */
export type ProxyHandler = (exchange: ProxyExchange) => Promise<ProxyAnswer | 'reset' | 'close'>;

/** A proxy in front of a server. */
export interface HttpProxy {
  /** Address without a path. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a proxy on loopback in front of a server. It reads each request whole, and sends the answer of the handler.
 *
 * @param socket path of a socket where it listens too
 */
export async function startHttpProxy(
  upstream: string,
  handle: ProxyHandler,
  { socket = null }: { readonly socket?: string | null } = {},
): Promise<HttpProxy> {
  const listen = async (at: ListenOptions): Promise<Server> => {
    const server = createServer((incoming, outgoing) => {
      serve(incoming, outgoing, { upstream, handle }).catch(() => outgoing.destroy());
    });
    server.listen(at);
    await once(server, 'listening');
    return server;
  };
  const server = await listen({ port: 0, host: '127.0.0.1' });
  const servers = [server, ...(socket === null ? [] : [await listen({ path: socket })])];
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = servers.map((one) => once(one, 'close'));
      for (const one of servers) {
        one.close();
        one.closeAllConnections();
      }
      await Promise.all(closed);
    },
  };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { upstream, handle }: { readonly upstream: string; readonly handle: ProxyHandler },
): Promise<void> {
  const body = await buffer(incoming);
  const { method = 'GET', url = '/', headers } = incoming;
  const forward = (path = url): Promise<ProxyAnswer> =>
    sendOn(new URL(path, upstream), { method, headers, body });
  const answer = await handle({ method, path: url, headers, body, forward });
  if (answer === 'reset') return void incoming.socket.resetAndDestroy();
  if (answer === 'close') return void incoming.socket.destroySoon();
  const { status, isCut = false } = answer;
  if (isCut) {
    outgoing.writeHead(status, { ...bare(answer.headers), 'content-length': String(answer.body.length) });
    const half = answer.body.subarray(0, Math.floor(answer.body.length / 2));
    return void outgoing.write(half, () => incoming.socket.destroy());
  }
  outgoing.writeHead(status, bare(answer.headers));
  outgoing.end(method === 'HEAD' || status === 304 ? undefined : answer.body);
}

/** The `host` of the client stays, so that the addresses in the answers lead back to the proxy. */
async function sendOn(
  to: URL,
  { method, headers, body }: Pick<ProxyExchange, 'method' | 'headers' | 'body'>,
): Promise<ProxyAnswer> {
  const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
  const outgoing = request(to, { method, headers: { ...bare(headers), ...length }, agent: false });
  outgoing.end(body);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 502, headers: reply.headers, body: await buffer(reply) };
}

function bare(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...rest } = headers;
  return rest;
}
