import type { RunEnding } from '../../ending.ts';
import { readReflection } from '../answers/reflection.ts';
import { exchange, type Reading } from '../exchange.ts';
import type { ReflectionAnswer, ReflectionTrigger } from '../model.ts';
import { isErrorDue } from '../next-phase.ts';
import type { PlannedRun } from '../planned-run.ts';
import { formatReflectionRequest } from '../prompts/reflection.ts';
import { formatUnreadRequest, toToldActions } from '../request-parts.ts';

/** Times that an answer is asked for: once, and twice more with what was wrong with it. */
export const maxAnswers = 3;

/** Has the model judge what was done, at an interval, or whether the plan holds after what people said. */
export function reflect(planned: PlannedRun): Promise<RunEnding | null> {
  const { log, history } = planned;
  return exchange(planned, {
    phase: 'reflection',
    checkpoint: 'before_reflection',
    tools: 'reading',
    takesComments: true,
    write: () =>
      formatReflectionRequest({
        trigger: toTrigger(planned),
        actions: toToldActions(log.state),
        asksReplan: false,
        history: history?.forReflection() ?? '',
        language: planned.manner.language,
      }),
    read: (answer, { answers }) => readAnswer(planned, { answer, isLast: answers.length >= maxAnswers }),
  });
}

function toTrigger({ log, settings }: PlannedRun): ReflectionTrigger {
  if (log.isHeard) return 'comment';
  return isErrorDue(log.state, settings) ? 'error' : 'interval';
}

function readAnswer(
  planned: PlannedRun,
  { answer, isLast }: { readonly answer: string; readonly isLast: boolean },
): Reading {
  const reading = readReflection(answer);
  if (reading.kind === 'bad' && !isLast) return { kind: 'again', text: formatUnreadRequest(reading.reasons) };
  const evaluation = reading.kind === 'ok' ? reading.value : toUnreadReflection(reading.reasons);
  const trigger = toTrigger(planned);
  return { kind: 'facts', facts: [{ type: 'reflection', evaluation, trigger }] };
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
    comment: null,
  };
}
