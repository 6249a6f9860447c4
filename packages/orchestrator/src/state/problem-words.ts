import type { Locale } from '@agent/text';
import type { Notice } from './notice.ts';
import type { ServiceProblem, ServiceState } from './service-state.ts';
import { en } from './texts.en.ts';
import { ja } from './texts.ja.ts';

const texts = { en, ja };

/** A problem in words for people. */
export interface ProblemWords {
  /** What is wrong, with who caused it. */
  readonly what: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Says what is wrong and what to do. */
export function describeProblem(
  { cause, scope, by }: Pick<ServiceProblem, 'cause' | 'scope' | 'by'>,
  locale: Locale,
): ProblemWords {
  const { problems, by: formatBy } = texts[locale];
  const { what, remedy } = problems[cause];
  const shown = what(scope ?? '–');
  return { what: by === null ? shown : `${shown} (${formatBy(by)})`, remedy };
}

/** Says what an operator should know, and what to do about it. */
export function describeNotice(
  { cause, area, text, remedy }: Pick<Notice, 'cause' | 'area' | 'text' | 'remedy'>,
  locale: Locale,
): ProblemWords {
  const known = texts[locale].notices[cause];
  return { what: `${area}: ${text ?? known.what}`, remedy: remedy ?? known.remedy };
}

const toIso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The state of the service as `/readyz`, `/tasks.json` and `status --json` contain it. */
export function toServiceJson({ status, processes, conditions, problems, notices }: ServiceState) {
  return {
    status,
    problems: problems.map((problem) => ({
      cause: problem.cause,
      scope: problem.scope,
      state: problem.state,
      since: toIso(problem.since),
      until: toIso(problem.until),
      by: problem.by,
      reason: problem.reason,
      ...describeProblem(problem, 'en'),
      processes: problem.processes,
    })),
    notices: notices.map(({ cause, area, since, ...said }) => ({
      ...{ cause, area, since: toIso(since) },
      ...describeNotice({ cause, area, ...said }, 'en'),
    })),
    processes: processes.map(({ startedAt, silentMs, isThis, role, ...process }) => ({
      ...process,
      role: role === 'look' ? 'poll' : role,
      started_at: toIso(startedAt),
      silent_seconds: Math.round(silentMs / 1_000),
      is_this: isThis,
    })),
    conditions: conditions.map((condition) => ({ ...condition, since: toIso(condition.since) })),
  };
}
