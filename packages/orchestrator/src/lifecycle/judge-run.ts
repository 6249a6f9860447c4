import type { Outbox, RunState } from '@agent/run-store';
import type { RunOutcome } from '@agent/runner';
import { judgeOutcome, type OutcomeEvidence } from '../outcome/judge-outcome.ts';
import { isDone } from '../outcome/outcome.ts';
import { ToolUse } from '../outcome/tool-use.ts';
import { readRunPlan } from '../plan/plan-mode.ts';
import { readKeptPrePlanning } from '../plan/pre-planning-files.ts';
import { runTexts } from '../report/texts.ts';
import type { Run } from '../run/run.ts';
import type { Delivery, JudgedOutcome } from '../run/run-ending.ts';

/** A run, as far as its evidence is read. */
type JudgedRun = Pick<Run, 'uuid' | 'facts' | 'journal' | 'logger'> & {
  readonly state: Pick<RunState, 'read'>;
  readonly outbox: Pick<Outbox, 'list'>;
};

/** End of a run, as the runner left it. */
export interface UnjudgedEnd {
  readonly outcome: RunOutcome;
  readonly delivery: Delivery;
}

/** Judges an end by the record of its run. Judging it again gives the same outcome. */
export type JudgeRun = (run: JudgedRun, end: UnjudgedEnd) => Promise<JudgedOutcome>;

export interface JudgeRunOptions {
  /** True if an agent with its own tools works on runs. */
  readonly hasAgent: boolean;
}

/** Creates it. */
export function createJudgeRun(options: JudgeRunOptions): JudgeRun {
  return async (run, end) => {
    const { outcome } = end;
    if (!isDone(outcome.status)) return outcome;
    const { outcome: status, cause } = judgeOutcome(await readEvidence(options, run, end));
    if (cause === null) return { ...outcome, status };
    const reason = runTexts[run.facts.locale].judgedCauses[cause];
    return { ...outcome, status, reason, errorClass: cause.replaceAll('-', '_') };
  };
}

async function readEvidence(
  { hasAgent }: JudgeRunOptions,
  run: JudgedRun,
  { outcome, delivery }: UnjudgedEnd,
): Promise<OutcomeEvidence> {
  const { status, finalText } = outcome;
  const prepared = await readPrepared(run);
  const use = new ToolUse({ hasAgent });
  for await (const entry of run.journal.read({ facts: [] }))
    if (entry.type === 'message') use.take(entry.message);
  const plan = await readRunPlan(run);
  return {
    ...{ status, finalText },
    hasRepository: run.facts.repository !== null,
    hasDelivered: delivery.commit !== null || (await hasDeliveredBefore(run)),
    lacksPlan: plan?.loopMode === 'bad_plan',
    isQuestion: prepared.isQuestion,
    hasRead: use.hasRead || prepared.tools.some((tool) => use.isRead(tool)),
    hasChecked: use.hasChecked,
  };
}

const deliveries: ReadonlySet<string> = new Set(['push', 'change-request']);

async function hasDeliveredBefore({ outbox }: JudgedRun): Promise<boolean> {
  const entries = await outbox.list();
  return entries.some(({ kind, state }) => deliveries.has(kind) && state === 'done');
}

/** Result of pre-planning (null if it is off), and the tools whose results it collected. */
async function readPrepared({ state, logger }: JudgedRun): Promise<{
  readonly isQuestion: boolean | null;
  readonly tools: readonly string[];
}> {
  const kept = await readKeptPrePlanning(state, logger);
  if (kept === null) return { isQuestion: null, tools: [] };
  const { isQuestion, readPrePlanningState } = await import('@agent/pre-planning');
  const known = readPrePlanningState(kept.state, logger);
  const needs = new Map(
    known?.collection_plan?.required_information.map((need) => [need.id, need.collection_method.tool]),
  );
  const collected = known?.collection_results.filter(({ status }) => status === 'collected') ?? [];
  return {
    isQuestion: known?.understanding_result == null ? false : isQuestion(known.understanding_result),
    tools: collected.flatMap(({ info_id: id }) => needs.get(id) ?? []),
  };
}
