import type { BodyBudget, WebhookReceiver } from '@agent/platforms/webhooks';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/** What is served for one platform. */
export interface WebhookRoute {
  /** `/webhooks/github` */
  readonly path: string;
  /** Null where no secret is set: then every delivery is refused. */
  readonly receiver: WebhookReceiver | null;
  /** The variable that holds the secret. */
  readonly variable: string;
  /** Shared by all routes. */
  readonly budget: BodyBudget;
}

/** What a platform is asked to wait for when there is no room for its delivery. */
const retryAfterSeconds = 10;

/** The addresses that platforms deliver to. They answer whatever host is named, for only a secret opens them. */
export function createWebhookRoutes(routes: readonly WebhookRoute[]): Hono {
  const app = new Hono();
  for (const { path, receiver, variable, budget } of routes) {
    if (receiver === null) {
      // GitLab gives up for good on a webhook that it is told is not there, and tries again one that is not ready.
      const text = `Webhooks are off here: ${variable} is not set.\n`;
      app.post(path, (context) => context.text(text, 503));
    } else {
      app.post(path, admit(receiver), makeRoom(receiver, budget), limit(receiver), async (context) => {
        const header = (name: string) => context.req.header(name);
        const body = Buffer.from(await context.req.arrayBuffer());
        const { status, text } = await receiver.receive({ header, body });
        return context.text(`${text}\n`, status);
      });
    }
    app.all(path, (context) => context.text('Webhooks come by POST.\n', 405, { allow: 'POST' }));
  }
  return app;
}

/** Refuses what need not be read to be refused. */
function admit(receiver: WebhookReceiver): MiddlewareHandler {
  return async (context, next) => {
    const refused = receiver.refuse((name) => context.req.header(name));
    if (refused !== null) return context.text(`${refused.text}\n`, refused.status);
    const type = context.req.header('content-type') ?? '';
    if (!/^application\/json\s*(?:;|$)/i.test(type))
      return context.text('Choose the content type application/json for this webhook.\n', 415);
    await next();
    return;
  };
}

/** A body that says or turns out to be too long is refused for that, however many others are read. */
function limit({ maxBodyBytes }: WebhookReceiver): MiddlewareHandler {
  return bodyLimit({ maxSize: maxBodyBytes, onError: (context) => refuseLong(context, maxBodyBytes) });
}

function refuseLong(context: Context, maxBodyBytes: number): Response {
  const headers = { connection: 'close' };
  return context.text(`Nothing above ${maxBodyBytes} bytes is read here.\n`, 413, headers);
}

/** Nothing of a body is read before there is room for all of it; one that does not say how long it is counts as the longest. */
function makeRoom({ maxBodyBytes }: WebhookReceiver, budget: BodyBudget): MiddlewareHandler {
  return async (context, next) => {
    const length = Number(context.req.header('content-length') ?? maxBodyBytes);
    if (length > maxBodyBytes) return refuseLong(context, maxBodyBytes);
    const free = budget.take(length);
    if (free === null) {
      const headers = { 'retry-after': String(retryAfterSeconds), connection: 'close' };
      return context.text('Too many deliveries at once. Try again later.\n', 503, headers);
    }
    await next().finally(free);
    return;
  };
}
