import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { SeededRandom } from './seeded-random.ts';

/** What happens to one request on its way. */
const faults = [
  'reset-before',
  'reset-after',
  'close-after',
  'truncate',
  '500-before',
  '502-after',
  '503-before',
  '401-before',
  '429',
  'delay',
] as const;

export interface FaultProxy {
  /** Stands for Discord's API. */
  readonly apiUrl: string;
  /** Requests of a hundred that go wrong from now on. */
  readonly setTrouble: (percent: number) => void;
  /** Number of requests by what happened to them. */
  readonly counts: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/** Stands between a bot and the REST API of a Discord, and breaks what passes. The gateway is not behind it. */
export async function startFaultProxy(apiUrl: string, random: SeededRandom): Promise<FaultProxy> {
  const target = new URL(apiUrl);
  const counts = new Map<string, number>();
  let trouble = 0;
  const server = createServer((incoming, outgoing) => {
    const fault = random.isLucky(trouble) ? random.pick(faults) : 'none';
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    pass(incoming, outgoing, { target, fault, delayMs: random.between(50, 800) }).catch(() =>
      outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    apiUrl: `http://127.0.0.1:${port}${target.pathname}`,
    counts,
    setTrouble: (percent) => {
      trouble = percent;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Passing {
  readonly target: URL;
  readonly fault: (typeof faults)[number] | 'none';
  readonly delayMs: number;
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, passing: Passing): Promise<void> {
  const { target, fault, delayMs } = passing;
  const body = await buffer(incoming);
  if (fault === 'reset-before') return void outgoing.socket?.resetAndDestroy();
  if (fault === '500-before' || fault === '503-before' || fault === '401-before')
    return fail(outgoing, Number(fault.slice(0, 3)));
  if (fault === '429') {
    outgoing.writeHead(429, {
      'content-type': 'application/json',
      'retry-after': '0.3',
      'x-ratelimit-scope': 'shared',
    });
    return void outgoing.end(JSON.stringify({ message: 'slow down', retry_after: 0.3, global: false }));
  }
  if (fault === 'delay') await new Promise((resolve) => setTimeout(resolve, delayMs));
  const answer = await forward(incoming, target, body);
  if (fault === 'reset-after') return void outgoing.socket?.resetAndDestroy();
  if (fault === 'close-after') return void outgoing.socket?.destroySoon();
  if (fault === '502-after') return fail(outgoing, 502);
  const { 'transfer-encoding': _, ...headers } = answer.headers;
  outgoing.writeHead(answer.status, { ...headers, 'content-length': answer.body.length });
  if (fault !== 'truncate') return void outgoing.end(answer.body);
  outgoing.write(answer.body.subarray(0, answer.body.length / 2));
  outgoing.socket?.destroySoon();
}

function fail(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'content-type': 'text/html' });
  outgoing.end('<html>as the trial wants it</html>');
}

interface Forwarded {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function forward(incoming: IncomingMessage, target: URL, body: Buffer): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const { method, url: path, headers } = incoming;
    const sent = request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      buffer(answer).then(
        (answered) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: answered }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
