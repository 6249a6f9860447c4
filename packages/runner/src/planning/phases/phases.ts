import type { RunEnding } from '../../ending.ts';
import { finish, isWrappingUp, iterate } from '../../iterate.ts';
import { mayReconsider, type PhaseName } from '../next-phase.ts';
import { type PlannedRun, passPoint, record } from '../planned-run.ts';
import { act } from './act.ts';
import { approve } from './approve.ts';
import { ask } from './ask.ts';
import { plan } from './plan.ts';
import { reflect } from './reflect.ts';
import { replan } from './replan.ts';
import { report } from './report.ts';
import { revise } from './revise.ts';
import { verify } from './verify.ts';

/** One step of a phase; null when the run goes on. */
type Phase = (planned: PlannedRun) => Promise<RunEnding | null>;

/** Phases of a run in planning mode. */
export const phases: Readonly<Record<PhaseName, Phase>> = {
  plan,
  ask,
  execute,
  approve,
  act,
  reflect,
  revise,
  replan,
  verify,
  report,
  loop,
};

/** Goes from the plan to its actions. */
async function execute(planned: PlannedRun): Promise<RunEnding | null> {
  const { log, settings } = planned;
  const { ending, isDelivered } = await passPoint(planned, 'after_planning');
  const isConsidered = isDelivered && mayReconsider(log.state, settings);
  if (ending === null && !isConsidered) await record(planned, [{ type: 'phase', phase: 'execution' }]);
  return ending;
}

/** Goes on without a plan, as `runTask` does. */
async function loop({ run, log }: PlannedRun): Promise<RunEnding | null> {
  const firstLine = `Planning phase: loop (request ${log.state.facts.length}).`;
  if (log.findExchange(firstLine) === null) {
    await run.conversation.append({ role: 'user', content: `${firstLine}\n\n${goOnWithoutPlan}` });
  }
  return run.conversation.endsWithAnswer && !isWrappingUp(run) ? finish(run) : iterate(run);
}

const goOnWithoutPlan =
  'No plan is needed from here on. Do the task now with the tools, step by step, and check what you did. When it is done, say in words for the people who asked what was done and what is left.';
