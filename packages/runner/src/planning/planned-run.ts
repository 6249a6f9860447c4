import { passCheckpoint } from '../checkpoint.ts';
import { type RunEnding, toEnding } from '../ending.ts';
import type { TakeTurn } from '../iterate.ts';
import type { CheckpointName } from '../model.ts';
import type { Run } from '../run.ts';
import { findInvalidated } from './invalidate.ts';
import type { PlanningFact } from './model.ts';
import type { PlanLog } from './plan-log.ts';
import { listDone } from './planning-state.ts';
import type { PlanningEvent, PlanningHistory, PlanningPeople, PlanSources } from './ports.ts';
import type { PlanningSettings } from './settings.ts';

/** A run in planning mode: its run, its plan, and with whom it speaks. */
export interface PlannedRun {
  readonly run: Run;
  readonly log: PlanLog;
  readonly settings: PlanningSettings;
  readonly people: PlanningPeople | null;
  readonly history: PlanningHistory | null;
  readonly sources: { readonly [Name in keyof PlanSources]-?: NonNullable<PlanSources[Name]> };
  readonly manner: PlanManner;
  readonly emit: (event: PlanningEvent) => void;
  /** When this process last polled the thread, and last asked for an approval; null before. */
  readonly asked: { pollAt: number | null; approvalAt: number | null };
}

/** Language of the model's values, who takes the turns of actions, and what verification may call. */
interface PlanManner {
  /** Null where the model does. */
  readonly takeWork: TakeTurn | null;
  readonly language: string | null;
  readonly checkTools: ReadonlySet<string>;
}

/** Milliseconds after which the thread, or an approval, is asked about again in the middle of an action. */
const staleAfterMs = 60_000;

/** Tells whether something was last asked too long ago; also before the first time. */
export function isStale({ run }: PlannedRun, askedAt: number | null): boolean {
  return askedAt === null || run.settings.now() - askedAt > staleAfterMs;
}

/** Result of passing a checkpoint. */
interface Passing {
  readonly ending: RunEnding | null;
  readonly isDelivered: boolean;
}

/** Passes a checkpoint: pause, stop, comments. Between the turns of one phase comments are polled for once a minute. */
export async function passPoint(planned: PlannedRun, name: CheckpointName): Promise<Passing> {
  const { run, asked } = planned;
  const poll = name !== 'before_iteration' || isStale(planned, asked.pollAt);
  if (poll) asked.pollAt = run.settings.now();
  const { verdict } = await passCheckpoint(run, { name, poll });
  const ending = toEnding(run, verdict);
  if (poll && ending === null) await recordRejections(planned);
  return { ending, isDelivered: verdict === 'delivered' };
}

/** Reads the fingerprint of the request as it stands; null where it is not known or could not be asked. */
export async function readRequestHash({ sources, run }: PlannedRun): Promise<string | null> {
  const { hardSignal: signal } = run.steering;
  try {
    return await sources.readRequestHash({ signal });
  } catch (err) {
    run.settings.logger?.warn({ err }, 'failed to read request; using last known version');
    return null;
  }
}

/** Journals facts, synced, and tells who listens. */
export async function record(planned: PlannedRun, facts: readonly PlanningFact[]): Promise<void> {
  for (const fact of facts) {
    await planned.run.conversation.appendPlanningFact(fact);
    const event = toEvent(fact);
    if (event !== null) planned.emit({ ...event, state: planned.log.state } as PlanningEvent);
  }
}

type Stateless<Event> = Event extends unknown ? Omit<Event, 'state'> : never;

function toEvent(fact: PlanningFact): Stateless<PlanningEvent> | null {
  switch (fact.type) {
    case 'phase':
      return fact;
    case 'plan':
      return { type: 'plan', plan: fact.plan, origin: fact.origin };
    case 'action': {
      const { task_id: taskId, state: action, attempt, detail } = fact;
      return { type: 'action', taskId, action, attempt, detail };
    }
    case 'revision': {
      const { number, reason, cause } = fact;
      return { type: 'revision', number, reason, cause };
    }
    case 'revision_dropped':
      return { type: 'revision-dropped', cause: fact.cause, reasons: fact.reasons };
    case 'reflection':
      return {
        type: 'reflection',
        trigger: fact.trigger,
        status: fact.evaluation.reflection.status,
        reply: fact.evaluation.reply ?? null,
      };
    case 'replan_decision': {
      const { llm_decision: decision, confidence, next, override_reason: overrideReason } = fact;
      return { type: 'replan', replanType: decision.replan_type, confidence, next, overrideReason };
    }
    case 'verification':
      return { type: 'verification', round: fact.round, result: fact.verification_result };
    case 'question':
      return { type: 'question', id: fact.id, questions: fact.questions };
    case 'answered':
      return { type: 'answered', id: fact.id, how: fact.how };
    case 'approval':
      return { type: 'approval', planHash: fact.plan_hash, approval: fact.state, reason: fact.reason };
    case 'loop_mode':
      return { type: 'loop-mode', reason: fact.reason, details: fact.details };
    default:
      return null;
  }
}

/** Invalidates the steps that rest on what people rejected. Where it cannot be asked, it is asked at the next checkpoint. */
async function recordRejections(planned: PlannedRun): Promise<void> {
  const { plan, tasks } = planned.log.state;
  const rejected = plan === null ? [] : await readRejected(planned);
  if (plan === null || rejected.length === 0) return;
  const { undone } = findInvalidated(plan, { rejected: new Set(rejected), done: listDone(tasks) });
  const fallen = undone.filter((id) => tasks.get(id)?.state !== 'invalidated');
  const used = new Set(plan.task_decomposition.subtasks.flatMap(({ rests_on }) => rests_on));
  const evidence = rejected.filter((id) => used.has(id));
  const toFact = (id: string): PlanningFact => ({
    type: 'action',
    task_id: id,
    state: 'invalidated',
    attempt: tasks.get(id)?.attempts ?? 0,
    detail: `It depends on what was rejected: ${evidence.join(', ')}.`,
    evidence,
  });
  await record(planned, fallen.map(toFact));
}

async function readRejected({ people, run }: PlannedRun): Promise<readonly string[]> {
  const { hardSignal: signal } = run.steering;
  try {
    return (await people?.rejectedAssumptions({ signal })) ?? [];
  } catch (err) {
    run.settings.logger?.warn({ err }, 'failed to read rejected assumptions; retrying at next checkpoint');
    return [];
  }
}
