import { Hono } from 'hono';
import type { RunningTask } from '../board/board-state.ts';
import { createWebhookRoutes } from '../webhooks/webhook-routes.ts';
import type { HttpSources } from './http-sources.ts';
import { isAllowedHost } from './is-allowed-host.ts';
import { judgeHealth } from './judge-health.ts';
import { formatOpenMetrics, openMetricsType } from './open-metrics.ts';
import { type Json, redactJson } from './redact-json.ts';
import { toMetrics } from './to-metrics.ts';

/**
 * `/healthz`, `/metrics` and `/tasks.json`: read only, without secrets and without what was said on threads. Webhooks come
 * first, because the guard is not for them: they come from outside, by any name, and prove themselves.
 */
export function createApp(sources: HttpSources): Hono {
  const app = new Hono();
  app.route('/', createWebhookRoutes(sources.webhooks));
  app.use(async (context, next) => {
    if (!isAllowedHost(context.req.header('host'), sources)) {
      return context.text('This host name is not answered. Ask by the address that http.host names.\n', 421);
    }
    await next();
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
  });
  app.get('/healthz', (context) => {
    const { now, startedAt, toleratedMs } = sources;
    const health = judgeHealth(sources.board(), { now: now(), startedAt, toleratedMs });
    return context.json(redactJson({ ...health }, sources.redact), health.status === 'ok' ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    const text = formatOpenMetrics(toMetrics(await measure(sources)));
    return context.body(text, 200, { 'content-type': openMetricsType });
  });
  app.get('/tasks.json', async (context) => {
    const { paused, recent } = await sources.history();
    const running = [...sources.board().running.values()].map(toJson);
    const queued = sources.queued().map((task) => ({ task }));
    return context.json(redactJson({ running, queued, paused, recent }, sources.redact));
  });
  app.notFound((context) =>
    context.text('There is nothing here. Try /healthz, /metrics or /tasks.json.\n', 404),
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
    queued: sources.queued().length,
    paused,
    startedAt,
    memory: sources.memory(),
  };
}

function toJson(task: RunningTask): Json {
  const { uuid, name, title, url, since, preparation, step, tool, tokens } = task;
  const head = { uuid, task: name, title, url, since: new Date(since).toISOString() };
  return { ...head, preparation: preparation && { ...preparation }, step, tool, tokens };
}
