import { describeNotice, describeProblem, type ServiceProblem, type ServiceState } from '@agent/orchestrator';
import type { Locale } from '@agent/text';
import { cleanLine, formatDuration } from '../text/terminal-text.ts';
import type { CliTexts } from './texts.en.ts';

/** Options of `formatProblem`. */
export interface FormatProblemOptions {
  readonly texts: CliTexts;
  readonly now: number;
  readonly members: ServiceState['processes'];
  readonly locale: Locale;
}

/** Formats what is wrong and what to do. Names the processes that report it, if others run. */
export function formatProblem(
  problem: ServiceProblem,
  { texts, now, members, locale }: FormatProblemOptions,
): readonly string[] {
  const { since, until, reason, processes } = problem;
  const { what, remedy } = describeProblem(problem, locale);
  const reporters =
    processes.length < members.length ? members.filter(({ number }) => processes.includes(number)) : [];
  const facts = [
    ...reporters.map((member) => texts.process(member)),
    ...(since === null ? [] : [texts.lasting(formatDuration(now - since))]),
    ...(until === null ? [] : [texts.expected(formatDuration(until - now))]),
  ];
  return [cleanLine(texts.problem({ what, facts, reason })), `  ${cleanLine(remedy)}`];
}

/** Number of notices that are shown in words. */
const shownNotices = 3;

/** Formats the notices of the service in one line. */
export function formatNotices(
  { notices }: ServiceState,
  { texts, locale }: Pick<FormatProblemOptions, 'texts' | 'locale'>,
): readonly string[] {
  if (notices.length === 0) return [];
  const shown = notices.slice(0, shownNotices).map((notice) => describeNotice(notice, locale).what);
  return [cleanLine(texts.notices(shown, notices.length - shown.length))];
}
