import { formatUnderstandingNotice } from '../notices/format-notices.ts';
import { RequestUnderstandingProcessor } from '../understanding/request-understanding-processor.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';
import { type PhaseParts, type PrePlanningRun, withNewComments } from './phase-parts.ts';

/** The first sub-phase, and again when something was said since. @see seed 004 §3 */
export async function understand(
  parts: PhaseParts,
  { request, signal }: PrePlanningRun,
): Promise<RequestUnderstanding> {
  const { source, settings, keeper, announce } = parts;
  const { prompt, understandingThreshold: confidenceThreshold } = settings;
  const processor = new RequestUnderstandingProcessor(source, { ...prompt, confidenceThreshold });
  const { new_comments: added, understanding_result: before } = keeper.state();
  const analyzed = await processor.analyzeRequest(withNewComments(request, added), { signal });
  // A first understanding that was had is better than the least one.
  const understanding = analyzed.isMinimal && before !== null ? before : analyzed.understanding;
  await keeper.update(({ current_subphase: subphase, new_comments: comments }) => ({
    understanding_result: understanding,
    current_subphase: subphase === 'understanding' ? 'collection_planning' : subphase,
    is_outdated: comments.length > added.length,
  }));
  const notice = settings.notifications.understanding
    ? formatUnderstandingNotice(understanding, prompt.locale)
    : null;
  const isSufficient = processor.checkUnderstandingConfidence(understanding);
  const event = {
    type: 'understanding-end',
    understanding,
    isSufficient,
    isRevised: before !== null,
    notice,
  } as const;
  await announce(event, `understanding-end ${added.length}`);
  return understanding;
}
