import type { CallOptions } from '@agent/platforms';
import type { PrePlanningRequest } from '../ports.ts';
import { PrePlanningError } from '../pre-planning-error.ts';
import { RequestUnderstandingProcessor } from '../understanding/request-understanding-processor.ts';
import { isUnderstandingSufficient, type RequestUnderstanding } from '../understanding/understanding.ts';
import { formatUnderstandingNotice } from './format-notices.ts';
import { type PhaseParts, type PrePlanningRun, withNewComments } from './phase-parts.ts';

/**
 * The first sub-phase, and again when something was said since. An understanding that was had is kept where no better
 * one can be had: the comments themselves still reach whoever plans. @see seed 004 §3, §12.2
 */
export async function understand(parts: PhaseParts, run: PrePlanningRun): Promise<RequestUnderstanding> {
  const { keeper } = parts;
  const { new_comments: added, understanding_result: before } = keeper.state();
  const request = withNewComments(run.request, added);
  const understood = await analyze(parts, { request, before, signal: run.signal });
  await keeper.update(({ current_subphase: subphase, announced }) => ({
    understanding_result: understood,
    understood_comments: added.length,
    current_subphase: subphase === 'understanding' ? 'collection_planning' : subphase,
    // People are not told once more what did not change.
    announced: understood === before ? [...announced, nameNotice(added.length)] : announced,
  }));
  await announceUnderstanding(parts);
  return understood;
}

interface Analysis extends CallOptions {
  readonly request: PrePlanningRequest;
  readonly before: RequestUnderstanding | null;
}

/** @throws PrePlanningError when the model could not be asked, and nothing was understood before */
async function analyze(
  { source, settings }: PhaseParts,
  { request, before, signal }: Analysis,
): Promise<RequestUnderstanding> {
  const { logger } = settings;
  const processor = new RequestUnderstandingProcessor(source, settings.prompt);
  try {
    const { understanding, isMinimal } = await processor.analyzeRequest(request, { signal });
    if (!isMinimal || before === null) return understanding;
    logger?.warn({}, 'received unusable understanding; keeping the previous one');
    return before;
  } catch (err) {
    if (before === null || !PrePlanningError.isInstance(err)) throw err;
    logger?.warn({ err }, 'failed to update understanding; keeping the previous one');
    return before;
  }
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
  await announce(event, nameNotice(comments));
}

/** Names the notice of an understanding by the number of comments that it knows. */
function nameNotice(comments: number): string {
  return `understanding-end ${comments}`;
}
