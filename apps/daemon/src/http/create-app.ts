import { BlockList, isIP } from 'node:net';
import {
  type BoardState,
  findAway,
  type QueuedTask,
  type RunningTask,
  type ServiceState,
  toQueuedJson,
  toQueuedTask,
  toServiceJson,
  type WaitingEntry,
} from '@agent/orchestrator';
import type { WebhookRoute } from '@agent/orchestrator/platforms';
import type { RunsWatchOptions } from '@agent/orchestrator/watch';
import type { Json } from '@agent/run-store';
import { mapTexts } from '@agent/text';
import type { Locale } from '@agent/text/locale';
import { Hono } from 'hono';
import type { PageHandler } from './open-page.ts';
import type { StatusAccess } from './status-access.ts';

const loopback = new BlockList();

loopback.addSubnet('127.0.0.0', 8, 'ipv4');

loopback.addAddress('::1', 'ipv6');

const notOurHost =
  'This host name is not allowed. Add it to http.allowed_hosts, or use the address in http.host.\n';

/** Everything that the endpoints show, and where platforms deliver to. */
export interface HttpSources {
  readonly board: () => BoardState;
  readonly readService: () => Promise<ServiceState>;
  readonly queue: { readonly waiting: () => Promise<readonly WaitingEntry[]> };
  /** Language of reasons. Default English. */
  readonly locale?: Locale | undefined;
  /** Reads metrics in the text format of Prometheus; null for none. */
  readonly readMetrics: (() => Promise<string>) | null;
  /** Paused tasks that are not queued, and those that ended last, in the words of the JSON; read from disk when asked. */
  readonly history: (queued: readonly QueuedTask[]) => Promise<{
    readonly paused: readonly Json[];
    /** Runs that have delivered and wait for reviews and checks. Default none. */
    readonly inReview?: readonly Json[] | undefined;
    readonly recent: readonly Json[];
  }>;
  /** Requests that platforms allow, as far as they are known. Default none. */
  readonly requests?: RunsWatchOptions['budgets']['requests'] | undefined;
  /** Takes secrets out of every text before it leaves. */
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of what could not be read or answered. */
  readonly onError: (error: unknown) => void;
  /** Address that the server listens on. */
  readonly host: string;
  /** Further names that it is asked by, such as a service's in a cluster. */
  readonly allowedHosts: readonly string[];
  /** None: there are no addresses for webhooks. */
  readonly webhooks: readonly WebhookRoute[];
}

const endpoints = ['/healthz', '/readyz', '/metrics', '/tasks.json'];

/** @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Endpoints that show what the daemon works on. */
const guarded = ['/metrics', '/tasks.json'];

const notLoggedIn =
  'Log in to the web UI, or send the token of http.metrics_token_file (Authorization: Bearer …).\n';

/** Options of `createApp`. */
export interface AppOptions {
  /** Answers what no endpoint does. Default: nothing. */
  readonly page?: PageHandler | null | undefined;
  /** Decides who can read `/metrics` and `/tasks.json`. Default: everyone. */
  readonly mayRead?: StatusAccess | null | undefined;
}

/**
 * `/healthz`, `/readyz`, `/metrics` and `/tasks.json`, and the page at all else: read only, without secrets and without what was said on threads. Webhooks come
 * first, because the guard is not for them: they come from outside, by any name, and prove themselves.
 */
