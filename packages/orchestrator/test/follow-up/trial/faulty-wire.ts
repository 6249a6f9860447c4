/** What goes wrong with one request. `before` and `after` are seen from the server's effect. */
export type WireFault =
  | 'lost'
  | 'lost-after'
  | '502'
  | '502-after'
  | '403'
  | '404'
  | 'cut'
  | 'slow'
  | 'lagging';

export interface FaultyWireOptions {
  /** From 0 up to but not 1. */
  readonly draw: () => number;
  /** Faults that it makes at most. */
  readonly mostFaults: number;
  /** Passes time on the forge's clock. */
  readonly pass: (milliseconds: number) => void;
  /** Resolves once a request may be sent, or never for a process that died. */
  readonly gate: () => Promise<void>;
}

/** HTTP on which requests and answers suffer. */
export interface FaultyWire {
  readonly fetch: typeof globalThis.fetch;
  /** Faults so far, oldest first, as `fault METHOD path`. */
  readonly faults: readonly string[];
  /** Tells whether a request has no answer yet. */
  readonly isBusy: () => boolean;
}

/** Part of the requests that something happens to. */
const share = 0.06;
const reads: readonly WireFault[] = ['lost', '502', '403', '404', 'cut', 'slow', 'lagging', 'lagging'];
const writes: readonly WireFault[] = ['lost', 'lost-after', '502', '502-after', '403', 'cut', 'slow'];

/** Creates a wire that does harm to some requests, as `draw` says, and lets the others through. */
export function createFaultyWire({ draw, mostFaults, pass, gate }: FaultyWireOptions): FaultyWire {
  const faults: string[] = [];
  let under = 0;
  const earlier = new Map<string, { readonly body: string; readonly headers: Headers }>();
  const send = async (request: Request): Promise<Response> => {
    const response = await globalThis.fetch(request);
    await gate();
    return response;
  };
  const suffer = async (request: Request, fault: WireFault): Promise<Response> => {
    if (fault === 'lost') throw new TypeError('fetch failed');
    if (fault === '502' || fault === '403' || fault === '404') return refuse(Number(fault));
    if (fault === 'slow') pass(14_000);
    const old = fault === 'lagging' ? earlier.get(request.url) : undefined;
    if (old !== undefined) return new Response(old.body, { status: 200, headers: old.headers });
    const response = await send(request);
    if (fault === 'lost-after') throw new TypeError('fetch failed');
    if (fault === '502-after') return refuse(502);
    if (fault !== 'cut' || response.body === null) return response;
    const whole = await response.text();
    return new Response(whole.slice(0, whole.length / 2), {
      status: response.status,
      headers: response.headers,
    });
  };
  const ask = async (request: Request): Promise<Response> => {
    // The list of tasks is asked for by each poll, and says nothing of a change request.
    if (/\/issues$/u.test(new URL(request.url).pathname)) return globalThis.fetch(request);
    await gate();
    const isRead = request.method === 'GET';
    const fault = faults.length < mostFaults && draw() < share ? pick(isRead ? reads : writes, draw()) : null;
    if (fault !== null) {
      faults.push(`${fault} ${request.method} ${new URL(request.url).pathname}`);
      return suffer(request, fault);
    }
    const response = await send(request);
    if (!isRead || response.status !== 200) return response;
    const { headers } = response;
    const body = await response.text();
    earlier.set(request.url, { body, headers });
    return new Response(body, { status: 200, headers });
  };
  return {
    faults,
    isBusy: () => under > 0,
    fetch: async (input, init) => {
      under += 1;
      try {
        return await ask(new Request(input, init));
      } finally {
        under -= 1;
      }
    },
  };
}

function pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[], drawn: number): Value {
  return values[Math.floor(drawn * values.length)] as Value;
}

function refuse(status: number): Response {
  const message = `the wire says ${status}`;
  return Response.json({ message, error: message }, { status });
}
