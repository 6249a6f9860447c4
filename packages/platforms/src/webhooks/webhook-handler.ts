import { checkOptions, type ExpectationsOf, expectNumber, expectPort } from '@agent/text/options';
import {
  createWebhookReceiver,
  receiverExpectations,
  requiredOfReceivers,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './webhook-receiver.ts';

/** Deliveries of one platform, and the room that there is for their bodies. */
export interface WebhookHandlerOptions extends WebhookReceiverOptions {
  /** Room for bodies, to be shared by all handlers of a process. Default: 32 bodies, 32 MiB. */
  readonly budget?: BodyBudget | undefined;
}

/** Answers one request, whatever server it came by. */
export type WebhookHandler = (request: Request) => Promise<Response>;

/** Seconds that a platform is asked to wait for when there is no room for its delivery. */
const retryAfterSeconds = 10;

/**
 * Answers deliveries as a function from request to response, for any HTTP server that has them (Hono, Deno, Bun,
 * Workers, Node by an adapter). Nothing of a body is read before its headers allow it and there is room for all of it;
 * one that does not say how long it is counts as the longest.
 *
 * @example
 * const handle = createWebhookHandler({
 *   origin: createGitHubOrigin({ secret }),
 *   repositories: ['octo/hello'],
 *   bell: createDoorbell(),
 * });
 * app.post('/webhooks/github', (context) => handle(context.req.raw));
 */
export function createWebhookHandler(given: WebhookHandlerOptions): WebhookHandler {
  const expectations: ExpectationsOf<WebhookHandlerOptions> = {
    ...receiverExpectations,
    budget: expectPort('take'),
  };
  checkOptions('WebhookHandlerOptions', given, expectations, requiredOfReceivers);
  const { budget = createBodyBudget({ maxBodies: 32, maxBytes: 33_554_432 }), ...options } = given;
  const receiver = createWebhookReceiver(options);
  return async (request) => {
    if (request.method !== 'POST') return answer('Use POST for webhooks.', 405, { allow: 'POST' });
    const refused = refuse(request, receiver);
    if (refused !== null) return refused;
    const { maxBodyBytes } = receiver;
    const length = Number(request.headers.get('content-length') ?? maxBodyBytes);
    if (length > maxBodyBytes) return refuseLong(maxBodyBytes);
    const free = budget.take(length);
    if (free === null) {
      const headers = { 'retry-after': String(retryAfterSeconds), connection: 'close' };
      return answer('Too many deliveries at once. Try again later.', 503, headers);
    }
    try {
      const body = await readWithin(request, maxBodyBytes);
      if (body === null) return refuseLong(maxBodyBytes);
      const { status, text } = await receiver.receive({ header: readHeaderOf(request), body });
      return answer(text, status);
    } finally {
      free();
    }
  };
}

/** Refuses what need not be read to be refused. */
function refuse(request: Request, receiver: WebhookReceiver): Response | null {
  const refused = receiver.refuse(readHeaderOf(request));
  if (refused !== null) return answer(refused.text, refused.status);
  return /^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')
    ? null
    : answer('Choose the content type application/json for this webhook.', 415);
}

function readHeaderOf({ headers }: Request): (name: string) => string | undefined {
  return (name) => headers.get(name) ?? undefined;
}

/** The whole body; null for one that turns out to be longer. */
async function readWithin(request: Request, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) return Buffer.concat(chunks);
    bytes += value.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(value);
  }
}

function refuseLong(maxBytes: number): Response {
  return answer(`The body is larger than ${maxBytes} bytes.`, 413, { connection: 'close' });
}

function answer(text: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers },
  });
}

/** Limits of the bodies that are read at the same time. */
export interface BodyBudgetOptions {
  /** Bodies that are read at one time. */
  readonly maxBodies: number;
  /** Bytes that all of them may have together; a single one may always come. */
  readonly maxBytes: number;
}

/** Limits what strangers can make the process hold before it knows who they are. */
export interface BodyBudget {
  /** Takes room for a body of so many bytes, and gives back what frees it again; null where there is none now. */
  readonly take: (bytes: number) => (() => void) | null;
}

/** Makes a budget that nothing is taken of yet. */
export function createBodyBudget(options: BodyBudgetOptions): BodyBudget {
  const limits: ExpectationsOf<BodyBudgetOptions> = { maxBodies: expectNumber(1), maxBytes: expectNumber(1) };
  checkOptions('BodyBudgetOptions', options, limits, ['maxBodies', 'maxBytes']);
  const { maxBodies, maxBytes } = options;
  const taken = new Map<symbol, number>();
  return {
    take: (bytes) => {
      const held = [...taken.values()].reduce((sum, one) => sum + one, 0);
      const fits = taken.size === 0 || (taken.size < maxBodies && held + bytes <= maxBytes);
      if (!fits) return null;
      const key = Symbol();
      taken.set(key, bytes);
      return () => taken.delete(key);
    },
  };
}
