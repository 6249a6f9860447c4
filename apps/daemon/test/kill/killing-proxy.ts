import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { RequestMoment } from './moment.ts';

export interface KillingProxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Shared by the proxies before all servers, so that requests are counted in one row. */
export interface RequestWatch {
  /** Counts anew, for the next moment. */
  readonly arm: (moment: RequestMoment | null, end: EndOfLife) => void;
  /** Requests since the last `arm`. */
  readonly count: () => number;
  /** Which side of this request somebody is to be killed at; null for most of them. */
  readonly take: (label: string) => (EndOfLife & Pick<RequestMoment, 'side'>) | null;
}

export interface EndOfLife {
  /** Resolves when the process is gone, or has its signal or its request to pause if it survives that. */
  readonly act: (label: string) => Promise<void>;
  /** True for a signal that lets the process go on: it gets its answer. */
  readonly survives: boolean;
}

export function createRequestWatch(): RequestWatch {
  let armed: (EndOfLife & { readonly moment: RequestMoment }) | null = null;
  let count = 0;
  return {
    arm: (moment, end) => {
      armed = moment === null ? null : { moment, ...end };
      count = 0;
    },
    count: () => count,
    take: (label) => {
      if (armed !== null && !label.includes(armed.moment.match)) return null;
      count += 1;
      if (armed === null || count !== armed.moment.nth) return null;
      const { moment, ...end } = armed;
      armed = null;
      return { side: moment.side, ...end };
    },
  };
}

/** Stands before a server and lets everything through, but for the one request that its client does not survive. */
export async function startKillingProxy(upstream: string, watch: RequestWatch): Promise<KillingProxy> {
  const server = createServer((incoming, outgoing) => {
    serve(incoming, { outgoing, upstream, watch }).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Serving {
  readonly outgoing: ServerResponse;
  readonly upstream: string;
  readonly watch: RequestWatch;
}

async function serve(incoming: IncomingMessage, { outgoing, upstream, watch }: Serving): Promise<void> {
  const body = await buffer(incoming);
  const label = `${incoming.method} ${decodeURIComponent(incoming.url ?? '/')}`;
  const end = watch.take(label);
  if (end !== null && end.side !== 'after') await end.act(label);
  if (end?.side === 'before' && !end.survives) return void outgoing.destroy();
  const reply = await forward(incoming, { upstream, body });
  const content = await buffer(reply);
  if (end?.side === 'after') await end.act(label);
  if (end !== null && !end.survives && !isGit(label)) return void outgoing.destroy();
  outgoing.writeHead(reply.statusCode ?? 502, withoutLength(reply.headers));
  outgoing.end(incoming.method === 'HEAD' ? undefined : content);
}

/** A git process outlives the daemon that started it, and gets its answer. */
function isGit(label: string): boolean {
  return label.includes('.git/');
}

/** The `host` of the client stays, so that the addresses in the answers lead back here. */
async function forward(
  incoming: IncomingMessage,
  { upstream, body }: { readonly upstream: string; readonly body: Buffer },
): Promise<IncomingMessage> {
  const headers = { ...withoutLength(incoming.headers), 'content-length': String(body.length) };
  const outgoing = request(new URL(incoming.url ?? '/', upstream), {
    method: incoming.method,
    headers: body.length === 0 ? withoutLength(incoming.headers) : headers,
    agent: false,
  });
  outgoing.end(body);
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  return reply;
}

function withoutLength(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...rest } = headers;
  return rest;
}
