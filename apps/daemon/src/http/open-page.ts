import type { TaskBoard } from '@agent/orchestrator';
import type { RunsWatch, RunsWatchOptions } from '@agent/orchestrator/watch';
import type { RunStorage } from '@agent/run-store';
import type { Locale } from '@agent/text/locale';
import manifest from '../../package.json' with { type: 'json' };
import type { DaemonLogger } from '../log/logger.ts';
import type { PageSettings } from './page-schema.ts';

/** Answers a request for the page; `env` is that of the server. */
export type PageHandler = (request: Request, env: unknown) => Promise<Response>;

/** Page of the runs. */
export interface OpenedPage {
  readonly handle: PageHandler;
  /** Ends what it does beside its answers. */
  readonly close: () => void;
}

export interface OpenPageOptions {
  readonly storage: RunStorage;
  readonly board: TaskBoard;
  readonly queue: NonNullable<RunsWatchOptions['queue']>;
  readonly page: PageSettings;
  readonly http: { readonly host: string; readonly allowed_hosts: readonly string[] };
  readonly llm: PagedModel;
  readonly maxCost: MaxCost;
  /** Language of the words in which runs are told of. */
  readonly locale: Locale;
  readonly logger: DaemonLogger;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly sleep: RunsWatchOptions['clock']['sleep'];
}

type MaxCost = NonNullable<RunsWatchOptions['budgets']['money']>['limits'];

/** Section of the model, as far as the page tells of it. */
interface PagedModel {
  readonly model: string | null;
  readonly currency: string;
  readonly prices: Readonly<Record<string, unknown>>;
}

/** Opens the page of the runs: nothing of it is loaded or read before somebody asks for it. */
export function openPage(options: OpenPageOptions): OpenedPage {
  const startedAt = options.now();
  const closed = new AbortController();
  let opened: ReturnType<typeof load> | null = null;
  return {
    handle: async (request, env) => {
      opened ??= load(options, { startedAt, closed: closed.signal });
      const { page, keepFresh } = await opened;
      keepFresh();
      return page.fetch(request, env as object);
    },
    close: () => closed.abort(),
  };
}

/** Milliseconds after the last request for which the board is kept as it is: the next one finds it ready. */
const freshMs = 300_000;

/** Makes what follows the runs while somebody looks at them, and some minutes longer. */
function createKeepFresh(
  { changes }: Pick<RunsWatch, 'changes'>,
  { now, sleep, closed }: Pick<OpenPageOptions, 'now' | 'sleep'> & { readonly closed: AbortSignal },
): () => void {
  let askedAt = Number.NEGATIVE_INFINITY;
  let isFollowing = false;
  const follow = async () => {
    isFollowing = true;
    const stop = changes.subscribe(() => {});
    while (!closed.aborted && now() - askedAt < freshMs) await sleep(freshMs / 5, closed);
    stop();
    isFollowing = false;
  };
  return () => {
    askedAt = now();
    if (!isFollowing) void follow();
  };
}

async function load(
  options: OpenPageOptions,
  { startedAt, closed }: { readonly startedAt: number; readonly closed: AbortSignal },
) {
  const [{ createPage }, { createAuditLog, createLoginTokens, createRunsWatch }] = await Promise.all([
    import('@agent/page'),
    import('@agent/orchestrator/watch'),
  ]);
  const { storage, board, queue, page: settings, http, llm, logger, now, sleep, locale, redact } = options;
  const watch = createRunsWatch({
    ...{ storage, board, queue, redact, logger },
    about: { locale, version: manifest.version, startedAt, model: () => llm.model, member: null },
    budgets: {
      money: toMoney(llm, options.maxCost),
      requests: () => [],
      today: () => new Date(now()).toISOString().slice(0, 10),
    },
    clock: { now, sleep },
  });
  void watch.load().catch((err: unknown) => logger.warn({ err }, 'runs that ended could not be read'));
  const page = createPage({
    ...watch,
    logins: createLoginTokens(storage.notes, { now }),
    audit: createAuditLog(storage.notes, { logger, now }),
    locale: settings.locale,
    publicOrigin: settings.public_origin,
    allowedHosts: [http.host, ...http.allowed_hosts],
    proxy: settings.proxy && {
      header: settings.proxy.header,
      trustedAddresses: settings.proxy.trusted_addresses,
    },
    tokenCommand: 'agent-daemon token NAME',
    sessionHours: settings.session_hours,
    logger,
    now,
  });
  return { page, keepFresh: createKeepFresh(watch, { now, sleep, closed }) };
}

function toMoney({ prices, currency }: PagedModel, limits: MaxCost) {
  return Object.keys(prices).length === 0 ? null : { limits, currency };
}
