import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** A request on its way through a relay. */
export interface RelayedRequest {
  readonly method: string;
  /** Path and query below the address of the relay. */
  readonly path: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `abandoned`: the sender closed the connection first. */
  state: 'waiting' | 'answered' | 'abandoned';
  /** Null until the answer begins. */
  status: number | null;
  headers: Headers | null;
}

/** Options of a relay. */
export interface RelayOptions {
  /** Address of the server, such as `https://discord.com/api`. */
  readonly target: string;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Headers that belong to one connection, or to a body that `fetch` has decoded. */
const ownHeaders = new Set([
  ...['connection', 'content-encoding', 'content-length', 'host', 'keep-alive', 'transfer-encoding'],
  ...['accept-encoding', 'expect', 'te', 'trailer', 'upgrade'],
]);

/** A server on loopback between a rehearsed process and another server. It passes on each request, and can hold requests back. */
export class Relay {
  readonly requests: RelayedRequest[] = [];
  readonly #options: RelayOptions;
  readonly #server = createServer((incoming, outgoing) => {
    this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  #gate: PromiseWithResolvers<void> | null = null;

  private constructor(options: RelayOptions) {
    this.#options = options;
  }

  static async open(options: RelayOptions): Promise<Relay> {
    const relay = new Relay(options);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  /** Address to use instead of the target. Its path is that of the target. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#path}`;
  }

  get #path(): string {
    return new URL(this.#options.target).pathname.replace(/\/$/, '');
  }

  /** Holds each request with a body until `release`. */
  hold(): void {
    this.#gate ??= Promise.withResolvers<void>();
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  async close(): Promise<void> {
    this.release();
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming;
    const gone = new AbortController();
    const path = url.slice(this.#path.length);
    const at = this.#options.now();
    const body = await text(incoming);
    const request: RelayedRequest = { method, path, body, at, state: 'waiting', status: null, headers: null };
    this.requests.push(request);
    outgoing.once('close', () => {
      request.state = outgoing.writableFinished ? 'answered' : 'abandoned';
      gone.abort();
    });
    const gate = this.#gate;
    if (gate !== null && body !== '') await Promise.race([gate.promise, once(gone.signal, 'abort')]);
    if (gone.signal.aborted) return;
    const { target, fetch: send } = this.#options;
    const response = await send(target.replace(/\/$/, '') + path, {
      method,
      headers: passedOn(toPairs(incoming)),
      body: body === '' ? null : body,
      signal: gone.signal,
      redirect: 'manual',
    });
    request.status = response.status;
    request.headers = response.headers;
    outgoing.writeHead(response.status, Object.fromEntries(passedOn([...response.headers])));
    if (response.body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body as never), outgoing);
  }
}

function toPairs({ headersDistinct }: IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
}

function passedOn(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.flatMap(([name, value]) => (ownHeaders.has(name) ? [] : [[name, value]]));
}
