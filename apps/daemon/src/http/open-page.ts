import type { TaskBoard } from '@agent/orchestrator';
import type { RunsWatchOptions } from '@agent/orchestrator/watch';
import type { RunStorage } from '@agent/run-store';
import type { Locale } from '@agent/text/locale';
import manifest from '../../package.json' with { type: 'json' };
import type { DaemonLogger } from '../log/logger.ts';
import type { PageSettings } from './page-schema.ts';

/** Answers a request for the page; `env` is that of the server. */
export type PageHandler = (request: Request, env: unknown) => Promise<Response>;

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
export function openPage(options: OpenPageOptions): PageHandler {
  const startedAt = options.now();
  let opened: ReturnType<typeof load> | null = null;
  return async (request, env) => {
    opened ??= load(options, startedAt);
    return (await opened).fetch(request, env as object);
  };
}

async function load(options: OpenPageOptions, startedAt: number) {
  const [{ createPage }, { createAuditLog, createLoginTokens, createRunsWatch }] = await Promise.all([
    import('@agent/page'),
    import('@agent/orchestrator/watch'),
  ]);
  const { storage, board, queue, page, http, llm, logger, now, sleep, locale, redact } = options;
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
  return createPage({
    ...watch,
    logins: createLoginTokens(storage.notes, { now }),
    audit: createAuditLog(storage.notes, { logger, now }),
    locale: page.locale,
    publicOrigin: page.public_origin,
    allowedHosts: [http.host, ...http.allowed_hosts],
    proxy: page.proxy && { header: page.proxy.header, trustedAddresses: page.proxy.trusted_addresses },
    tokenCommand: 'agent-daemon token NAME',
    sessionHours: page.session_hours,
    logger,
    now,
  });
}

function toMoney({ prices, currency }: PagedModel, limits: MaxCost) {
  return Object.keys(prices).length === 0 ? null : { limits, currency };
}
