import type { ConfiguredPlatform, TaskBoard } from '@agent/orchestrator';
import type { RunsWatchOptions } from '@agent/orchestrator/watch';
import type { ProxyLogin } from '@agent/page';
import type { PageSettings } from '@agent/page/config';
import type { RunStorage } from '@agent/run-store';
import type { Locale } from '@agent/text/locale';
import { formatCommand } from '../command-name.ts';
import type { ReloadConfig } from '../config/reload-config.ts';
import type { DaemonLogger } from '../log/logger.ts';

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
  readonly readService: NonNullable<RunsWatchOptions['readService']>;
  readonly page: PageSettings;
  readonly http: { readonly host: string; readonly allowed_hosts: readonly string[] };
  readonly proxy: ProxyLogin | null;
  readonly llm: PagedModel;
  /** Zone whose days are counted: an IANA name. */
  readonly timeZone: string;
  /** Limits of runs, which a reload changes. */
  readonly limits: () => { readonly max_cost: MaxCost; readonly max_steps: number };
  /** Language of the words in which runs are told of. */
  readonly locale: Locale;
  readonly logger: DaemonLogger;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly sleep: RunsWatchOptions['clock']['sleep'];
  /** Platforms that are connected. */
  readonly platforms: () => readonly ConfiguredPlatform[];
  /** Requests that platforms allow. */
  readonly requests: RunsWatchOptions['budgets']['requests'];
  readonly reload: ReloadConfig;
}

type MaxCost = ReturnType<NonNullable<RunsWatchOptions['budgets']['money']>['limits']>;

/** Section of the model, as far as the page tells of it. */
interface PagedModel {
  readonly model: string | null;
  readonly currency: string;
  readonly prices: Readonly<Record<string, unknown>>;
}

/** Milliseconds until the runs are read for who will look: whatever else begins with the daemon comes first. */
const warmAfterMs = 2_000;

/** Opens the page of the runs. They are read a moment later, so that who looks first waits for what has changed alone. */
export function openPage(options: OpenPageOptions): OpenedPage {
  const closed = new AbortController();
  let opened: ReturnType<typeof load> | null = null;
  const open = () => {
    opened ??= load(options, { closed: closed.signal });
    return opened;
  };
  void options.sleep(warmAfterMs, closed.signal).then(() => (closed.signal.aborted ? null : open()));
  return {
    handle: async (request, env) => {
      const { page, keepFresh } = await open();
      keepFresh();
      return page.fetch(request, env as object);
    },
    close: () => closed.abort(),
  };
}

async function load(options: OpenPageOptions, { closed }: { readonly closed: AbortSignal }) {
  const [{ createPage }, { createAuditLog, createKeepFresh, createLoginTokens, createRunsWatch }] =
    await Promise.all([import('@agent/page'), import('@agent/orchestrator/watch')]);
  const { storage, board, queue, page: settings, http, llm, logger, now, sleep, locale, redact } = options;
  const watch = createRunsWatch({
    ...{ storage, board, queue, redact, logger },
    about: { locale, model: () => llm.model, maxSteps: () => options.limits().max_steps },
    readService: options.readService,
    budgets: {
      money: toMoney(llm, options),
      requests: options.requests,
    },
    openWriter: (host, key) =>
      options
        .platforms()
        .find(({ platform }) => platform.host === host)
        ?.platform.openThread(key).writer ?? null,
    clock: { now, sleep },
  });
  const { load: loadRuns, ...views } = watch;
  void loadRuns().catch((err: unknown) => {
    if (!closed.aborted) logger.warn({ err }, 'failed to read runs; retrying');
  });
  const page = createPage({
    ...views,
    logins: createLoginTokens(storage.notes, { now }),
    settings: { reload: options.reload },
    audit: createAuditLog(storage.notes, { logger, now }),
    locale: settings.locale,
    publicOrigin: settings.public_origin,
    allowedHosts: [http.host, ...http.allowed_hosts],
    proxy: options.proxy,
    tokenCommand: formatCommand('token NAME'),
    timeZone: options.timeZone,
    sessionHours: settings.session_hours,
    logger,
    now,
  });
  return { page, keepFresh: createKeepFresh(watch, { now, sleep, closed }) };
}

function toMoney(
  { prices, currency }: PagedModel,
  { limits, timeZone }: Pick<OpenPageOptions, 'limits' | 'timeZone'>,
) {
  return Object.keys(prices).length === 0 ? null : { limits: () => limits().max_cost, currency, timeZone };
}
