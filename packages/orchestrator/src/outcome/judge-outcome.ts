import type { Outcome } from '@agent/run-store';
import type { OutcomeStatus } from '@agent/runner';
import { isStatusWord } from './is-status-word.ts';

/** Facts by which the outcome of a run is judged. All of them are in its record, so that a crash does not change the outcome. */
export interface OutcomeEvidence {
  /** End that the runner reported. */
  readonly status: OutcomeStatus;
  readonly finalText: string | null;
  /** False for a run without a repository. */
  readonly hasRepository: boolean;
  /** True if the run pushed changes or opened a change request, now or in an earlier round. */
  readonly hasDelivered: boolean;
  /** True if the run was to follow a plan, and the model produced no usable one. */
  readonly lacksPlan: boolean;
  /** True if the request was understood as a question; null if pre-planning is off. */
  readonly isQuestion: boolean | null;
  /** True if at least one read of the repository or of the conversation succeeded. */
  readonly hasRead: boolean;
  /** True if a check command succeeded after the last change. */
  readonly hasChecked: boolean;
}

export interface Judgement {
  readonly outcome: Outcome;
  /** Why a run that the runner ended well failed or is partial; else null. */
  readonly cause: 'no-work' | 'open-plan' | 'unfinished-plan' | 'unchecked' | null;
}

/**
 * Judges how a run ended by what it did, whatever its model says.
 *
 * @example
 * judgeOutcome({ ...evidence, hasDelivered: false, hasRead: false, finalText: 'Done.' });
 * // { outcome: 'failed', cause: 'no-work' }
 */
export function judgeOutcome(evidence: OutcomeEvidence): Judgement {
  const { status, hasDelivered } = evidence;
  if (status !== 'completed' && status !== 'partial') return { outcome: status, cause: null };
  if (hasDelivered) return judgeDelivered(evidence);
  return judgeUnchanged(evidence);
}

function judgeDelivered({ status, lacksPlan, hasChecked }: OutcomeEvidence): Judgement {
  if (status === 'partial') return { outcome: 'partial', cause: 'unfinished-plan' };
  if (lacksPlan && !hasChecked) return { outcome: 'partial', cause: 'unchecked' };
  return { outcome: 'completed', cause: null };
}

function judgeUnchanged(evidence: OutcomeEvidence): Judgement {
  const { status, finalText, hasRepository, isQuestion, hasRead } = evidence;
  const saysSomething = finalText !== null && !isStatusWord(finalText);
  if (saysSomething && (isQuestion === true || !hasRepository)) return { outcome: 'answered', cause: null };
  if (status === 'partial') return { outcome: 'failed', cause: 'open-plan' };
  if (saysSomething && hasRead) return { outcome: 'nothing_to_change', cause: null };
  return { outcome: 'failed', cause: 'no-work' };
}
