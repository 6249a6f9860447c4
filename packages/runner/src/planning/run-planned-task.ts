import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectList,
  expectNullable,
  expectOptions,
  expectPort,
} from '@agent/text/options';
import { type RunEnding, toFailed, toText } from '../ending.ts';
import { agentExpectations } from '../executors/agent-options.ts';
import { AgentTurns } from '../executors/take-agent-turn.ts';
import { finish, isWrappingUp, iterate, type TakeTurn, takeTurn } from '../iterate.ts';
import type { Run } from '../run.ts';
import { requiredOfRuns, runExpectations } from '../run-options.ts';
import { toCarrier } from '../run-task.ts';
import { isPhaseAnswer } from './answers/is-phase-answer.ts';
import { toFirstLine } from './exchange.ts';
import { judgeEnd } from './judge-end.ts';
import { mayReconsider, nextPhase, type PhaseName } from './next-phase.ts';
import { act } from './phases/act.ts';
import { approve } from './phases/approve.ts';
import { ask } from './phases/ask.ts';
import { plan } from './phases/plan.ts';
import { reflect } from './phases/reflect.ts';
import { replan } from './phases/replan.ts';
import { report } from './phases/report.ts';
import { revise } from './phases/revise.ts';
import { verify } from './phases/verify.ts';
import { PlanLog } from './plan-log.ts';
import { type PlannedRun, passPoint, record } from './planned-run.ts';
import type { PlanningState } from './planning-state.ts';
import type { PlannedTaskOptions, PlannedTaskResult, PlanningEvent } from './ports.ts';
import { planningInstructions } from './prompts/plan.ts';
import { planningSettingsSchema } from './settings.ts';

/** Conditions of the options of a planned task. */
export const plannedExpectations: ExpectationsOf<PlannedTaskOptions> = {
  task: expectOptions(runExpectations, requiredOfRuns),
  // Its schema checks the settings.
  planning: expected.object,
  people: expectNullable(expectPort('ask', 'readApproval', 'rejectedAssumptions')),
  history: expectNullable(
    expectPort('continuable', 'forPlan', 'forAction', 'forReflection', 'forVerification'),
  ),
  sources: expectOptions({ readDiff: expected.function, readRequestHash: expected.function }),
  language: expectNullable(expected.text),
  checkTools: expectList(expected.text),
  agent: expectNullable(expectOptions(agentExpectations, ['executor'])),
  onEvent: expected.function,
};

/**
 * Runs one task by a plan: understands and plans it, carries out one action after the other, reflects, revises, verifies and
 * reports. It is `runTask` with another order of its steps: called again with the same journal it goes on where it was left.
 *
 * @example
 * const task = { model, tools, journal: createMemoryRunJournal(), openConversation };
 * const { planning } = await runPlannedTask({ task });
 * console.log(planning.plan?.goal_understanding.main_objective);
 */
export async function runPlannedTask(given: PlannedTaskOptions): Promise<PlannedTaskResult> {
  checkOptions('PlannedTaskOptions', given, plannedExpectations, ['task']);
  const { task, ...options } = given;
  const log = new PlanLog();
  const agent = options.agent == null ? null : new AgentTurns(options.agent);
  const takeWork = agent === null ? null : (run: Run) => agent.take(run);
  const carry = toCarrier({
    work: (run) => planToEnd(toPlannedRun(run, { log, options, takeWork })),
    onLine: (line) => log.take(line),
  });
  const openConversation: typeof task.openConversation = async (call) => {
    const opened = await task.openConversation(call);
    const instructions = [opened.instructions, planningInstructions]
      .filter((part) => part !== '')
      .join('\n\n');
    return { ...opened, instructions };
  };
  try {
    return { ...(await carry({ ...task, openConversation })), planning: log.state };
  } finally {
    await options.agent?.executor.close();
  }
}

