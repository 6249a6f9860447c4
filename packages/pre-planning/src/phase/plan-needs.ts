import type { InformationNeeds } from '../collection/information-needs.ts';
import { planCollection } from '../collection/plan-collection.ts';
import { type PhaseParts, type PrePlanningRun, withNewComments } from './phase-parts.ts';
import { understand } from './understand.ts';

/** The second sub-phase: what has to be known, and how it is found out. @see seed 004 §4 */
export async function planNeeds(parts: PhaseParts, run: PrePlanningRun): Promise<InformationNeeds> {
  const { source, tools, settings, keeper } = parts;
  const understanding = keeper.state().understanding_result ?? (await understand(parts, run));
  const request = withNewComments(run.request, keeper.state().new_comments);
  const { needs, omitted } = await planCollection(
    { request, understanding, tools: await tools.list(), maxItems: settings.maxItems },
    { source, prompt: settings.prompt, signal: run.signal },
  );
  await keeper.update(() => ({
    collection_plan: needs as NonNullable<ReturnType<typeof keeper.state>['collection_plan']>,
    omitted_items: omitted,
    current_subphase: 'collection',
  }));
  return needs;
}
