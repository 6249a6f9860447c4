import * as z from 'zod';
import type { RequestUse } from './request-limits.ts';

const ages = z.array(z.number());
const counts = z.object({ all: z.number(), counted: z.number() });

/** Report of a process to the others on its requests. Times are milliseconds before the report, so that no clock is shared. */
export const reportedUseSchema = z.object({
  minute: z.object({ poll: ages, 'needed-poll': ages, read: ages, write: ages, content: ages }),
  contents: ages,
  primary: z.object({ limit: z.number(), remaining: z.number(), resetAt: z.number() }).nullable(),
  refusedForMs: z.number(),
  polls: counts,
  /** Those who poll in that process. */
  pollers: z.number(),
  /** Runs at work there. */
  runs: z.number(),
});

/** Report of one process. */
export type ReportedUse = z.output<typeof reportedUseSchema>;

/** Use that all others make. */
export interface OthersUse {
  readonly uses: readonly RequestUse[];
  readonly pollers: number;
  readonly runs: number;
}

/** Nobody else is known. */
export const noOthers: OthersUse = { uses: [], pollers: 0, runs: 0 };

const minuteMs = 60_000;

/** Writes what a process used of a credential down for the others. */
export function toReportedUse(
  { primary, contents, minute, refusedUntil, polls }: RequestUse,
  { now, ...at }: { readonly now: number } & Pick<ReportedUse, 'pollers' | 'runs'>,
): ReportedUse {
  const agesOf = (kind: string) =>
    minute.filter((one) => one.kind === kind && one.at > now - minuteMs).map((one) => now - one.at);
  return {
    minute: {
      poll: agesOf('poll'),
      'needed-poll': agesOf('needed-poll'),
      read: agesOf('read'),
      write: agesOf('write'),
      content: agesOf('content'),
    },
    contents: contents.map((one) => now - one),
    primary,
    refusedForMs: Math.max(0, refusedUntil - now),
    polls,
    ...at,
  };
}

/** Milliseconds after which a process that reports nothing more has neither pollers nor runs. */
const presentMs = 120_000;

/** Reads what the others reported, by the clock of this process. */
export function toOthersUse(
  reports: readonly { readonly at: number; readonly report: ReportedUse }[],
  now: number,
): OthersUse {
  const present = reports.filter(({ at }) => now - at < presentMs).map(({ report }) => report);
  const sum = (of: 'pollers' | 'runs') => present.reduce((total, report) => total + report[of], 0);
  return { uses: reports.map(toUse), pollers: sum('pollers'), runs: sum('runs') };
}

function toUse({ at, report }: { readonly at: number; readonly report: ReportedUse }): RequestUse {
  const { minute, contents, primary, refusedForMs, polls } = report;
  const kinds = ['poll', 'needed-poll', 'read', 'write', 'content'] as const;
  return {
    primary,
    contents: contents.map((age) => at - age),
    minute: kinds.flatMap((kind) => minute[kind].map((age) => ({ at: at - age, kind }))),
    refusedUntil: at + refusedForMs,
    polls,
  };
}

/** Joins the uses of several processes into that of one that made all their requests. */
export function joinUses(uses: readonly RequestUse[]): RequestUse {
  const polls = uses.map((use) => use.polls);
  return {
    primary: uses.map((use) => use.primary).reduce<RequestUse['primary']>(newerPrimary, null),
    contents: uses.flatMap((use) => use.contents).sort((one, other) => one - other),
    minute: uses.flatMap((use) => use.minute).sort((one, other) => one.at - other.at),
    refusedUntil: Math.max(0, ...uses.map((use) => use.refusedUntil)),
    polls: {
      all: polls.reduce((sum, { all }) => sum + all, 0),
      counted: polls.reduce((sum, { counted }) => sum + counted, 0),
    },
  };
}

/** Two answers tell the end of one window within so many milliseconds. */
const windowMs = 5_000;

/** The later window; within one, the answer with less left is the later one. */
function newerPrimary(one: RequestUse['primary'], other: RequestUse['primary']): RequestUse['primary'] {
  if (one === null || other === null) return one ?? other;
  if (Math.abs(one.resetAt - other.resetAt) > windowMs) return one.resetAt > other.resetAt ? one : other;
  return one.remaining <= other.remaining ? one : other;
}
