import type { RunResult, RunTaskOptions } from '@agent/runner';
import type { AgentOptions } from '@agent/runner/executors';
import { type PlanningEvent, runPlannedTask } from '@agent/runner/planning';
import type { Redact } from '@agent/text/outgoing';
import type { TaskWorkspace } from '@agent/workspace';
import type { ObserveBoard } from '../board/board-event.ts';
import type { PlanningSection } from '../config/planning-settings.ts';
import type { RunInbox } from '../inbox/run-inbox.ts';
import { createReadRequestHash, type OpenPlanHistory } from '../inheritance/plan-history.ts';
import { toPlanStage } from '../plan/plan-stage.ts';
import type { Run } from '../run/run.ts';
import { createPeople } from './create-people.ts';

export interface PlanTaskOptions {
  readonly settings: PlanningSection;
  readonly openHistory: OpenPlanHistory;
  /** Zone of all times on threads: an IANA name. */
  readonly timeZone: string;
  readonly redactOutgoing: Redact;
  readonly observe: ObserveBoard;
  readonly now: () => number;
}

export interface PlanTaskStart {
  readonly runInbox: Pick<RunInbox, 'guard' | 'rejections'>;
  /** Null where there is no repository. */
  readonly workspace: Pick<TaskWorkspace, 'path' | 'readPatch'> | null;
  /** Options that `runTask` would be given. */
  readonly task: RunTaskOptions;
  /** Does the actions; null where the model does. */
  readonly agent: AgentOptions | null;
}

/** Carries the conversation of a run that plans to an outcome, or to a shutdown. */
export type PlanTask = (run: Run, start: PlanTaskStart) => Promise<RunResult>;

/** Tools that run the project's own checks. */
const checkTools = ['run_command'];

/** Creates it. */
export function createPlanTask(options: PlanTaskOptions): PlanTask {
  const { openHistory, timeZone, redactOutgoing, observe, now } = options;
  const { enabled: _enabled, pre_planning: _prePlanning, ...planning } = options.settings;
  return async (run, { runInbox, workspace, task, agent }) => {
    const onEvent = (event: PlanningEvent): void => {
      observe({ type: 'plan', uuid: run.uuid, stage: toPlanStage(event.state), ended: toEndedAction(event) });
      void run.progress.changed(event.type === 'action' ? 'step' : 'phase');
      run.logger.info(toLogFields(event), 'planning event');
    };
    const people = createPeople(run, {
      ...{ runInbox, timeZone, redactOutgoing, now },
      approvalPhrases: planning.approval_phrases,
    });
    const failed: { asking: unknown } = { asking: null };
    const result = await runPlannedTask({
      task,
      agent,
      planning,
      people: {
        ...people,
        ask: async (question, call) => {
          failed.asking = null;
          await people.ask(question, call).catch((error: unknown) => {
            failed.asking = error;
            throw error;
          });
        },
      },
      history: await openHistory(run, { workspace }),
      sources: {
        readDiff: async ({ signal }) => (await workspace?.readPatch({ signal })) ?? null,
        readRequestHash: createReadRequestHash(run),
      },
      language: run.facts.locale === 'ja' ? 'Japanese' : 'English',
      checkTools,
      onEvent,
    });
    // Nobody would answer a question that does not stand on the thread: the run is tried again instead of waiting.
    const waits = result.kind === 'ended' && result.outcome.waitsFor !== undefined;
    if (waits && failed.asking !== null) throw failed.asking;
    return result;
  };
}

const loggedFields = [
  ...['type', 'phase', 'origin', 'taskId', 'action', 'attempt', 'number', 'cause', 'round', 'id', 'how'],
  ...['approval', 'planHash', 'trigger', 'status', 'replanType', 'next', 'confidence'],
];

/** Which event it is, and nothing that was said or found out. */
function toLogFields(event: PlanningEvent): object {
  const fields = Object.entries(event).filter(([name]) => loggedFields.includes(name));
  return { ...Object.fromEntries(fields), ...(event.type === 'loop-mode' ? { reason: event.reason } : {}) };
}

function toEndedAction(event: PlanningEvent): 'succeeded' | 'failed' | null {
  if (event.type !== 'action') return null;
  return event.action === 'succeeded' || event.action === 'failed' ? event.action : null;
}
