import type { ContextInheritanceManager, InheritanceContext } from '@agent/context-inheritance';
import type { ShownRun } from '@agent/run-store';
import {
  type ContinuablePlan,
  type Plan,
  type PlanningHistory,
  planningFactName,
  readPlanningState,
} from '@agent/runner/planning';
import type { TaskWorkspace } from '@agent/workspace';
import { type EarlierRuns, hashRequest } from '../past/earlier-runs.ts';
import type { Run } from '../run/run.ts';
import { markInternal } from '../thread/text-guard.ts';
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
  readonly readRun: (uuid: string) => Promise<Pick<ShownRun<unknown>, 'uuid' | 'state' | 'history'>>;
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
      const named = nameThread(run);
      const manager = await earlierRuns.openManager({ locale: facts.locale, logger, thread: named });
      const context = await manager.getInheritanceContext(named);
      if (context === null) return null;
      const sources = await Promise.all(context.previousContexts.map(({ uuid }) => readRun(uuid)));
      const isInternal = await thread.audience.inherit(sources.map(({ state }) => state));
      const stopped = await findStoppedRun(run, { readRun, workspace });
      return createPlanHistory({ manager, context, isInternal, stopped });
    } catch (error) {
      logger.warn(
        { err: error, from: lineage.fromUuid },
        'failed to read earlier plans; planning without them',
      );
      return null;
    }
  };
}

type StoppedRun = Pick<ShownRun<unknown>, 'uuid' | 'history'>;

/** The run whose plan this one goes on with; null where there is none, or its work is not in the files. */
async function findStoppedRun(
  { lineage: { planOf }, logger }: PlanningRun,
  { readRun, workspace }: Pick<PlanHistoryOptions, 'readRun'> & Parameters<OpenPlanHistory>[1],
): Promise<StoppedRun | null> {
  if (planOf === null) return null;
  const stopped = await readRun(planOf);
  if (await hasStoppedWork(stopped.state, workspace)) return stopped;
  const message =
    'the work of the stopped run is not in the files as it was left; its plan is only referred to';
  logger.info({ from: planOf }, message);
  return null;
}

interface PlanSources {
  readonly manager: ContextInheritanceManager;
  readonly context: InheritanceContext;
  /** True where the texts rest on an internal note. */
  readonly isInternal: boolean;
  readonly stopped: StoppedRun | null;
}

/** Told where the plan of a run whose work is in the files is made anew all the same. */
const workIsHere =
  'Your files already contain what the last run changed before it was stopped. Check them before you rely on its plan.';

function createPlanHistory({ manager, context, isInternal, stopped }: PlanSources): PlanningHistory {
  const advice = manager.createPlanAdvice(context);
  const { goal } = manager.createInheritedPrompts(context, { mode: 'planning' });
  const mark = (text: string) => markInternal(text, isInternal ? { visibility: 'internal' } : {});
  return {
    continuable: async () => (stopped === null ? null : readContinuable(stopped, manager)),
    forPlan: () => {
      const parts = [goal ?? '', advice.forPlan(), stopped === null ? '' : workIsHere];
      return mark(parts.filter((text) => text !== '').join('\n\n'));
    },
    forAction: (action) => mark(advice.forAction(action)),
    forReflection: () => mark(advice.forReflection()),
    forVerification: () => mark(advice.forVerification()),
  };
}

/** The plan of a run, as far as it had come; null where it was about to be revised: what was to change must not be done as it stands. */
async function readContinuable(
  { uuid, history }: StoppedRun,
  manager: Pick<ContextInheritanceManager, 'cleanTexts'>,
): Promise<ContinuablePlan | null> {
  const lines: unknown[] = [];
  for await (const entry of history())
    if (entry.type === 'fact' && entry.name === planningFactName) lines.push(entry.data);
  const { plan, tasks, pendingRevision } = readPlanningState(lines);
  if (plan === null || pendingRevision !== null) return null;
  const done = [...tasks].filter(([, { state }]) => state === 'succeeded');
  const clean = await manager.cleanTexts(plan);
  return { plan: withForeignLabels(clean, uuid), doneTaskIds: done.map(([id]) => id) };
}

/** Names assumptions by the run that made them: the run that goes on numbers its own from A1 again. */
function withForeignLabels(plan: Plan, uuid: string): Plan {
  const { task_decomposition: decomposition } = plan;
  const rename = (name: string) => (/^A\d+$/.test(name) ? `${uuid.slice(0, 8)}:${name}` : name);
  const subtasks = decomposition.subtasks.map((subtask) => ({
    ...subtask,
    rests_on: subtask.rests_on.map(rename),
  }));
  return { ...plan, task_decomposition: { ...decomposition, subtasks } };
}
