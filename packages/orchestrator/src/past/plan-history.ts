import type { ContextInheritanceManager, InheritanceContext } from '@agent/context-inheritance';
import type { ShownRun } from '@agent/run-store';
import {
  type ContinuablePlan,
  type PlanningFact,
  type PlanningHistory,
  planningFactName,
  readPlanningState,
} from '@agent/runner/planning';
import type { TaskWorkspace } from '@agent/workspace';
import { markInternal } from '../inbox/text-guard.ts';
import type { Run } from '../run/run.ts';
import { type EarlierRuns, hashRequest } from './earlier-runs.ts';
import { type InheritingRun, nameThread } from './inheritance-of-run.ts';
import { hasStoppedWork } from './kept-work.ts';

/** Gives the fingerprint of a run's request as it stands now. @throws PlatformError when it cannot be read now */
export function createReadRequestHash({
  thread: { ports },
}: {
  readonly thread: { readonly ports: Pick<Run['thread']['ports'], 'reader'> };
}) {
  return async (options: { readonly signal?: AbortSignal | undefined }): Promise<string> =>
    hashRequest(await ports.reader.readThread(options));
}

export interface PlanHistoryOptions {
  /** Null where nothing is inherited. */
  readonly earlierRuns: Pick<EarlierRuns, 'openManager'> | null;
  readonly readRun: (uuid: string) => Promise<Pick<ShownRun<unknown>, 'state' | 'history'>>;
}

/** A run that plans, as far as earlier plans concern it. */
export interface PlanningRun extends InheritingRun {
  readonly thread: InheritingRun['thread'] & Pick<Run['thread'], 'audience'>;
}

/**
 * Opens what earlier plans of the thread teach a run, for the phases of its own. Null for a run that inherits nothing; what
 * cannot be read is logged, and the run plans without it.
 */
export type OpenPlanHistory = (
  run: PlanningRun,
  place: { readonly workspace: Pick<TaskWorkspace, 'path'> | null },
) => Promise<PlanningHistory | null>;

/** Creates it. */
export function createOpenPlanHistory({ earlierRuns, readRun }: PlanHistoryOptions): OpenPlanHistory {
  return async (run, { workspace }) => {
    const { lineage, facts, logger, thread } = run;
    if (earlierRuns === null || lineage.fromUuid === null) return null;
    try {
      const manager = await earlierRuns.openManager({ locale: facts.locale, logger });
      const context = await manager.getInheritanceContext(nameThread(run));
      if (context === null) return null;
      const sources = await Promise.all(context.previousContexts.map(({ uuid }) => readRun(uuid)));
      const isInternal = await thread.audience.inherit(sources.map(({ state }) => state));
      return createPlanHistory(run, { manager, context, isInternal, readRun, workspace });
    } catch (error) {
      logger.warn(
        { err: error, from: lineage.fromUuid },
        'earlier plans cannot be read; this one is made without them',
      );
      return null;
    }
  };
}

interface PlanSources extends Pick<PlanHistoryOptions, 'readRun'> {
  readonly manager: ContextInheritanceManager;
  readonly context: InheritanceContext;
  /** True where the texts rest on an internal note. */
  readonly isInternal: boolean;
  readonly workspace: Pick<TaskWorkspace, 'path'> | null;
}

function createPlanHistory(run: PlanningRun, sources: PlanSources): PlanningHistory {
  const { manager, context, isInternal } = sources;
  const advice = manager.createPlanAdvice(context);
  const { goal } = manager.createInheritedPrompts(context, { mode: 'planning' });
  const mark = (text: string) => markInternal(text, isInternal ? { visibility: 'internal' } : {});
  return {
    continuable: () => readContinuable(run, sources),
    forPlan: () => mark([goal ?? '', advice.forPlan()].filter((text) => text !== '').join('\n\n')),
    forAction: (action) => mark(advice.forAction(action)),
    forReflection: () => mark(advice.forReflection()),
    forVerification: () => mark(advice.forVerification()),
  };
}

/** The plan that the run goes on with, as it began; null where it has none, or the work that was done for it is not here. */
async function readContinuable(
  { lineage: { planOf }, logger }: PlanningRun,
  { manager, readRun, workspace }: PlanSources,
): Promise<ContinuablePlan | null> {
  if (planOf === null) return null;
  const { state, history } = await readRun(planOf);
  if (!(await hasStoppedWork(state, workspace))) {
    logger.info(
      { from: planOf },
      'the work of the stopped run is not in the files; its plan is only referred to',
    );
    return null;
  }
  const facts: PlanningFact[] = [];
  for await (const entry of history())
    if (entry.type === 'fact' && entry.name === planningFactName)
      facts.push(entry.data as unknown as PlanningFact);
  const { plan, tasks, pendingRevision } = readPlanningState(facts);
  // What was to be revised, as after a rejected assumption, must not be done as it stands.
  if (plan === null || pendingRevision !== null) return null;
  const done = [...tasks].filter(([, { state: progress }]) => progress === 'succeeded');
  return { plan: await manager.cleanTexts(plan), doneTaskIds: done.map(([id]) => id) };
}
