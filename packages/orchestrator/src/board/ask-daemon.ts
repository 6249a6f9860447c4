import { hostname as readHostname } from 'node:os';
import type { StorageMember } from '@agent/run-store';
import { z } from 'zod';
import { queuedTaskSchema } from './queued-tasks.ts';

const stage = z.record(z.string(), z.union([z.string(), z.number(), z.null()])).nullable();
const viewSchema = z.object({
  daemon: z.object({ pid: z.number() }),
  running: z.array(
    z.object({
      uuid: z.string(),
      preparation: stage,
      plan: stage,
      step: z.number(),
      asking: z.enum(['model', 'agent']).nullable(),
      asking_since: z.string().nullable(),
      attempt: z.number(),
      tool: z.string().nullable(),
      tool_since: z.string().nullable(),
      tokens: z.number(),
      cost_micros: z.number(),
    }),
  ),
  queued: z.array(queuedTaskSchema),
  searches: z.array(z.object({ platform: z.string(), repository: z.string(), at: z.string() })),
  requests: z.array(
    z.object({
      platform: z.string(),
      left: z.number().nullable(),
      limit: z.number().nullable(),
      resets_at: z.string().nullable(),
    }),
  ),
});

/** State that a daemon keeps in no file: how far its runs are, and what waits. */
export type DaemonView = z.infer<typeof viewSchema>;

/** `unasked` says why there is no view; null where there is no daemon, or none that listens. */
export type AskedDaemon =
  | { readonly view: DaemonView }
  | { readonly view: null; readonly unasked: string | null };

/** Address at which a daemon may answer, and how it is asked. */
export interface AskDaemonOptions {
  readonly http: { readonly host: string; readonly port: number | null };
  /** Name of this machine. Default the system's. */
  readonly hostname?: string | undefined;
  /** Default the system's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Creates the bearer token of the request. Default: none is sent. */
  readonly createToken?: (() => Promise<string>) | undefined;
  /** Default 2,000. */
  readonly timeoutMs?: number | undefined;
}

/** Asks the daemon of this machine, of those that work in a place, by its own HTTP address. What answers there has to be one of them. */
export async function askDaemon(
  members: readonly StorageMember[],
  {
    http: { host, port },
    hostname = readHostname(),
    fetch: ask = globalThis.fetch,
    timeoutMs = 2_000,
    createToken,
  }: AskDaemonOptions,
): Promise<AskedDaemon> {
  const here = members.filter((member) => member.host === hostname);
  if (members.length === 0 || port === null) return { view: null, unasked: null };
  if (port === 0) return { view: null, unasked: 'http.port is 0, so its address is only in its log' };
  if (here.length === 0) {
    const hosts = [...new Set(members.map(({ host: name }) => name))].join(', ');
    return { view: null, unasked: `it runs on another machine (${hosts})` };
  }
  const url = `http://${toReachable(host)}:${port}/tasks.json`;
  try {
    const token = await createToken?.();
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await ask(url, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!answer.ok) return { view: null, unasked: `${url} answered with HTTP ${answer.status}` };
    const view = viewSchema.parse(await answer.json());
    if (here.some(({ pid }) => pid === view.daemon.pid)) return { view };
    return { view: null, unasked: `another daemon answers at ${url} (process ${view.daemon.pid})` };
  } catch (error) {
    return { view: null, unasked: `${url} sent no readable answer (${nameOf(error)})` };
  }
}

/** Addresses a server that listens everywhere by the loopback one. */
function toReachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function nameOf(error: unknown): string {
  const { name, cause } = error as Error;
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : name;
}
