import { callWithRetry } from './call-with-retry.ts';
import { toRecordedThread } from './handover-records.ts';
import { openRunInbox } from './open-run-inbox.ts';
import type { ActiveRun, RunParts } from './run.ts';

/**
 * The look after the end of a run that completed: where somebody who may steer said something before the final
 * comment stood there, and no answer takes it up, the thread waits for a run again. What is said after the final
 * comment is said to a run that has ended. Repeating it is safe.
 *
 * @see decision B21
 */
export async function recheckAfterFinish(
  parts: RunParts,
  run: ActiveRun,
  finalCommentId: string,
): Promise<void> {
  const { trigger } = run.platform;
  if (!parts.config.comment_detection.enabled || !trigger.signs.canReturn(run.thread)) return;
  const ears = await openRunInbox(parts, run);
  const comment = await ears.findUnanswered(finalCommentId);
  if (comment === null) return;
  run.logger.info({}, 'a comment came too late for this run; its thread waits for another');
  await callWithRetry(parts, run, {
    doing: 'put the label back',
    attempt: async () => {
      const since = run.facts.handover?.at ?? run.startedAt;
      await parts.handovers.keep(toRecordedThread(run.key, run.platform.platform), {
        by: comment.by,
        since,
        commentId: comment.id,
      });
      await trigger.setState(run.thread, { state: 'waiting' });
    },
  });
}
