import type { WebhookHandler } from '@agent/platforms/webhooks';
import { Hono } from 'hono';

/** The address of one platform's deliveries. */
export interface WebhookRoute {
  /** `/webhooks/github` */
  readonly path: string;
  /** Null where no secret is set: then every delivery is refused. */
  readonly handle: WebhookHandler | null;
  /** The variable that holds the secret. */
  readonly variable: string;
}

/** The addresses that platforms deliver to. They answer whatever host is named, for only a secret opens them. */
export function createWebhookRoutes(routes: readonly WebhookRoute[]): Hono {
  const app = new Hono();
  for (const { path, handle, variable } of routes) {
    if (handle !== null) {
      app.all(path, (context) => handle(context.req.raw));
      continue;
    }
    // GitLab gives up for good on a webhook that it is told is not there, and tries again one that is not ready.
    const text = `Webhooks are off here: ${variable} is not set.\n`;
    app.post(path, (context) => context.text(text, 503));
    app.all(path, (context) => context.text('Webhooks come by POST.\n', 405, { allow: 'POST' }));
  }
  return app;
}
