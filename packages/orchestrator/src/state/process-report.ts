import { z } from 'zod';
import type { Condition } from './condition.ts';
import type { HoldState } from './hold.ts';
import type { Notice } from './notice.ts';

/** Role of a process: `look` polls for tasks, `work` runs them. */
export type ProcessRole = 'both' | 'look' | 'work';

/** Facts about a process that do not depend on its work. */
export interface ReportedProcess {
  /** Number of the process in its storage. */
  readonly number: number;
  readonly host: string;
  readonly role: ProcessRole;
  /** Null if it is unknown. */
  readonly version: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Runs that it carries at most. */
  readonly concurrency: number;
}

/** What a process reports to all views. */
export interface ProcessReport extends ReportedProcess {
  /** Runs that it carries. */
  readonly running: number;
  readonly conditions: readonly Condition[];
  readonly holds: readonly HoldState[];
  /** Default none. */
  readonly notices?: readonly Notice[] | undefined;
}

const holdSchema = z
  .object({
    cause: z.string(),
    scope: z.string().nullable(),
    since: z.number(),
    until: z.number().nullable(),
    by: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .transform((hold) => hold as HoldState);

const conditionSchema = z
  .object({
    part: z.string(),
    state: z.enum(['ok', 'waiting', 'failed']),
    since: z.number(),
    reason: z.string().nullable(),
    measured_ms: z.number().nullable().default(null),
  })
  .transform(
    ({ measured_ms: measuredMs, ...condition }) =>
      (measuredMs === null ? condition : { ...condition, measuredMs }) as Condition,
  );

const noticeSchema = z.object({
  cause: z.enum(['no_sandbox', 'finding']),
  area: z.string(),
  text: z.string().nullable(),
  remedy: z.string().nullable(),
  since: z.number(),
});

const reportSchema = z
  .object({
    number: z.number(),
    host: z.string(),
    role: z.enum(['both', 'look', 'work']),
    version: z.string().nullable(),
    started_at: z.number(),
    running: z.number(),
    concurrency: z.number(),
    conditions: z.array(conditionSchema),
    holds: z.array(holdSchema),
    notices: z.array(noticeSchema).default([]),
  })
  .transform(({ started_at: startedAt, ...report }): ProcessReport => ({ ...report, startedAt }));

/** Parses the stored reports. Reports of another form, such as those of a newer version, are left out. */
export const parseProcessReports = (json: unknown): readonly ProcessReport[] =>
  (Array.isArray(json) ? json : []).flatMap((one) => reportSchema.safeParse(one).data ?? []);

/** Formats a report as it is stored. */
export const toReportJson = ({ startedAt, conditions, holds, notices = [], ...report }: ProcessReport) => ({
  ...report,
  started_at: startedAt,
  conditions: conditions.map(({ measuredMs = null, ...one }) => ({ ...one, measured_ms: measuredMs })),
  holds: holds.map((one) => ({ ...one })),
  notices: notices.map((one) => ({ ...one })),
});
