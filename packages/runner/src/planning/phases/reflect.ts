import type { RunEnding } from '../../ending.ts';
import type { WrittenAnswer } from '../answers/read-answer.ts';
import { readReflection } from '../answers/reflection.ts';
import { exchange, type Reading } from '../exchange.ts';
import type { PlanningFact, ReflectionAnswer, ReflectionTrigger } from '../model.ts';
import { isErrorDue } from '../next-phase.ts';
import type { PlannedRun } from '../planned-run.ts';
import { formatReflectionRequest } from '../prompts/reflection.ts';
import { formatUnreadRequest, toToldActions } from '../request-parts.ts';

/** Times that an answer is asked for: once, and twice more with what was wrong with it. */
export const maxAnswers = 3;

/** Answer to a request for a reflection. */
export interface ReflectionReply {
  readonly answer: WrittenAnswer;
  /** True where it is not asked for again. */
  readonly isLast: boolean;
}

interface ReflectionExchange {
  /** Tells whether the answer decides on planning again, too. */
  readonly asksReplan: boolean;
  /** Finds what is to be judged, and what is said beside it, when the request is made. */
  readonly toSubject: () => Pick<Parameters<typeof formatReflectionRequest>[0], 'trigger' | 'notes'>;
  readonly read: (planned: PlannedRun, reply: ReflectionReply) => Reading;
}

/** Has the model judge what was done, at an interval, or whether the plan holds after what people said. */
export function reflect(planned: PlannedRun): Promise<RunEnding | null> {
  const toSubject = () => ({ trigger: toTrigger(planned) });
  return askForReflection(planned, { asksReplan: false, toSubject, read: readAnswer });
}

/** Asks for a reflection, with what earlier runs teach about it. */
export function askForReflection(
  planned: PlannedRun,
  { asksReplan, toSubject, read }: ReflectionExchange,
): Promise<RunEnding | null> {
  const { log, history, manner } = planned;
  return exchange(planned, {
    phase: 'reflection',
    checkpoint: 'before_reflection',
    tools: 'reading',
    takesComments: true,
    write: () =>
      formatReflectionRequest({
        ...toSubject(),
        actions: toToldActions(log.state),
        asksReplan,
        asksReply: log.isHeard,
        history: history?.forReflection() ?? '',
        language: manner.language,
      }),
    read: (answer, { answers }) => read(planned, { answer, isLast: answers.length >= maxAnswers }),
  });
}

function toTrigger({ log, settings }: PlannedRun): ReflectionTrigger {
  if (log.isHeard) return 'comment';
  return isErrorDue(log.state, settings) ? 'error' : 'interval';
}

function readAnswer(planned: PlannedRun, { answer, isLast }: ReflectionReply): Reading {
  const reading = readReflection(answer);
  if (reading.kind === 'bad' && !isLast) return { kind: 'again', text: formatUnreadRequest(reading.reasons) };
  const evaluation = reading.kind === 'ok' ? reading.value : toUnreadReflection(reading.reasons);
  return { kind: 'facts', facts: [toReflectionFact(planned, { evaluation, trigger: toTrigger(planned) })] };
}

/** Nobody is answered who has said nothing. */
export function toReflectionFact(
  { log }: PlannedRun,
  { evaluation, trigger }: Omit<Extract<PlanningFact, { type: 'reflection' }>, 'type'>,
): PlanningFact {
  const { reply = null } = evaluation;
  return { type: 'reflection', evaluation: { ...evaluation, reply: log.isHeard ? reply : null }, trigger };
}

/** Reflection that could not be read: it says so, and leaves the plan as it is. */
function toUnreadReflection(reasons: readonly string[]): ReflectionAnswer {
  return {
    phase: 'reflection',
    reflection: {
      action_evaluated: null,
      status: 'partial',
      evaluation: 'The reflection could not be read.',
      issues_identified: reasons,
      root_cause: null,
      plan_revision_needed: false,
      reasoning: '',
    },
    plan_revision: null,
    reply: null,
    comment: null,
  };
}
