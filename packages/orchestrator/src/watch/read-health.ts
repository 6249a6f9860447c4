import type { Locale } from '@agent/text';
import { describeNotice, describeProblem, type ProblemWords } from '../state/problem-words.ts';
import type { ServiceProblem, ServiceState } from '../state/service-state.ts';
import type { BudgetView } from './read-budgets.ts';

/** A problem as a page shows it. */
export interface ProblemView
  extends Pick<ServiceProblem, 'state' | 'since' | 'until' | 'reason'>,
    ProblemWords {}

/** Health of the service. */
export interface HealthView extends Pick<ServiceState, 'status' | 'processes' | 'conditions'> {
  readonly problems: readonly ProblemView[];
  readonly notices: readonly ProblemWords[];
  readonly budgets: readonly BudgetView[];
  readonly model: string | null;
  /** Number of queued tasks. */
  readonly waiting: number;
}

/** Puts notices into words. */
export const showNotices = ({ notices }: ServiceState, locale: Locale): readonly ProblemWords[] =>
  notices.map((notice) => describeNotice(notice, locale));

/** Puts problems into words. */
export const showProblems = ({ problems }: ServiceState, locale: Locale): readonly ProblemView[] =>
  problems.map((problem) => {
    const { state, since, until, reason } = problem;
    return { state, since, until, reason, ...describeProblem(problem, locale) };
  });
