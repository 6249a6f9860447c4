import { type RunEnding, toFailed } from '../../ending.ts';
import { readPlan } from '../answers/plan.ts';
import type { WrittenAnswer } from '../answers/read-answer.ts';
import { checkPlan } from '../check-plan.ts';
import { exchange, type Reading } from '../exchange.ts';
import type { Plan, PlanningFact } from '../model.ts';
import type { Exchange } from '../plan-log.ts';
import { type PlannedRun, passPoint, readRequestHash, record } from '../planned-run.ts';
import { hashPlan } from '../planning-state.ts';
import type { ContinuablePlan } from '../ports.ts';
import { formatBadPlanRequest, formatPlanRequest } from '../prompts/plan.ts';
import { canAsk, toQuestion, toUnansweredNotes } from '../question.ts';
import { toPlanRules } from '../request-parts.ts';

/** Times that a plan is asked for: once, and twice more with the reasons against it. */
const maxPlans = 3;

/** Makes the plan: goes on with that of a stopped run, or asks the model for goal, subtasks and actions in one answer. */
export async function plan(planned: PlannedRun): Promise<RunEnding | null> {
  if (planned.log.state.facts.length === 0) {
    const old = await findContinuable(planned);
    if (old !== null) return goOnWith(planned, old);
  }
  return exchange(planned, {
    phase: 'planning',
    checkpoint: 'before_planning',
    tools: 'reading',
    takesComments: true,
    write: () => writeRequest(planned),
    read: (answer, { answers }) => readAnswer(planned, { answer, answers }),
  });
}

async function findContinuable({ history, run, settings }: PlannedRun): Promise<ContinuablePlan | null> {
  try {
    const old = (await history?.continuable()) ?? null;
    return old !== null && checkPlan(old.plan, toPlanRules({ run, settings })).length === 0 ? old : null;
  } catch (err) {
    run.settings.logger?.warn({ err }, 'failed to read earlier plans; planning without them');
    return null;
  }
}

async function goOnWith(
  planned: PlannedRun,
  { plan: old, doneTaskIds }: ContinuablePlan,
): Promise<RunEnding | null> {
  const { ending } = await passPoint(planned, 'before_planning');
  if (ending !== null) return ending;
  const done = doneTaskIds.length === 0 ? 'none' : doneTaskIds.join(', ');
  const content = `The plan of an earlier run for the same request continues. Done already: ${done}. The plan:\n${JSON.stringify(old)}`;
  const { conversation } = planned.run;
  if (!conversation.wasTold(content)) await conversation.append({ role: 'user', content });
  await record(planned, [await toFact(planned, { plan: old, origin: 'continued', done: doneTaskIds })]);
  return null;
}

async function toFact(
  planned: PlannedRun,
  made: { readonly plan: Plan; readonly origin: 'new' | 'continued'; readonly done: readonly string[] },
): Promise<PlanningFact> {
  return {
    type: 'plan',
    plan: made.plan,
    origin: made.origin,
    request_sha256: await readRequestHash(planned),
    plan_hash: hashPlan(made.plan),
    done_task_ids: made.done,
  };
}

async function readAnswer(
  planned: PlannedRun,
  { answer, answers }: { readonly answer: WrittenAnswer } & Pick<Exchange, 'answers'>,
): Promise<Reading> {
  const reading = readPlan(answer, toPlanRules(planned));
  if (reading.kind === 'ok') return { kind: 'facts', facts: [await toPlanOrLoop(planned, reading.value)] };
  if (reading.kind === 'unclear-goal' && canAsk(planned)) {
    return { kind: 'facts', facts: [toQuestion(planned, { questions: reading.questions, assumptions: [] })] };
  }
  const reasons =
    reading.kind === 'bad'
      ? reading.reasons
      : ['No more questions can be asked: assume what is most likely, say so in the plan, and plan.'];
  if (answers.length < maxPlans) {
    return { kind: 'again', text: formatBadPlanRequest(reasons) };
  }
  if (planned.settings.approval === 'required') {
    const reason = planned.run.settings.texts.noPlanToApprove;
    return { kind: 'ending', ending: toFailed(planned.run, { errorClass: 'no_plan', reason }) };
  }
  return { kind: 'facts', facts: [{ type: 'loop_mode', reason: 'bad_plan', details: reasons }] };
}

/** A single action needs no plan, unless people are to approve of it. */
async function toPlanOrLoop(planned: PlannedRun, made: Plan): Promise<PlanningFact> {
  if (made.action_plan.actions.length === 1 && planned.settings.approval === 'off') {
    return { type: 'loop_mode', reason: 'one_action', details: [] };
  }
  return toFact(planned, { plan: made, origin: 'new', done: [] });
}

function writeRequest(planned: PlannedRun): string {
  const { history, manner, settings, log } = planned;
  const isFirst = !log.state.facts.some(({ type }) => type === 'plan');
  return formatPlanRequest({
    maxSubtasks: settings.max_subtasks,
    mayAsk: canAsk(planned),
    language: manner.language,
    history: isFirst ? (history?.forPlan() ?? '') : '',
    notes: toUnansweredNotes(log.state),
  });
}
