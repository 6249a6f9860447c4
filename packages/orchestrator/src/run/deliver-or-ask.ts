import type { RunOutcome } from '@agent/runner';
import { SecretsInChanges, type TaskWorkspace } from '@agent/workspace';
import { deliverChanges, nothingDelivered } from './deliver.ts';
import type { Delivery } from './final-comment.ts';
import { formatRefusedPush, formatSecretsRequest } from './refused-push.ts';
import type { ActiveRun } from './run.ts';

export interface DeliverOrAskOptions {
  /** Null where there is no repository. */
  readonly workspace: TaskWorkspace | null;
  readonly outcome: RunOutcome;
  /** Whether the model was asked before to take secrets out. */
  readonly wasAsked: boolean;
}

/**
 * Brings a run's changes to the platform. Changes with secrets are not pushed: the model is told where they stand and may
 * take them out, once.
 *
 * @returns null when the model was asked, and the conversation goes on
 * @throws Error in the words of the thread when it was asked before; the worktree keeps the changes
 */
export async function deliverOrAsk(
  run: ActiveRun,
  { workspace, outcome, wasAsked }: DeliverOrAskOptions,
): Promise<Delivery | null> {
  if (workspace === null) return nothingDelivered;
  try {
    return await deliverChanges(run, { workspace, finalText: outcome.finalText ?? '' });
  } catch (error) {
    if (!(error instanceof SecretsInChanges)) throw error;
    run.logger.warn(
      { secrets: error.places },
      'the changes hold what looks like secrets; they were not pushed',
    );
    if (wasAsked) throw new Error(formatRefusedPush(error.places, run.facts.locale), { cause: error });
    await run.journal.append({
      type: 'message',
      message: { role: 'user', content: formatSecretsRequest(error.places) },
      usage: null,
      delivers: [],
      activeMs: outcome.statistics.durationMs,
    });
    return null;
  }
}
