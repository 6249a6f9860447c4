import { formatUnderstandingNotice } from '../notices/format-notices.ts';
import { isUnderstandingSufficient } from '../understanding/judge-understanding.ts';
import { RequestUnderstandingProcessor } from '../understanding/request-understanding-processor.ts';
import type { RequestUnderstanding } from '../understanding/understanding.ts';
import { type PhaseParts, type PrePlanningRun, withNewComments } from './phase-parts.ts';

/** The first sub-phase, and again when something was said since. @see seed 004 §3 */
export async function understand(
  parts: PhaseParts,
  { request, signal }: PrePlanningRun,
): Promise<RequestUnderstanding> {
  const { source, settings, keeper } = parts;
  const processor = new RequestUnderstandingProcessor(source, settings.prompt);
  const { new_comments: added, understanding_result: before } = keeper.state();
  const analyzed = await processor.analyzeRequest(withNewComments(request, added), { signal });
  // A first understanding that was had is better than the least one.
  const understanding = analyzed.isMinimal && before !== null ? before : analyzed.understanding;
  await keeper.update(({ current_subphase: subphase }) => ({
    understanding_result: understanding,
    understood_comments: added.length,
    current_subphase: subphase === 'understanding' ? 'collection_planning' : subphase,
  }));
  await announceUnderstanding(parts);
  return understanding;
}

/** Tells of the latest understanding, unless that was done. */
export async function announceUnderstanding({ settings, keeper, announce }: PhaseParts): Promise<void> {
  const { understanding_result: understanding, understood_comments: comments, announced } = keeper.state();
  if (understanding === null) return;
  const { notices, understandingThreshold: threshold } = settings;
  const notice = settings.notifications.understanding
    ? formatUnderstandingNotice(understanding, { ...notices, threshold })
    : null;
  const isSufficient = isUnderstandingSufficient(understanding, threshold);
  const isRevised = announced.some((key) => key.startsWith('understanding-end'));
  const event = { type: 'understanding-end', understanding, isSufficient, isRevised, notice } as const;
  await announce(event, `understanding-end ${comments}`);
}
