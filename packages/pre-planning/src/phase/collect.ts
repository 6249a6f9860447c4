import { toGap } from '../assumption/assumption-maker.ts';
import type { CollectionRecord } from '../collection/collected-information.ts';
import { InformationCollector } from '../collection/information-collector.ts';
import type { InformationNeeds } from '../collection/information-needs.ts';
import { planCollection } from '../collection/plan-collection.ts';
import { phaseTexts } from '../texts.ts';
import { formatCollectionStartNotice } from './format-notices.ts';
import { type PhaseParts, type PrePlanningRun, withNewComments } from './phase-parts.ts';
import type { PrePlanningState } from './pre-planning-state.ts';
import { understand } from './understand.ts';

/** The third sub-phase: calls the tools of the plan. @see seed 004 §5 */
export async function collect(parts: PhaseParts, run: PrePlanningRun): Promise<'go' | 'interrupt'> {
  const { settings, keeper } = parts;
  const needs: InformationNeeds = keeper.state().collection_plan ?? (await planNeeds(parts, run));
  if (!settings.collectionEnabled) await leaveOut(parts, needs);
  else if (!needs.skip_collection && (await callTools(parts, { run, needs })) === 'interrupt')
    return 'interrupt';
  await keeper.update(() => ({ current_subphase: 'assumption' }));
  return 'go';
}

async function callTools(
  { tools, settings, keeper, announce, check }: PhaseParts,
  { run, needs }: { readonly run: PrePlanningRun; readonly needs: InformationNeeds },
): Promise<'go' | 'interrupt'> {
  const total = needs.collection_order.length;
  const { notices, notifications } = settings;
  const notice = notifications.collectionStart ? formatCollectionStartNotice(needs, notices) : null;
  await announce({ type: 'collection-start', needs, notice }, 'collection-start');
  return new InformationCollector(tools, settings.collector).executeCollection(needs, {
    earlier: toRecords(keeper.state()),
    checkpoint: () => check(run),
    onRecord: async (record) => {
      const kept = keeper.update((state) => addRecord(state, record));
      const done = keeper.state().collection_results.length;
      await kept;
      await announce({ type: 'collection-progress', done, total, notice: null });
    },
    signal: run.signal,
  });
}

/** Makes gaps of all needs: without collecting, nothing is assumed either. @see decision E10 */
async function leaveOut({ settings, keeper }: PhaseParts, needs: InformationNeeds): Promise<void> {
  const reason = phaseTexts[settings.prompt.locale].assumption.notCollected;
  const known = new Set(keeper.state().information_gaps.map(({ info_id: id }) => id));
  const gaps = needs.required_information
    .filter(({ id }) => !known.has(id))
    .map((need) => toGap(need, reason));
  await keeper.update(({ information_gaps: before }) => ({ information_gaps: [...before, ...gaps] }));
}

function toRecords({ collection_results: results, failures }: PrePlanningState): readonly CollectionRecord[] {
  const reasons = new Map(failures.map(({ info_id: id, ...failure }) => [id, failure]));
  return results.map((result) => {
    const failure = reasons.get(result.info_id);
    return {
      result,
      failure: failure === undefined ? null : { reason: failure.reason, isTransient: failure.is_transient },
    };
  });
}

function addRecord(
  state: PrePlanningState,
  { result, failure }: CollectionRecord,
): Partial<PrePlanningState> {
  const isOther = ({ info_id: id }: { readonly info_id: string }) => id !== result.info_id;
  const failed =
    failure === null
      ? []
      : [{ info_id: result.info_id, reason: failure.reason, is_transient: failure.isTransient }];
  return {
    collection_results: [...state.collection_results.filter(isOther), { ...result }],
    failures: [...state.failures.filter(isOther), ...failed],
  };
}

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