function toPlannedRun(
  run: Run,
  {
    log,
    options,
    takeWork,
  }: {
    readonly log: PlanLog;
    readonly options: Omit<PlannedTaskOptions, 'task'>;
    readonly takeWork: TakeTurn | null;
  },
): PlannedRun {
  const { planning = {}, people = null, history = null, sources, language = null, onEvent } = options;
  const unknown = async () => null;
  if (log.unread > 0) {
    const fields = { unread: log.unread };
    run.settings.logger?.warn(fields, 'ignoring unreadable lines in plan');
  }
  return {
    run,
    log,
    settings: planningSettingsSchema.parse(planning),
    people,
    history,
    sources: {
      readDiff: sources?.readDiff ?? unknown,
      readRequestHash: sources?.readRequestHash ?? unknown,
    },
    manner: { language, takeWork, checkTools: new Set(options.checkTools) },
    emit: toEmitter(run, onEvent),
    asked: { pollAt: null, approvalAt: null },
  };
}

function toEmitter(run: Run, listen: PlannedTaskOptions['onEvent']): (event: PlanningEvent) => void {
  return (event) => {
    try {
      listen?.(event);
    } catch (err) {
      run.settings.logger?.warn({ err, event: event.type }, 'event listener failed');
    }
  };
}

async function planToEnd(planned: PlannedRun): Promise<RunEnding> {
  for (;;) {
    const ending = await takePhase(planned);
    if (ending !== null) return toPlannedEnding(planned, ending);
  }
}

async function takePhase(planned: PlannedRun): Promise<RunEnding | null> {
  const { run, log, settings } = planned;
  // Its last words are asked for, or said, already.
  if (isWrappingUp(run)) return takeTurn(run);
  const name = nextPhase(log.state, { settings, isHeard: log.isHeard });
  return phases[name](planned);
}

/** The end of a run by a plan: only prose is its final text, and what is missing is told. */
function toPlannedEnding({ log, settings, run }: PlannedRun, ending: RunEnding): RunEnding {
  if (ending.kind !== 'ended') return ending;
  const { outcome } = ending;
  const { loopMode, plan, completion } = log.state;
  const isReported =
    completion !== null && log.findExchange(toFirstLine({ log }, { phase: 'report' }))?.isAnswered;
  const isProse = loopMode !== null || isReported === true || isWrappingUp(run);
  const finalText = isProse ? toWords(outcome.finalText, completion) : null;
  const isPartial =
    outcome.status === 'completed' &&
    plan !== null &&
    loopMode === null &&
    judgeEnd(log.state, settings).isPartial;
  return { ...ending, outcome: { ...outcome, finalText, status: isPartial ? 'partial' : outcome.status } };
}

/** Last words that people can read; in place of JSON what the plan reached, null where that is not known. */
function toWords(text: string | null, completion: PlanningState['completion']): string | null {
  if (text === null || !isPhaseAnswer(text)) return text;
  const outcomes = completion?.summary.key_outcomes ?? [];
  return outcomes.length === 0 ? null : outcomes.map((outcome) => `- ${outcome}`).join('\n');
}

/** One step of a phase; null when the run goes on. */
type Phase = (planned: PlannedRun) => Promise<RunEnding | null>;

/** Phases of a run in planning mode. */
const phases: Readonly<Record<PhaseName, Phase>> = {
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
async function loop({ run, log, manner }: PlannedRun): Promise<RunEnding | null> {
  const firstLine = `Planning phase: loop (request ${log.state.facts.length}).`;
  if (log.findExchange(firstLine) === null) {
    await run.conversation.append({ role: 'user', content: `${firstLine}\n\n${goOnWithoutPlan}` });
  }
  if (!run.conversation.endsWithAnswer || isWrappingUp(run)) return iterate(run, manner.takeWork ?? takeTurn);
  return saysNothing(run) ? askForWork(run) : finish(run);
}

/** Tells whether the last answer is still one to a phase: nothing is done by it, whatever stands in it. */
function saysNothing({ conversation: { last } }: Run): boolean {
  return last !== null && isPhaseAnswer(toText(last.message));
}

async function askForWork(run: Run): Promise<RunEnding | null> {
  if (run.conversation.wasTold(noMorePhases))
    return toFailed(run, { errorClass: 'model_unreadable', reason: run.settings.texts.unusableAnswer.phase });
  await run.conversation.append({ role: 'user', content: noMorePhases });
  return null;
}

const noMorePhases =
  'That was the JSON of a phase, which does nothing here. Do the task with the tools; when it is done, say so in words, not as JSON.';

const goOnWithoutPlan =
  'No plan is needed from here on. Do the task now with the tools, step by step, and check what you did. When it is done, say in words for the people who asked what was done and what is left.';
