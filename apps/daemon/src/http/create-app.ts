import type { Hold, RunningTask } from '@agent/orchestrator';
import { Hono } from 'hono';
import { type Json, redactJson } from '../text/redact-json.ts';
import { toHealthJson, toReadinessJson } from './health-json.ts';
import type { HttpSources } from './http-sources.ts';
import { isAllowedHost } from './is-allowed-host.ts';
import { formatOpenMetrics, openMetricsType } from './open-metrics.ts';
import { toMetrics } from './to-metrics.ts';
import { createWebhookRoutes } from './webhook-routes.ts';

const notOurHost =
  'This host name is not answered. Add it to http.allowed_hosts, or ask by the address that http.host names.\n';

/**
 * `/healthz`, `/readyz`, `/metrics` and `/tasks.json`: read only, without secrets and without what was said on threads. Webhooks come
 * first, because the guard is not for them: they come from outside, by any name, and prove themselves.
 */
export function createApp(sources: HttpSources): Hono {
  const app = new Hono();
  app.route('/', createWebhookRoutes(sources.webhooks));
  app.use(async (context, next) => {
    if (!isAllowedHost(context.req.header('host'), sources)) {
      return context.text(notOurHost, 421);
    }
    await next();
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
  });
  app.get('/healthz', (context) => {
    const { now, startedAt } = sources;
    return context.json(toHealthJson(sources.board(), { now: now(), startedAt }));
  });
  app.get('/readyz', (context) => {
    const readiness = toReadinessJson(sources.board());
    return context.json(redactJson(readiness, sources.redact), readiness.status === 'ready' ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    const text = formatOpenMetrics(toMetrics(await measure(sources)));
    return context.body(text, 200, { 'content-type': openMetricsType });
  });
  app.get('/tasks.json', async (context) => {
    const { paused, recent } = await sources.history();
    const running = [...sources.board().running.values()].map(toJson);
    const { queue } = sources;
    const queued = (await queue.waiting()).map((task) => ({ task }));
    const daemon = { pid: process.pid };
    const shown = { daemon, running, queued, held_back: toHoldJson(queue.hold()), paused, recent };
    return context.json(redactJson(shown, sources.redact));
  });
  app.notFound((context) =>
    context.text('There is nothing here. Try /healthz, /readyz, /metrics or /tasks.json.\n', 404),
  );
  app.onError((error, context) => {
    sources.onError(error);
    return context.text('This could not be answered; the log says why.\n', 500);
  });
  return app;
}

/** A scrape shows what can be shown: a directory that cannot be read costs one number, not all of them. */
async function measure(sources: HttpSources) {
  const paused = await sources.history().then(
    (history) => history.paused.length,
    (error: unknown) => {
      sources.onError(error);
      return null;
    },
  );
  const { startedAt } = sources;
  return {
    board: sources.board(),
    queued: (await sources.queue.waiting()).length,
    heldBackMs: sources.queue.hold()?.waitMs ?? 0,
    paused,
    startedAt,
    memory: sources.memory(),
  };
}

function toHoldJson(hold: Hold | null): Json | null {
  return hold && { reason: hold.reason, seconds: Math.ceil(hold.waitMs / 1_000) };
}

function toJson(task: RunningTask): Json {
  const { uuid, name, title, url, since, preparation, step, tool, tokens } = task;
  const head = { uuid, task: name, title, url, since: new Date(since).toISOString() };
  return { ...head, preparation: preparation && { ...preparation }, step, tool, tokens };
}