export function createApp(sources: HttpSources, { page = null, mayRead = null }: AppOptions = {}): Hono {
  const app = new Hono();
  app.route('/', createWebhookRoutes(sources.webhooks));
  app.use(async (context, next) => {
    const { path } = context.req;
    // The page has names of its own: its public one must not open what is shown without a login.
    if (page !== null && !endpoints.includes(path)) return next();
    const header = context.req.header('host');
    const isRewritten = path === '/tasks.json' && isPassedOn(context.req.raw.headers);
    if (!isAllowedHost(header, sources) || (isRewritten && isLoopback(hostnameOf(header) ?? '')))
      return context.text(notOurHost, 421);
    const isOpen = mayRead === null || !guarded.includes(path);
    if (!isOpen && !(await mayRead(context.req.raw, context.env)))
      return context.text(notLoggedIn, 401, { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
    await next();
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
  });
  app.get('/healthz', (context) => {
    const { now, startedAt } = sources;
    return context.json(toHealthJson(sources.board(), { now: now(), startedAt }));
  });
  app.get('/readyz', async (context) => {
    const { status, problems, conditions } = toServiceJson(await sources.readService());
    const isUp = status === 'ready' || status === 'degraded';
    return context.json(mapTexts({ status, problems, conditions }, sources.redact), isUp ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    if (sources.readMetrics === null) return context.notFound();
    return context.body(await sources.readMetrics(), 200, { 'content-type': metricsType });
  });
  app.get('/tasks.json', async (context) => {
    const service = await sources.readService();
    const database = findAway(service);
    if (database !== null) return context.json(mapTexts({ database }, sources.redact), 503);
    const entries = (await sources.queue.waiting()).map(toQueuedTask);
    const { paused, inReview = [], recent } = await sources.history(entries);
    const running = [...sources.board().running.values()].map(toJson);
    const queued = toQueuedJson(entries, { service, locale: sources.locale ?? 'en' });
    const daemon = { pid: process.pid };
    const searches = listSearches(sources.board());
    const resting = { paused, in_review: inReview };
    const requests = (sources.requests?.() ?? []).map(({ resetsAt, ...rest }) => ({
      ...rest,
      resets_at: toIso(resetsAt),
    }));
    const shown = {
      daemon,
      service: toServiceJson(service),
      running,
      queued,
      requests,
      searches,
      ...resting,
      recent,
    };
    return context.json(mapTexts(shown, sources.redact));
  });
  if (page !== null) app.all('*', (context) => page(context.req.raw, context.env));
  app.notFound((context) =>
    context.text('Not found. Try /healthz, /readyz, /metrics or /tasks.json.\n', 404),
  );
  app.onError((error, context) => {
    sources.onError(error);
    return context.text('Internal error. See the log of the daemon.\n', 500);
  });
  return app;
}

const toIso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Lists when this process last searched each repository for tasks and got an answer. Empty for one that does not search. */
const listSearches = ({ polled }: BoardState) =>
  [...polled].flatMap(([platform, places]) =>
    [...places].map(([repository, at]) => ({ platform, repository, at: new Date(at).toISOString() })),
  );

function toJson(task: RunningTask): Json {
  const { uuid, name, title, url, since, preparation, plan, step, tokens, costMicros } = task;
  const { asking, askingSince, attempt, tool, toolSince } = task;
  const head = { uuid, task: name, title, url, since: new Date(since).toISOString() };
  const stages = { preparation: preparation && { ...preparation }, plan: plan && { ...plan } };
  const activity = {
    asking,
    asking_since: toTime(askingSince),
    attempt,
    tool,
    tool_since: toTime(toolSince),
  };
  return { ...head, ...stages, step, ...activity, tokens, cost_micros: costMicros };
}

const toTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The body of `/healthz`: that the process lives, which says nothing of what it can reach. */
function toHealthJson(
  { ending }: Pick<BoardState, 'ending'>,
  { now, startedAt }: { readonly now: number; readonly startedAt: number },
): Json {
  return { status: ending ? 'ending' : 'ok', uptime_seconds: Math.floor((now - startedAt) / 1_000) };
}

/**
 * Tells whether a request may be answered that names this host. A page on the web can point a name of its own at our
 * address, but it cannot make the browser name another host: so only loopback and the configured
 * names are known, and, where the server listens on every address, any bare address.
 */
export function isAllowedHost(
  header: string | undefined,
  { host, allowedHosts }: { readonly host: string; readonly allowedHosts: readonly string[] },
): boolean {
  const name = hostnameOf(header);
  if (name === null) return false;
  const known = ['localhost', host, ...allowedHosts].map((one) => one.toLowerCase());
  if (known.includes(name) || isLoopback(name)) return true;
  return isEveryAddress(host) && isIP(name) !== 0;
}

/** Tells whether only this machine can reach a server that listens there. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Tells whether a proxy says that it has passed a request on. */
function isPassedOn(headers: Headers): boolean {
  return [...headers.keys()].some((name) => /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/.test(name));
}

/** The name without its port; null for a header that is none. */
function hostnameOf(header: string | undefined): string | null {
  const parts = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[^\s:/@[\]]+))(?::\d{1,5})?$/i.exec(header ?? '');
  return (parts?.groups?.six ?? parts?.groups?.name)?.toLowerCase() ?? null;
}

/** The addresses that platforms deliver to. They answer whatever host is named, for only a secret opens them. */
function createWebhookRoutes(routes: readonly WebhookRoute[]): Hono {
  const app = new Hono();
  for (const { path, handle, variable } of routes) {
    if (handle !== null) {
      app.all(path, (context) => handle(context.req.raw));
      continue;
    }
    // GitLab disables a webhook that answers 404 permanently, and retries one that answers 503.
    const text = `Webhooks are off: ${variable} is not set.\n`;
    app.post(path, (context) => context.text(text, 503));
    app.all(path, (context) => context.text('Send webhooks with POST.\n', 405, { allow: 'POST' }));
  }
  return app;
}
