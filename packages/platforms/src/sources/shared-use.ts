import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@agent/text';
import type * as z from 'zod';
import type { SharedAnswers } from '../http/shared-answers.ts';

/** Reports of several processes on what each used of something that they share, such as the limits of a credential. */
export interface SharedUse {
  /**
   * Replaces this process's report under a key, and resolves with the last ones of the others, none older than an hour.
   * Doing it again changes nothing.
   */
  readonly exchange: (key: string, report: string) => Promise<readonly UseReport[]>;
}

/** Parts of a credential that its processes share. */
export interface SharedCredentials {
  readonly use: SharedUse;
  /** Null where one process has the credential for itself. */
  readonly answers: SharedAnswers | null;
}

/** Last report of another process. */
export interface UseReport {
  /** Milliseconds since it was made, by a clock that all share. */
  readonly ageMs: number;
  readonly report: string;
}

/** A key that a report stands under, and how reports of this kind are made and read. */
export interface UseExchangeOptions<Report> {
  /** Null for one process, which has all to itself. */
  readonly shared: SharedUse | null;
  readonly key: string;
  readonly schema: z.ZodType<Report>;
  /** Reports what this process has used so far. */
  readonly report: () => Report;
  /** Told of what the others reported: `at` says when, by the clock of this process. */
  readonly onReports: (reports: readonly { readonly at: number; readonly report: Report }[]) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default a timer that does not keep the process. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Default silent. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/** The part of one process in what several share. */
export interface UseExchange {
  /** Has what was used since told within a second. */
  readonly changed: () => void;
  /**
   * Resolves when what is known of the others was read within the last second, or could not be. Never rejects. Null where
   * there are no others, so that nothing waits.
   */
  readonly refresh: () => Promise<void> | null;
}

/** Milliseconds between two exchanges of one process. */
const exchangeMs = 1_000;

/** Exchanges reports with the other processes: at most once a second, and only while something is used or asked. */
export function openUseExchange<Report>(options: UseExchangeOptions<Report>): UseExchange {
  const { shared, now, sleep = (ms) => wait(ms, undefined, { ref: false }) } = options;
  if (shared === null) return { changed: () => undefined, refresh: () => null };
  let askedAt = Number.NEGATIVE_INFINITY;
  let isTold = true;
  let isFailing = false;
  let underWay: Promise<void> | null = null;
  let isTelling = false;
  const leftMs = () => (now() < askedAt ? 0 : Math.max(0, askedAt + exchangeMs - now()));
  const exchange = async (): Promise<void> => {
    try {
      await exchangeOnce(options, shared);
      isFailing = false;
    } catch (error) {
      if (!isFailing) options.logger?.warn({ err: error }, unknownUse);
      isFailing = true;
    }
  };
  const begin = (): Promise<void> => {
    if (underWay !== null) return underWay;
    askedAt = now();
    isTold = true;
    underWay = exchange().finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const tell = async (): Promise<void> => {
    while (!isTold) {
      if (leftMs() > 0) await sleep(leftMs());
      else await begin();
    }
    isTelling = false;
  };
  return {
    changed: () => {
      isTold = false;
      if (isTelling) return;
      isTelling = true;
      void tell();
    },
    refresh: async () => {
      if (underWay !== null || leftMs() === 0) await begin();
    },
  };
}

const unknownUse = 'failed to read credential usage of other processes; using last known values';

async function exchangeOnce<Report>(
  { key, schema, report, onReports, now }: UseExchangeOptions<Report>,
  shared: SharedUse,
): Promise<void> {
  const reports = await shared.exchange(key, JSON.stringify(report()));
  const readAt = now();
  onReports(reports.map((one) => ({ at: readAt - one.ageMs, report: schema.parse(JSON.parse(one.report)) })));
}

/**
 * Creates reports that are kept in memory, for several budgets in one process; `join` gives each its own part.
 *
 * @example
 * const world = createMemorySharedUse({ now });
 * const one = createRequestBudget({ shared: world.join(), key: 'token', now });
 * const two = createRequestBudget({ shared: world.join(), key: 'token', now });
 */
export function createMemorySharedUse({ now }: { readonly now: () => number }): {
  readonly join: () => SharedUse;
} {
  const reports: {
    readonly key: string;
    readonly by: symbol;
    readonly at: number;
    readonly report: string;
  }[] = [];
  return {
    join: () => {
      const by = Symbol();
      return {
        exchange: async (key, report) => {
          const own = reports.findIndex((one) => one.key === key && one.by === by);
          reports.splice(own < 0 ? reports.length : own, 1, { key, by, at: now(), report });
          return reports
            .filter((one) => one.key === key && one.by !== by && now() - one.at < 3_600_000)
            .map((one) => ({ ageMs: now() - one.at, report: one.report }));
        },
      };
    },
  };
}
